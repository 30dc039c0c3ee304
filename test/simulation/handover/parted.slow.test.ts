import { describe, expect, test } from 'vitest';
import { forSeeds } from '../../support/seeds.ts';
import { expectAgreed, hostsOf, roomWith } from './rooms.ts';

/** The parts of a room by slots, the milliseconds for which they are parted, and who is host in the end. */
const PARTED: readonly (readonly [readonly (readonly number[])[], number, number])[] = [
  [
    [
      [0, 1],
      [2, 3],
    ],
    12_000,
    2,
  ],
  [
    [
      [0, 1],
      [2, 3],
    ],
    25_000,
    2,
  ],
  [
    [
      [0, 1, 2],
      [3, 4],
    ],
    25_000,
    0,
  ],
  [
    [
      [0, 1],
      [2, 3],
      [4, 5],
    ],
    25_000,
    0,
  ],
  // Longer than a seat waits.
  [
    [
      [0, 1],
      [2, 3],
    ],
    45_000,
    2,
  ],
  [
    [
      [0, 1, 2],
      [3, 4],
    ],
    45_000,
    0,
  ],
];

describe('[F4] the parts of a room that was cut', () => {
  test.each(PARTED)(
    '[F4.10] [F4.11] [F4.14] [F4.18] [F4.23] %j, apart for %d ms: the host is %d when they have met again',
    (groups, ms, host) => {
      forSeeds(1, 2, (seed) => {
        const room = roomWith(groups.flat().length - 1, seed);
        room.part(
          groups.map((group) => group.map((slot) => room.at(slot))),
          ms,
        );
        room.run(ms);
        expect(hostsOf(room).length).toBeGreaterThan(1);
        const took = room.runUntil('there is one host', () => hostsOf(room).length === 1, 40_000);
        console.log(`one host after ${(took / 1000).toFixed(1)} s`);
        room.run(10_000);
        expect(hostsOf(room), room.describe()).toEqual([host]);
        expect(room.at(host).member.host?.rejected['second join']).toBeUndefined();
        expectAgreed(room);
      });
    },
  );
});
