import { readGuestMessage, readHostMessage } from '../../../src/core/room/messages.ts';
import { GUEST_MESSAGES, HOST_MESSAGES } from '../../core/room/samples.ts';

/** Room messages that are right, and the same with one field at an edge of what it may be, or beyond. */

/** A room message of the corpus. */
export type MessageSample = {
  readonly side: 'guest' | 'host';
  readonly text: string;
  /** See `outcomeOfMessage`. */
  readonly outcome: string;
};

/** Values for the field of each name: edges that may be, and others just beyond. */
const EDGES: Readonly<Record<string, readonly unknown[]>> = {
  kind: ['shout', null],
  version: [0, -1, 65_536],
  keeps: [[], 'none', null],
  key: ['', 'B'.repeat(87), 7],
  founder: [null, 'A'.repeat(87)],
  salt: ['x'.repeat(64), 'x'.repeat(65)],
  links: [[], null, 'none'],
  signature: ['', 'A'.repeat(86), `${'A'.repeat(85)}B`, null],
  handover: [null, 'A'.repeat(87)],
  epoch: [0xffffffff, 0x100000000, -1],
  ballot: [null, 'mine'],
  candidate: ['nobody'],
  electors: [[], null],
  votes: [[], null],
  isAway: ['yes'],
  lineage: [null],
  name: ['x'.repeat(32), 'x'.repeat(33), 'A\u202eda', 'castle', 7],
  colour: [7, 8, 31, 32, 0.5],
  slot: [7, 8, 31, 32, -1, 0.5],
  connection: [0x7fffffff, 0x80000000, -1],
  term: [65_535, 65_536, -1],
  host: [3, 8, 31, 32, -1],
  hears: ['yes'],
  vote: [7, 31, 32, -1],
  home: [null, 'far'],
  voice: ['loud'],
  returns: ['perhaps'],
  door: ['x'.repeat(64), 'x'.repeat(65)],
  seed: [0xffffffff, 0x100000000, -1],
  count: [1, 0, 4096, 4097],
  rate: [30, 120, 29, 121, 60, 90.5],
  capacity: [1, 8, 0, 9, 31, 32],
  locked: ['yes'],
  goesOn: ['yes'],
  id: ['x'.repeat(64), 'x'.repeat(65), '', 'a"b', '-a', 7],
  presence: ['gone'],
  roundTripMs: [65_535, 65_536, -1, 0.5],
  reason: ['boredom', 'constructor'],
  next: [7, 31, 32],
  players: [[], null],
  roster: [null],
  scene: [null, 'pile'],
};

/** @returns how a text is read: `refused`; `same` as sent; or `changed`, if a default or a part of it was taken instead. */
export function outcomeOfMessage({ side, text }: Pick<MessageSample, 'side' | 'text'>): string {
  const message = side === 'guest' ? readGuestMessage(text) : readHostMessage(text);
  if (message === null) return 'refused';
  return JSON.stringify(sorted(message)) === JSON.stringify(sorted(JSON.parse(text))) ? 'same' : 'changed';
}

/** @returns the messages, each once. */
export function handMadeMessages(): MessageSample[] {
  const samples = new Map<string, MessageSample>();
  const sides = [
    ['guest', GUEST_MESSAGES],
    ['host', HOST_MESSAGES],
  ] as const;
  for (const [side, messages] of sides) {
    for (const message of messages) {
      for (const changed of [message, ...variants(message)]) {
        const text = JSON.stringify(changed);
        samples.set(side + text, { side, text, outcome: outcomeOfMessage({ side, text }) });
      }
    }
  }
  return [...samples.values()];
}

/** Copies in which one field, however deep, is another or is left out. */
function* variants(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (const [i, entry] of list.entries()) {
      for (const changed of variants(entry)) yield list.with(i, changed);
      yield [...list, entry];
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, entry] of Object.entries(value)) {
    for (const edge of EDGES[key] ?? []) yield { ...value, [key]: edge };
    for (const changed of variants(entry)) yield { ...value, [key]: changed };
  }
}

/** A copy whose keys are in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, sorted(entry)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
