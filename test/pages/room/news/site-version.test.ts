import { expect, test } from 'vitest';
import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../../src/core/room/code.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { SiteVersion } from '../../../../src/pages/room/news/site-version.ts';
import type { RoomAtServer } from '../../../../src/pages/server-rooms.ts';

const CODE = 'KEVYN' as RoomCode;
const [ADA, BO] = [0, 1] as Slot[];

function answerOf(protocol: number | null): RoomAtServer {
  return { key: null, protocol };
}

/** A page in a room, and how often it has asked the site and told its player. */
function pageOf(answer: () => RoomAtServer | null) {
  const counts = { asked: 0, told: 0 };
  const version = new SiteVersion(async () => {
    counts.asked++;
    return answer();
  });
  const tick = async (isReached: boolean, ticks = 5, host = ADA): Promise<void> => {
    for (let i = 0; i < ticks; i++) {
      version.tick(CODE, isReached, host);
      await Promise.resolve();
      if (version.takeNews()) counts.told++;
    }
  };
  return { counts, tick };
}

test('[N9.11] a page asks its site when that was away, and tells of each newer version once', async () => {
  let protocol = PROTOCOL_VERSION + 1;
  const { counts, tick } = pageOf(() => answerOf(protocol));
  await tick(false);
  await tick(true);
  expect(counts, 'it has got its version from the site just now').toEqual({ asked: 0, told: 0 });
  for (const told of [1, 1, 2]) {
    if (told === 2) protocol++;
    await tick(false);
    await tick(true);
    expect(counts.told).toBe(told);
  }
  expect(counts.asked).toBe(3);
});

test('[N9.11] it asks, too, when another member has become host', async () => {
  const { counts, tick } = pageOf(() => answerOf(PROTOCOL_VERSION + 1));
  await tick(true);
  await tick(true, 5, BO);
  expect(counts).toEqual({ asked: 1, told: 1 });
});

test.each([PROTOCOL_VERSION, PROTOCOL_VERSION - 1, null])(
  'the version %s of the site is no news',
  async (protocol) => {
    const { counts, tick } = pageOf(() => answerOf(protocol));
    await tick(true);
    await tick(false);
    await tick(true, 60 * TICK_RATE);
    expect(counts).toEqual({ asked: 1, told: 0 });
  },
);

test('a site that does not answer is asked six times, ten seconds apart', async () => {
  const { counts, tick } = pageOf(() => null);
  await tick(true);
  await tick(false);
  await tick(true, 15 * TICK_RATE);
  expect(counts.asked).toBe(2);
  await tick(true, 300 * TICK_RATE);
  expect(counts).toEqual({ asked: 6, told: 0 });
});
