import { describe, expect, it } from 'vitest';
import { HeadsetFollower } from '../support/aiming/headset-follower.ts';
import type { HintFollower } from '../support/aiming/hint-follower.ts';
import { followWithFingers, followWithMouse, handOver } from '../support/aiming/hint-follower.ts';
import { pressInLobby } from '../support/pages/headset-panels.ts';
import { enter } from '../support/pages/headset-player.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import { areAgreed, inRoom, roomOf, startRoom, until } from '../support/pages/room-page.ts';
import { storyStage } from '../support/pages/story.ts';

/** Hand-overs from each device to the next: each between two who have never played. */
const TIMES = 10;
const DESKTOP = { viewport: { width: 960, height: 540 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('[A9.5] newcomers who do what their hints say', () => {
  const stage = storyStage();

  it('hand ten cubes over from a mouse to a phone', { timeout: 1_200_000 }, async () => {
    await timed('a mouse', 'a phone', async () => {
      const host = await stage.open(stage.url, DESKTOP);
      const { link } = await startRoom(host, 'Ada', 'pyramid');
      const phone = await comeByPhone(link);
      await untilCalm([host, phone]);
      return [followWithMouse(host), await followWithFingers(phone)];
    });
  });

  it('hand ten cubes over from a phone to a headset', { timeout: 1_200_000 }, async () => {
    await timed('a phone', 'a headset', async () => {
      const host = await stage.open(`${stage.url}?emulate=quest3`);
      const taker = await HeadsetFollower.on(host);
      await enter(host, 'VR');
      await pressInLobby(host.page, 'Pyramid');
      await pressInLobby(host.page, 'Start a room');
      await inRoom(host);
      const phone = await comeByPhone((await roomOf(host)).link);
      await untilCalm([host, phone]);
      return [await followWithFingers(phone), taker];
    });
  });

  async function comeByPhone(link: string): Promise<RoomPlayerPage> {
    const phone = await stage.open(link, PHONE);
    await inRoom(phone, 40);
    return phone;
  }

  /** Two meet and hand a cube over, again and again; tells the seconds that each hand-over took. */
  async function timed(
    from: string,
    to: string,
    meet: () => Promise<readonly [HintFollower, HintFollower]>,
  ): Promise<void> {
    const seconds: string[] = [];
    while (seconds.length < TIMES) {
      const [giver, taker] = await meet();
      const began = performance.now();
      await handOver(giver, taker);
      seconds.push(((performance.now() - began) / 1000).toFixed(1));
      expect(giver.read.join(), 'the steps of who gives').toMatch(/Let go: .* takes it/);
      expect(taker.read.join(), 'the steps of who takes').toMatch(
        /Press and hold .*’s cube to take it|Grip it to take it from/,
      );
      console.info(`${seconds.length} of ${TIMES} from ${from} to ${to}, in s: ${seconds.join(', ')}`);
      await stage.clear();
    }
  }
});

/** All rests, and the pages agree. */
async function untilCalm(players: readonly RoomPlayerPage[]): Promise<void> {
  await until('all rests', () => areAgreed(players));
}
