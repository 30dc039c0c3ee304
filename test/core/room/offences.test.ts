import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { Offences } from '../../../src/core/room/offences.ts';

/** The verdicts when slot 2 has these counts at these moments, in seconds. */
function judged(
  offences: Offences,
  counts: readonly (readonly [seconds: number, count: number])[],
): Slot[][] {
  return counts.map(([seconds, count]) => offences.judge(seconds * 1000, (slot) => (slot === 2 ? count : 0)));
}

describe('[F1] a player that breaks the rules', () => {
  test('[F1.4] 150 times in 10 s may stay, and is removed at the next offence', () => {
    expect(
      judged(new Offences(), [
        [0, 0],
        [1, 100],
        [3, 150],
        [4, 151],
      ]),
    ).toEqual([[], [], [], [2]]);
  });

  test('[F1.4] a little all the time may stay', () => {
    const counts = Array.from({ length: 100 }, (_, i) => [i, i * 14] as const);
    expect(judged(new Offences(), counts).flat()).toEqual([]);
  });

  test('[F1.4] is judged by its own offences: the next player in the slot begins at 0', () => {
    const offences = new Offences();
    expect(
      judged(offences, [
        [0, 5000],
        [1, 5100],
        [2, 0],
        [3, 120],
        [4, 160],
      ]),
    ).toEqual([[], [], [], [], [2]]);
  });
});
