import { describe, expect, test } from 'vitest';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { report } from './report.ts';

/** As deep as some minutes on one core go: the last case took 90 s alone, the others less than 160 s on a busy machine. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['all honest, everything', { liar: -1, alphabet: 'all', actions: 1, every: 1, within: 48 }],
  ['all honest', { liar: -1, alphabet: 'many', actions: 2, every: 4, within: 16 }],
  ['the liar in the first slot, everything', { liar: 1, alphabet: 'all', actions: 1, every: 1, within: 4 }],
  ['the liar in the second slot, everything', { liar: 2, alphabet: 'all', actions: 1, every: 1, within: 4 }],
  ['the liar in the last slot, everything', { liar: 3, alphabet: 'all', actions: 1, every: 1, within: 4 }],
  ['the liar in the first slot', { liar: 1, alphabet: 'many', actions: 2, every: 4, within: 16 }],
  ['the liar in the second slot', { liar: 2, alphabet: 'many', actions: 2, every: 4, within: 16 }],
  ['the liar in the last slot', { liar: 3, alphabet: 'many', actions: 2, every: 4, within: 16 }],
  [
    'the liar in the first slot, three actions',
    { liar: 1, alphabet: 'few', actions: 3, every: 4, within: 8 },
  ],
];

describe('[F4] whatever a liar says, who hears its host keeps it, and in the end all honest players have one host', () => {
  test.each(MODELS)('%s', (name, options) => {
    const result = check(options);
    console.log(report(name, result));
    expect(report(name, result)).toMatch(/nothing broken$/);
    expect(result.depth).toBe(options.actions);
  });
});
