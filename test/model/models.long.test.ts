import { describe, expect, test } from 'vitest';
import type { CheckOptions } from './checker.ts';
import { check } from './checker.ts';
import { report } from './report.ts';

/** As deep as a few minutes on two cores go. */
const MODELS: readonly (readonly [string, CheckOptions])[] = [
  ['one body, two guests', { guests: 2, bodies: 1, older: 0, poses: false, actions: 6 }],
  ['and packets that come late', { guests: 2, bodies: 1, older: 1, poses: false, actions: 3 }],
  ['one body, three guests', { guests: 3, bodies: 1, older: 0, poses: false, actions: 4 }],
  ['two bodies, two guests', { guests: 2, bodies: 2, older: 0, poses: false, actions: 4 }],
  ['one body, one guest, and poses', { guests: 1, bodies: 1, older: 0, poses: true, actions: 5 }],
  ['and packets that come late, and poses', { guests: 1, bodies: 1, older: 1, poses: true, actions: 3 }],
  ['one body, two guests, and poses', { guests: 2, bodies: 1, older: 0, poses: true, actions: 2 }],
];

describe('[I1] to [I4], [I6] whatever players do, and in whatever order it is heard, everybody agrees in the end', () => {
  test.each(MODELS)('%s', (name, options) => {
    const result = check(options);
    console.log(report(name, result));
    expect(report(name, result)).toMatch(/nothing broken$/);
    expect(result.depth).toBe(options.actions);
  });
});
