import { expect, test } from 'vitest';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { RoomCode } from '../../../../src/core/room/code.ts';
import { SiteVersion } from '../../../../src/pages/room/news/site-version.ts';
import type { RoomAtServer } from '../../../../src/pages/server-rooms.ts';

const CODE = 'KEVYN' as RoomCode;
const SAME: RoomAtServer = { key: null, isOtherVersion: false };
const OTHER: RoomAtServer = { key: null, isOtherVersion: true };

/** A page in a room, and how often it has asked the site and told its player. */
function pageOf(answer: () => RoomAtServer | null) {
  const counts = { asked: 0, told: 0 };
  const version = new SiteVersion(async () => {
    counts.asked++;
    return answer();
  });
  const tick = async (isReached: boolean, ticks = 2): Promise<void> => {
    for (let i = 0; i < ticks; i++) {
      if (version.tick(CODE, isReached)) counts.told++;
      await Promise.resolve();
    }
  };
  return { counts, tick };
}

test('[N9.11] a page asks its site when that was away, and tells once that it has another version', async () => {
  const { counts, tick } = pageOf(() => OTHER);
  await tick(false);
  await tick(true, 5);
  expect(counts, 'it has got its version from the site just now').toEqual({ asked: 0, told: 0 });
  await tick(false);
  await tick(true, 5);
  expect(counts).toEqual({ asked: 1, told: 1 });
  await tick(false);
  await tick(true, 5);
  expect(counts.told).toBe(1);
});

test('[N9.11] a site of the same version is no news, and one that does not answer is asked again', async () => {
  let answer: RoomAtServer | null = null;
  const { counts, tick } = pageOf(() => answer);
  await tick(true);
  await tick(false);
  await tick(true, 5);
  expect(counts).toEqual({ asked: 1, told: 0 });
  answer = SAME;
  await tick(true, 11 * TICK_RATE);
  expect(counts).toEqual({ asked: 2, told: 0 });
  await tick(true, 30 * TICK_RATE);
  expect(counts).toEqual({ asked: 2, told: 0 });
});
