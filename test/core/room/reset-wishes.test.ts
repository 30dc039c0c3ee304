import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { ResetWishes } from '../../../src/core/room/reset-wishes.ts';
import { keyOf } from '../../support/keys.ts';

/** Players in the first slots: one with a capital letter wants a reset, and one after a point is away. */
function players(who: string): RosterPlayer[] {
  return (who.match(/\.?[a-z]/gi) ?? []).map((name, slot): RosterPlayer => {
    const letter = name.at(-1) ?? '';
    const wants = /[A-Z]/.test(letter) ? { wantsReset: true as const } : {};
    const presence = name.startsWith('.') ? 'away' : 'here';
    const key = keyOf(letter.toLowerCase());
    return { ...newProfile(letter), ...wants, slot: slot as Slot, id: letter, presence, roundTripMs: 0, key };
  });
}

test.each([
  ['A', 1, 1],
  ['Ab', 1, 2],
  ['Abc', 1, 2],
  ['ABcd', 2, 3],
  ['A.b.c', 1, 2],
  ['abcde', 0, 3],
])('[N1.6] more than half of the players of the roster must want a reset: %s', (who, wishes, needed) => {
  expect(new ResetWishes().poll(players(who))).toEqual({ wishes, needed });
});

describe('a dedicated host', () => {
  test('[N1.6] resets once more than half want it', () => {
    const room = new ResetWishes();
    expect(['abc', 'Abc', 'ABc'].map((who) => room.judge(players(who), 0))).toEqual([false, false, true]);
  });

  test('[N1.6] does so at most once in ten seconds', () => {
    const room = new ResetWishes();
    const judged = [0, 1, 2, 9999, 10_000].map((nowMs, i) => room.judge(players(i === 1 ? 'a' : 'A'), nowMs));
    expect(judged).toEqual([true, false, false, false, true]);
  });

  test('[N1.7] counts a wish for one reset, and again after it was taken back', () => {
    const room = new ResetWishes();
    const judge = (who: string, nowMs: number): boolean => room.judge(players(who), nowMs);
    expect(judge('AB', 0)).toBe(true);
    expect(judge('AB', 20_000)).toBe(false);
    // The wish of B alone is new.
    expect(judge('Ab', 30_000)).toBe(false);
    expect(judge('AB', 40_000)).toBe(false);
    expect(judge('aB', 50_000)).toBe(false);
    expect(judge('AB', 60_000)).toBe(true);
  });

  test('[N1.7] counts no wish for longer than 35 s, nor again as its player comes back with it', () => {
    const room = new ResetWishes();
    expect(room.judge(players('Abc'), 0)).toBe(false);
    expect(room.judge(players('.abc'), 20_000)).toBe(false);
    expect(room.judge(players('Abc'), 36_000)).toBe(false);
    expect(room.judge(players('ABc'), 37_000)).toBe(false);
    expect(room.judge(players('ABC'), 38_000)).toBe(true);
  });

  test('resets nothing for the first player that comes back into a restored room with a wish', () => {
    expect(new ResetWishes().judge(players('A.b.c'), 0)).toBe(false);
  });
});
