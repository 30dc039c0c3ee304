import { describe, expect, test } from 'vitest';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { MUTATIONS } from './mutations.ts';
import { report } from './report.ts';

/** Each of these is gone through whole, in a second or two; models.long.test.ts goes deeper. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['one body, two guests', { guests: 2, bodies: 1, older: 0, poses: false, actions: 4 }],
  ['and packets that come late', { guests: 2, bodies: 1, older: 1, poses: false, actions: 2 }],
  ['one body, three guests', { guests: 3, bodies: 1, older: 0, poses: false, actions: 3 }],
  ['two bodies, two guests', { guests: 2, bodies: 2, older: 0, poses: false, actions: 3 }],
  ['one body, one guest, and poses', { guests: 1, bodies: 1, older: 0, poses: true, actions: 3 }],
];

describe('[I1] to [I4], [I6] whatever players do, and in whatever order it is heard, everybody agrees in the end', () => {
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
    (_, { rules, finds }) => {
      const result = check({ guests: 2, bodies: 1, older: 0, poses: false, actions: 4, rules });
      expect(result.broken?.what).toMatch(finds);
      expect(result.broken?.trace.length).toBeLessThan(8);
    },
  );
});
