import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { pollReset, ResetWishes } from '../../../src/core/room/reset-wishes.ts';
import { keyOf } from '../../support/keys.ts';

/** Players in the first slots: a capital letter wants a reset, and a point is away. The server is there, too. */
function players(who: string): RosterPlayer[] {
  const people = Array.from(who, (letter, slot): RosterPlayer => {
    const wants = /[A-Z]/.test(letter) ? { wantsReset: true as const } : {};
    const presence = letter === '.' ? 'away' : 'here';
    const key = keyOf(letter.toLowerCase());
    return {
      ...newProfile(letter),
      ...wants,
      slot: slot as Slot,
      id: letter,
      presence,
      roundTripMs: 0,
      key,
    };
  });
  const server = { ...people[0], slot: DEDICATED_SLOT as Slot, key: keyOf('server'), wantsReset: undefined };
  return [...people, server];
}

test.each([
  ['A', 1, 1],
  ['Ab', 1, 2],
  ['Abc', 1, 2],
  ['ABcd', 2, 3],
  ['A..', 1, 1],
  ['abcde', 0, 3],
])('[N1.6] more than half of the people who are here must want a reset: %s', (who, wishes, needed) => {
  expect(pollReset(players(who))).toEqual({ wishes, needed });
});

describe('a dedicated host', () => {
  test('[N1.6] resets once more than half want it', () => {
    const room = new ResetWishes();
    expect(['abc', 'Abc', 'ABc'].map((who) => room.judge(players(who), 0))).toEqual([false, false, true]);
  });

  test('[N1.6] does so at most once in five seconds', () => {
    const room = new ResetWishes();
    const judged = [0, 1, 2, 4999, 5000].map((nowMs, i) => room.judge(players(i === 1 ? 'a' : 'A'), nowMs));
    expect(judged).toEqual([true, false, false, false, true]);
  });

  test('[N1.7] counts a wish for one reset, and again after it was taken back', () => {
    const room = new ResetWishes();
    const judge = (who: string, nowMs: number): boolean => room.judge(players(who), nowMs);
    expect(judge('AB', 0)).toBe(true);
    expect(judge('AB', 10_000)).toBe(false);
    // The wish of B alone is new.
    expect(judge('Ab', 20_000)).toBe(false);
    expect(judge('AB', 30_000)).toBe(false);
    expect(judge('aB', 40_000)).toBe(false);
    expect(judge('AB', 50_000)).toBe(true);
  });
});
