import type { BodyId, Slot, Tick } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import type { Rule } from '../../world/decide.ts';

/** The kinds of events: all are counted, and the last are kept. */
export const EVENT_KINDS = [
  'grab',
  'keep',
  'release',
  'throw',
  'take',
  'return',
  'accept',
  'confirm',
  'refuse',
  'deny',
  'reach',
  'give',
  'override',
  'lose',
  'free',
  'collide',
  'reset',
  'put back',
  'spawn',
  'despawn',
  'tie',
  'untie',
  'break',
] as const;
/** One of EVENT_KINDS. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** An event on a peer. */
export type PeerEvent = {
  /** The tick of the peer in which it happened. */
  tick: Tick;
  kind: EventKind;
  /** The rule by which it happened, or '' where no rule decides. */
  rule: Rule | 'R4' | '';
  /** The body, or NO_BODY. */
  body: BodyId;
  /** The player that did it; NO_SLOT if none did. */
  slot: Slot;
};

/** Events that are kept. */
const KEPT = 1024;

/** The last events on a peer in a ring, and the number of each kind. */
export class EventLog {
  /** The number of events of each kind since the peer began. */
  readonly counts: Record<EventKind, number>;
  /** Events since the peer began; the newest has the number `total - 1`. */
  total = 0;
  readonly #events: PeerEvent[] = Array.from({ length: KEPT }, () => ({
    tick: 0 as Tick,
    kind: 'reset',
    rule: '',
    body: NO_BODY,
    slot: NO_SLOT,
  }));

  constructor() {
    this.counts = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, 0])) as Record<EventKind, number>;
  }

  /** Adds an event; the oldest is overwritten. */
  add(tick: Tick, kind: EventKind, rule: PeerEvent['rule'], body: BodyId, slot: Slot): void {
    const event = this.#events[this.total++ % KEPT];
    event.tick = tick;
    event.kind = kind;
    event.rule = rule;
    event.body = body;
    event.slot = slot;
    this.counts[kind]++;
  }

  /** Calls `visit` for the events from number `since` on that are still kept, oldest first. Events are used again. */
  each(since: number, visit: (event: Readonly<PeerEvent>) => void): void {
    for (let i = Math.max(since, this.total - KEPT, 0); i < this.total; i++) visit(this.#events[i % KEPT]);
  }

  /** Copies of the last `most` events of one body, newest first. */
  ofBody(body: BodyId, most: number): PeerEvent[] {
    const found: PeerEvent[] = [];
    for (let i = this.total - 1; i >= Math.max(0, this.total - KEPT) && found.length < most; i--) {
      const event = this.#events[i % KEPT];
      if (event.body === body) found.push({ ...event });
    }
    return found;
  }
}
