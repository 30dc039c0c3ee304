import { describe, expect, it } from 'vitest';
import { HeadsetFollower } from '../support/aiming/headset-follower.ts';
import type { HintFollower } from '../support/aiming/hint-follower.ts';
import { followWithFingers, followWithMouse, handOver } from '../support/aiming/hint-follower.ts';
import { pressInLobby } from '../support/pages/headset-panels.ts';
import { enter } from '../support/pages/headset-player.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import { areAgreed, inRoom, roomOf, startRoom, until } from '../support/pages/room-page.ts';
import { storyStage } from '../support/pages/story.ts';

/** Hand-overs from each device to the next. */
const TIMES = 10;
const DESKTOP = { viewport: { width: 960, height: 540 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The page is loaded again, as by somebody who has never played. */
async function loadAsNew(player: RoomPlayerPage): Promise<void> {
  await player.page.evaluate(() => localStorage.removeItem('handover.hints'));
  await player.page.reload();
  await inRoom(player, 40);
}

/** Both players are here, and nothing moves. */
async function untilCalm(players: readonly RoomPlayerPage[]): Promise<void> {
  await until(
    'both are here, and all rests',
    async () => {
      const rooms = await Promise.all(players.map(roomOf));
      const areHere = rooms.every(
        ({ players: all }) => all.filter(({ presence }) => presence === 'here').length === players.length,
      );
      return areHere && (await areAgreed(players));
    },
    60,
  );
}

describe('[A9.5] newcomers who do what their hints say', () => {
  const stage = storyStage();

  it('hand ten cubes over from a mouse to a phone', { timeout: 1_200_000 }, async () => {
    const host = await stage.open(stage.url, DESKTOP);
    const { link } = await startRoom(host, 'Ada', 'pyramid');
    const phone = await stage.open(link, PHONE);
    await inRoom(phone);
    const seconds: string[] = [];
    for (let time = 0; time < TIMES; time++) {
      if (time > 0) {
        await loadAsNew(phone);
        await loadAsNew(host);
      }
      await untilCalm([host, phone]);
      const [giver, taker] = [followWithMouse(host), await followWithFingers(phone)];
      seconds.push(await timed(giver, taker));
      expect(giver.read).toContain('Let go: Red takes it.');
      expect(taker.read).toContain('Press Ada’s cube to take it.');
    }
    console.info(`${seconds.length} hand-overs from a mouse to a phone, in seconds: ${seconds.join(', ')}`);
  });

  it('hand ten cubes over from a phone to a headset', { timeout: 1_200_000 }, async () => {
    const host = await stage.open(`${stage.url}?emulate=quest3`);
    const taker = await HeadsetFollower.on(host);
    await enter(host, 'VR');
    await pressInLobby(host.page, 'Pyramid');
    await pressInLobby(host.page, 'Start a room');
    await inRoom(host);
    const phone = await stage.open((await roomOf(host)).link, PHONE);
    await inRoom(phone);
    const seconds: string[] = [];
    for (let time = 0; time < TIMES; time++) {
      if (time > 0) {
        await loadAsNew(phone);
        await taker.beNew();
      }
      await untilCalm([host, phone]);
      seconds.push(await timed(await followWithFingers(phone), taker));
      expect(await taker.hasRead('Red gave you a cube.')).toBe(true);
    }
    expect(taker.read.filter((label) => label.startsWith('Grip')).length).toBeGreaterThanOrEqual(1);
    console.info(`${seconds.length} hand-overs from a phone to a headset, in seconds: ${seconds.join(', ')}`);
  });
});

/** One hand-over; both hands are empty afterwards. Returns the seconds that it took. */
async function timed(giver: HintFollower, taker: HintFollower): Promise<string> {
  const began = performance.now();
  await handOver(giver, taker);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  await giver.rest();
  await taker.rest();
  return seconds;
}
