import { describe, expect, test } from 'vitest';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { MUTATIONS } from './mutations.ts';
import { report } from './report.ts';

/** The test visits each of these models whole, in a second or two. room-model.long.test.ts goes deeper. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['all honest', { liar: -1, alphabet: 'few', actions: 2, every: 4, within: 8 }],
  ['the liar in the first slot', { liar: 1, alphabet: 'few', actions: 2, every: 4, within: 4 }],
  ['the liar in the last slot', { liar: 3, alphabet: 'few', actions: 1, every: 4, within: 4 }],
];

describe('[F4] whatever a liar says, who hears its host keeps it, and in the end all honest players have one host', () => {
  test.each(MODELS)('%s', (name, options) => {
    const result = check(options);
    console.log(report(name, result));
    expect(report(name, result)).toMatch(/nothing broken$/);
    expect(result.depth).toBe(options.actions);
  });
});

describe('without a rule the room model finds what breaks', () => {
  test.each(MUTATIONS.map((mutation) => [mutation.what, mutation] as const))(
    '%s',
    (_, { install, liar, alphabet, actions, finds }) => {
      const takeOut = install();
      try {
        const [fault] = check({ liar, alphabet, actions, every: 4, within: 4 }).faults;
        expect(fault?.what).toMatch(finds);
        expect(fault?.trace.length).toBeLessThanOrEqual(actions);
      } finally {
        takeOut();
      }
    },
  );
});
