import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { createLayout } from './state/layout.ts';
import { MUTATIONS, MUTATIONS_WITH_POSES } from './mutations.ts';
import { replay, TRACE_MOVES } from './replay.ts';
import { report } from './report.ts';

/** As deep as a few minutes on two cores go. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['one body, two guests', { guests: 2, bodies: 1, older: 0, poses: false, actions: 7 }],
  ['and packets that come late', { guests: 2, bodies: 1, older: 1, poses: false, actions: 4 }],
  ['one body, three guests', { guests: 3, bodies: 1, older: 0, poses: false, actions: 4 }],
  ['two bodies, two guests', { guests: 2, bodies: 2, older: 0, poses: false, actions: 5 }],
  [
    'two jointed bodies, two guests',
    { guests: 2, bodies: 2, older: 0, poses: false, actions: 4, jointed: true },
  ],
  ['one body, one guest, and poses', { guests: 1, bodies: 1, older: 0, poses: true, actions: 7 }],
  ['and packets that come late, and poses', { guests: 1, bodies: 1, older: 1, poses: true, actions: 4 }],
  ['one body, two guests, and poses', { guests: 2, bodies: 1, older: 0, poses: true, actions: 2 }],
];

/** Bodies and guests of the random ways. */
const REPLAYS = [
  ['one body, two guests', 1, 2],
  ['two bodies, two guests', 2, 2],
  ['one body, three guests', 1, 3],
] as const;
const TRACES = 150;
/** Ways until a model without a rule must have differed from real peers; the rarest difference takes some hundreds. */
const MOST_TRACES = 5000;

describe('[I1] to [I4], [I6] whatever players do, and in whatever order it is heard, everybody agrees in the end', () => {
  test.each(MODELS)('%s', (name, options) => {
    const result = check(options);
    console.log(report(name, result));
    expect(report(name, result)).toMatch(/nothing broken$/);
    expect(result.depth).toBe(options.actions);
  });
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

describe('without a rule the model finds what breaks', () => {
  test.each(MUTATIONS_WITH_POSES.map((mutation) => [mutation.without, mutation] as const))(
    '%s',
    (_, { rules, finds }) => {
      const result = check({ guests: 1, bodies: 1, older: 0, poses: true, actions: 4, rules });
      expect(result.broken?.what).toMatch(finds);
    },
  );

  test.each(MUTATIONS.map((mutation) => [mutation.without, mutation] as const))(
    '%s: the model differs from real peers',
    (_, { rules }) => {
      const layout = createLayout({ guests: 2, bodies: 1, older: 0, poses: false });
      const random = new Random(7);
      expect(() => {
        for (let trace = 0; trace < MOST_TRACES; trace++) replay(layout, random, rules);
      }).toThrow('expected');
    },
  );
});
