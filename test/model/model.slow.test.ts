import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { createLayout } from './state/layout.ts';
import { MUTATIONS, MUTATIONS_WITH_JOINTS, MUTATIONS_WITH_SPAWNS } from './mutations.ts';
import { replay, TRACE_MOVES } from './replay.ts';
import { report } from './report.ts';

const SPAWNING = { guests: 1, bodies: 1, older: 0, poses: false } as const;
/** The test visits each of these models whole, in a second or two. model.long.test.ts goes deeper. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['one body, two guests', { guests: 2, bodies: 1, older: 0, poses: false, actions: 4 }],
  ['and packets that come late', { guests: 2, bodies: 1, older: 1, poses: false, actions: 2 }],
  ['one body, three guests', { guests: 3, bodies: 1, older: 0, poses: false, actions: 2 }],
  ['two bodies, two guests', { guests: 2, bodies: 2, older: 0, poses: false, actions: 3 }],
  ['a body that one guest spawns, two guests', { ...SPAWNING, guests: 2, actions: 4, spawns: 'even' }],
  ['and a body that is refused at first', { ...SPAWNING, guests: 2, actions: 4, spawns: 'odd' }],
  [
    'one guest that spawns, and packets that come late',
    { ...SPAWNING, older: 1, actions: 3, spawns: 'even' },
  ],
  [
    'two jointed bodies, two guests',
    { guests: 2, bodies: 2, older: 0, poses: false, actions: 3, jointed: true },
  ],
  [
    'two jointed bodies, one guest, and packets that come late',
    { guests: 1, bodies: 2, older: 1, poses: false, actions: 3, jointed: true },
  ],
  ['one body, one guest, and poses', { guests: 1, bodies: 1, older: 0, poses: true, actions: 3 }],
];

/** Bodies and guests of the random ways. */
const REPLAYS = [
  ['one body, two guests', 1, 2],
  ['two bodies, two guests', 2, 2],
  ['one body, three guests', 1, 3],
] as const;
const TRACES = 4;

describe('[I1] to [I4], [I6] to [I9] whatever players do, and in whatever order it is heard, everybody agrees in the end', () => {
  test.each(MODELS)('%s', (name, options) => {
    const result = check(options);
    console.log(report(name, result));
    expect(report(name, result)).toMatch(/nothing broken$/);
    expect(result.depth).toBe(options.actions);
  });
});

describe('without a rule the model finds what breaks', () => {
  test.each(MUTATIONS.map((mutation) => [mutation.without, mutation] as const))(
    '%s',
    (_, { rules, finds, older = 0 }) => {
      const result = check({ guests: 2, bodies: 1, older, poses: false, actions: 4, rules });
      expect(result.broken?.what).toMatch(finds);
      expect(result.broken?.trace.length).toBeLessThan(9);
    },
  );
});

describe('without a rule of islands the model finds what breaks', () => {
  test.each(MUTATIONS_WITH_JOINTS.map((mutation) => [mutation.without, mutation] as const))(
    '%s',
    (_, { rules, finds }) => {
      const result = check({
        guests: 2,
        bodies: 2,
        older: 0,
        poses: false,
        actions: 3,
        rules,
        jointed: true,
      });
      expect(result.broken?.what).toMatch(finds);
      expect(result.broken?.trace.length).toBeLessThan(9);
    },
  );
});

describe('without a rule of spawning the model finds what breaks', () => {
  test.each(MUTATIONS_WITH_SPAWNS.map((mutation) => [mutation.without, mutation] as const))(
    '%s',
    (_, { rules, finds }) => {
      const result = check({
        guests: 2,
        bodies: 1,
        older: 0,
        poses: false,
        actions: 3,
        rules,
        spawns: 'even',
      });
      expect(result.broken?.what).toMatch(finds);
      expect(result.broken?.trace.length).toBeLessThan(9);
    },
  );
});

describe('what real peers believe is what the model has, move by move', () => {
  test.each(REPLAYS)('%s, random ways through the model', (_, bodies, guests) => {
    const layout = createLayout({ guests, bodies, older: 0, poses: false });
    const random = new Random(10 * bodies + guests);
    let changes = 0;
    for (let trace = 0; trace < TRACES; trace++) changes += replay(layout, random);
    expect(changes).toBeGreaterThan((TRACES * TRACE_MOVES) / 3);
  });
});
