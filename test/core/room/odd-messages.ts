import type { Random } from '../../../src/core/base/random.ts';
import { writeMessage } from '../../../src/core/room/messages.ts';
import { GUEST_MESSAGES, HOST_MESSAGES } from './samples.ts';

/** Wrong and nearly right messages of a room, for fuzzing. */

/** Values to put in place of others: wrong there, or just right. */
const ODD: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    1,
    7,
    8,
    60,
    -1,
    0.5,
    2 ** 31 - 1,
    2 ** 32,
    1e300,
    '',
    'on',
    'here',
    'away',
    'pile',
    'grid',
  ],
  ...[
    'x'.repeat(33),
    '__proto__',
    'constructor',
    '\u202eAda ',
    '\ud83e',
    '🧊'.repeat(9),
    'full',
    'removed',
    [],
    {},
  ],
];
const KEYS = [
  'kind',
  'version',
  'name',
  'id',
  'keeps',
  'slot',
  'lineage',
  'roster',
  'players',
  '__proto__',
  'reason',
  'term',
  'door',
  'key',
  'links',
  'ballot',
  'next',
  'vote',
  'home',
];
const KINDS = [
  'join',
  'door',
  'standing',
  'elsewhere',
  'voice',
  'bye',
  'welcome',
  'refuse',
  'roster',
  'level',
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)];

function anything(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 4 : 2);
  if (kind < 2) return pick(random, ODD);
  if (kind === 2) return Array.from({ length: random.below(4) }, () => anything(random, depth - 1));
  const entries = Array.from({ length: random.below(6) }, () => [
    pick(random, KEYS),
    anything(random, depth - 1),
  ]);
  const returns = pick(random, [true, false, 0]);
  return Object.fromEntries([['kind', pick(random, KINDS)], ['returns', returns], ...entries]) as unknown;
}

/** A copy in which one value is replaced, removed or added. */
function mutated(random: Random, value: unknown, chance: number): unknown {
  if (random.chance(chance)) return pick(random, ODD);
  if (Array.isArray(value)) {
    const copy = value.map((entry) => mutated(random, entry, chance));
    return random.chance(chance) ? [...copy, ...copy] : copy;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(() => !random.chance(chance / 2));
  return Object.fromEntries(entries.map(([key, entry]) => [key, mutated(random, entry, chance)]));
}

/** A text in which a few characters are replaced, removed or doubled. */
function garbled(random: Random, text: string): string {
  const at = random.below(text.length);
  const kind = random.below(3);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + String.fromCharCode(random.below(0x250)) + text.slice(at + 1);
  return text.slice(0, at) + text.slice(random.below(text.length));
}

const SAMPLES = [...GUEST_MESSAGES, ...HOST_MESSAGES];
/** Each kind of wrong message, and a function that makes one. */
export const ODD_MESSAGES: readonly (readonly [string, (random: Random) => string])[] = [
  ['any JSON', (random) => JSON.stringify(anything(random, 3))],
  [
    'real messages in which something is else',
    (random) => JSON.stringify(mutated(random, pick(random, SAMPLES), 0.04)),
  ],
  ['real messages that are garbled', (random) => garbled(random, writeMessage(pick(random, SAMPLES)))],
];
