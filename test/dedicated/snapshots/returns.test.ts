import { describe, expect, test } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { KeptDoor } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { KeptDoors } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { looksNext, Returns } from '../../../src/dedicated/snapshots/returns.ts';
import type { RoomSnapshot } from '../../../src/dedicated/snapshots/snapshot.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import type { Looking } from '../../../src/dedicated/dedicated-room.ts';
import { keyOf } from '../../support/keys.ts';

const [A, B] = ['ACDEF', 'ACDEG'] as RoomCode[];
const KEY = keyOf('the server');

function snapshotOf(
  code: RoomCode,
  presences: readonly RosterPlayer['presence'][] = [],
  capacity = 8,
): RoomSnapshot {
  // Nothing else of it is read here.
  return { code, capacity, players: presences.map((presence) => ({ presence })) } as unknown as RoomSnapshot;
}

describe('[N6.3] kept rooms on their way back', () => {
  test('a room is tried for ever, ever more slowly, and in the end looks and asks by turns', () => {
    const returns = new Returns();
    returns.add(snapshotOf(A), 0);
    const attempts: { readonly nowMs: number; readonly looks: Looking }[] = [];
    for (let nowMs = 0; nowMs < 24 * 3_600_000; nowMs += 500) {
      const waiting = returns.take(nowMs);
      if (waiting === null) continue;
      const looks = looksNext(waiting, nowMs);
      attempts.push({ nowMs, looks });
      returns.again(waiting, looks === 'not' ? 'asked' : 'looked', nowMs);
    }
    expect(returns.size).toBe(1);
    expect(attempts.slice(0, 8).map(({ nowMs }) => nowMs / 1000)).toEqual([
      0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 63.5,
    ]);
    expect(attempts.slice(0, 11).map(({ looks }) => looks)).toEqual([
      ...Array<Looking>(7).fill('then opens'),
      'not',
      'then opens',
      'not',
      'then opens',
    ]);
    const last = attempts.slice(-100);
    expect(last.every(({ nowMs }, i) => i === 0 || nowMs - last[i - 1].nowMs === 60_000)).toBe(true);
  });

  test('[N6.2] one in which two players were is only looked for at first: they may have chosen a host', () => {
    const looksOf = (presences: readonly RosterPlayer['presence'][], capacity = 8): readonly Looking[] => {
      const returns = new Returns();
      returns.add(snapshotOf(A, presences, capacity), 0);
      const first = returns.take(0)!;
      returns.again(first, 'looked', 10_000);
      return [looksNext(first, 0), looksNext(returns.take(10_500)!, 10_500)];
    };
    expect(looksOf(['here', 'here'])).toEqual(['only', 'then opens']);
    for (const [presences, capacity] of [
      [['here', 'away']],
      [['here']],
      [[]],
      [['here', 'here'], 31],
    ] as const)
      expect(looksOf(presences, capacity)).toEqual(['then opens', 'then opens']);
  });

  test.each([
    [8, 3600],
    [31, 60],
  ])(
    '[N9.12] a room for %i whose host has another version asks for its door after %i s',
    (capacity, seconds) => {
      const returns = new Returns();
      returns.add(snapshotOf(A, ['here', 'here'], capacity), 0);
      for (let nowMs = 0; ; nowMs += 500) {
        const waiting = returns.take(nowMs);
        if (waiting === null) continue;
        const looks = looksNext(waiting, nowMs);
        if (looks === 'not') {
          expect(nowMs / 1000).toBeGreaterThanOrEqual(seconds);
          expect(nowMs / 1000).toBeLessThan(seconds + 61);
          return;
        }
        returns.again(waiting, 'other version', nowMs);
      }
    },
  );

  test('rooms that are due come one by one; others wait', () => {
    const returns = new Returns();
    returns.add(snapshotOf(A), 0);
    returns.add(snapshotOf(B), 100);
    expect(returns.take(50)?.snapshot.code).toBe(A);
    expect(returns.take(50)).toBeNull();
    expect(returns.size).toBe(1);
    expect(returns.take(100)?.snapshot.code).toBe(B);
  });
});

test('[N6.3] the doors of kept rooms are told whenever one has changed, and only then', () => {
  const told: (readonly KeptDoor[])[] = [];
  const doors = new KeptDoors((all) => told.push(all));
  doors.add([
    { code: A, secret: 'one', founder: 'a network', key: KEY },
    { code: B, secret: 'two', founder: null, key: KEY },
  ]);
  doors.set(A, { secret: 'one', founder: 'a network', key: KEY });
  doors.set(A, { secret: 'three', founder: 'a network', key: KEY });
  doors.delete(B);
  doors.delete(B);
  expect(told).toEqual([
    [
      { code: A, secret: 'one', founder: 'a network', key: KEY },
      { code: B, secret: 'two', founder: null, key: KEY },
    ],
    [
      { code: A, secret: 'three', founder: 'a network', key: KEY },
      { code: B, secret: 'two', founder: null, key: KEY },
    ],
    [{ code: A, secret: 'three', founder: 'a network', key: KEY }],
  ]);
  expect([doors.has(A), doors.has(B)]).toEqual([true, false]);
});
