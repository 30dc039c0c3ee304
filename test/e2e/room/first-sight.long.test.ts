import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LevelId } from '../../../src/levels/levels.ts';
import { LEVEL_IDS } from '../../../src/levels/levels.ts';
import { SCENE_TITLES } from '../../../src/pages/room/sentences.ts';
import { distance, headOf } from '../../support/aiming/heads.ts';
import { inPicture } from '../../support/aiming/screen.ts';
import { pressInLobby } from '../../support/pages/headset-panels.ts';
import { enter } from '../../support/pages/headset-player.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

/** Pictures are written into this folder; into none if it is not set. */
const PICTURES = process.env['PICTURES'];
/** Seconds after the last player has come in, at which pictures are taken. */
const MOMENTS = PICTURES === undefined ? [1] : [1, 3, 10, 30, 60];
const PHONE = { hasTouch: true, isMobile: true, deviceScaleFactor: 1 };
const DESKTOP = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1 };
const UPRIGHT = { ...PHONE, viewport: { width: 390, height: 844 } };
const ACROSS = { ...PHONE, viewport: { width: 844, height: 390 } };
const HEADSET = { viewport: { width: 960, height: 540 }, deviceScaleFactor: 1 };
const DISPLAY = { fills: PICTURES !== undefined, frameRate: 8 };
/** A friend's head is in the picture up to here, as a share of its half. */
const EDGE = 0.96;

type Place = 'seen' | 'arrow' | 'unknown';

/** Whether a player sees another one now: in its picture, or by an arrow at the picture's edge. */
async function sightOf(player: RoomPlayerPage, of: number): Promise<Place> {
  const at = await inPicture(player, (await headOf(player, of)).position);
  if (at !== null && Math.abs(at.x) < EDGE && Math.abs(at.y) < EDGE) return 'seen';
  const arrow = player.page.locator(`.friend-arrow[data-slot="${of}"]`);
  return (await arrow.isVisible()) ? 'arrow' : 'unknown';
}

/** Returns for each pair of players how the first sees the second, as `0 sees 1: seen`. */
async function sightsOf(players: readonly RoomPlayerPage[]): Promise<string[]> {
  const slots = await Promise.all(players.map(async (player) => (await inspectOf(player)).slot));
  const sights: string[] = [];
  for (const [i, player] of players.entries())
    for (const slot of slots)
      if (slot !== slots[i]) sights.push(`${slots[i]} sees ${slot}: ${await sightOf(player, slot)}`);
  return sights;
}

describe('players who meet, by what they see at once', () => {
  const stage = storyStage();

  async function photograph(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const [i, { page }] of stage.players.entries())
      await page.screenshot({ path: join(PICTURES, `${name}-${i}.png`) });
  }

  async function watchAll(name: string): Promise<string[]> {
    let first: string[] = [];
    const began = performance.now();
    for (const seconds of MOMENTS) {
      const left = seconds * 1000 - (performance.now() - began);
      await new Promise((resolve) => void setTimeout(resolve, Math.max(0, left)));
      if (first.length === 0) {
        await until('each page knows all players', () => sightsOf(stage.players).then(() => true));
        first = await sightsOf(stage.players);
      }
      await photograph(`${name}-${String(seconds).padStart(2, '0')}s`);
    }
    return first;
  }

  it.each(LEVEL_IDS)(
    'at a desk and on a phone see each other before the %s, and so do four',
    async (scene) => {
      const host = await stage.open(stage.url, DESKTOP, DISPLAY);
      const { link } = await startRoom(host, 'Ada', scene);
      await inRoom(await stage.open(link, UPRIGHT, DISPLAY), 60);
      expect(await watchAll(`${scene}-two`)).toEqual(['0 sees 1: seen', '1 sees 0: seen']);
      for (const form of [ACROSS, DESKTOP]) await inRoom(await stage.open(link, form, DISPLAY), 60);
      const four = await watchAll(`${scene}-four`);
      expect(four).toHaveLength(12);
      expect(four.filter((sight) => sight.endsWith('unknown'))).toEqual([]);
      // The last player sees all others at once. On a narrow picture an earlier one may have to turn.
      expect(four).toEqual(expect.arrayContaining(['3 sees 0: seen', '3 sees 1: seen', '3 sees 2: seen']));
    },
    900_000,
  );

  it.each(LEVEL_IDS)(
    'in a headset and on a phone held across see each other before the %s',
    async (scene) => {
      const host = await startInHeadset(scene);
      await inRoom(await stage.open((await roomOf(host)).link, ACROSS, DISPLAY), 60);
      expect(await watchAll(`${scene}-headset`)).toEqual(['0 sees 1: seen', '1 sees 0: seen']);
      const [one, other] = [await headOf(host, 0), await headOf(host, 1)];
      expect(distance(one.position, other.position), 'metres').toBeGreaterThan(2);
    },
    900_000,
  );

  async function startInHeadset(scene: LevelId): Promise<RoomPlayerPage> {
    const host = await stage.open(`${stage.url}?emulate=quest3`, HEADSET, DISPLAY);
    await enter(host, 'VR');
    await pressInLobby(host.page, SCENE_TITLES[scene]);
    await pressInLobby(host.page, 'Start a room');
    await inRoom(host);
    return host;
  }
});
