import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLevel } from '../../../src/levels/levels.ts';
import { reachPlaceOf } from '../../../src/pages/headset/reach-place.ts';
import { HeadsetPair } from '../../support/pages/headset-pair.ts';
import type { Point } from '../../support/pages/headset-player.ts';
import { inRig, move, squeeze } from '../../support/pages/headset-player.ts';
import { moveHand } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inspectOf, until } from '../../support/pages/room-page.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';
import { distance, drawnBy, plus } from '../../support/pages/watch.ts';

/** Pictures are written into this folder; into none if it is not set. */
const PICTURES = process.env['PICTURES'];
const WORKSHOP = createLevel({ id: 'workshop', seed: 1 });
/** The stretcher: its bed, which is 1.6 m long, and the two bars that hang on its ends by ropes. */
const BED = WORKSHOP.bodies.findIndex(
  ({ template: { shape } }) =>
    shape.kind === 'box' && shape.halfExtents[0] === 0.8 && shape.halfExtents[2] === 0.3,
);
const [ADAS, BOS] = [BED + 1, BED + 2];
/** Metres above the floor to which they lift it. */
const HIGH = 1;
/** Metres by which what the two draw may differ while it moves: half a second of a careful walk. */
const ALIKE = 0.25;

const { position: START, yaw: YAW } = reachPlaceOf(0, WORKSHOP, null);

/** A place of the Workshop, as `move` wants it, which thinks of the wearer as standing in the pyramid's room. */
function here([x, y, z]: Point): Point {
  const [dx, dz] = [x - START.x, z - START.z];
  return inRig([dx * Math.cos(YAW) - dz * Math.sin(YAW), y, dx * Math.sin(YAW) + dz * Math.cos(YAW)]);
}

async function holderIn(player: RoomPlayerPage, body: number): Promise<number | undefined> {
  return (await inspectOf(player)).bodies[body].holder?.slot;
}

/** One after the other, in one room. */
describe('a stretcher between a player in an emulated Quest 3 and a friend at a desk', () => {
  let browser: Browser;
  let pair: HeadsetPair;

  beforeAll(async () => {
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  async function photograph(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const [i, { page }] of [pair.ada, pair.bo].entries()) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.evaluate(() => void (window.fillsPixels = true));
      await new Promise((resolve) => void setTimeout(resolve, 1500));
      await page.screenshot({ path: join(PICTURES, `${name}-${i}.png`) });
      await page.evaluate(() => void (window.fillsPixels = false));
    }
  }

  /** Bo's hand goes to a place with a closed hand. */
  async function boGoes(to: Point, ms: number): Promise<void> {
    await moveHand(pair.bo, 'right', [{ to, ms, grip: 1 }]);
  }

  it('lies in the Workshop, where they meet', async () => {
    pair = await HeadsetPair.meet(browser, openSite(), 'Workshop');
  });

  it('[J3.2] is lifted by its two ends, hangs between them, and goes where they go', async () => {
    const { ada, bo } = pair;
    const bar = await drawnBy(ada, ADAS);
    await move(ada, 'head', here([bar[0] - 0.5, 1.6, bar[2]]), 300);
    await move(ada, 'right', here(plus(bar, [0, 0.4, 0])), 300);
    await move(ada, 'right', here(plus(bar, [0, 0.06, 0])), 300);
    await squeeze(ada, 'right', 1);
    await until('Ada has her end', async () => (await holderIn(bo, ADAS)) === 0);
    const other = await drawnBy(bo, BOS);
    await moveHand(bo, 'right', [
      { to: plus(other, [0, 0.5, 0]), ms: 30, grip: 0 },
      { to: plus(other, [0, 0.06, 0]), ms: 300, grip: 0 },
    ]);
    await boGoes(plus(other, [0, 0.06, 0]), 400);
    await Promise.all([
      move(ada, 'right', here(plus(bar, [0, HIGH, 0])), 1500),
      boGoes(plus(other, [0, HIGH, 0]), 1500),
    ]);
    await until('it hangs above the floor for both', async () =>
      (await Promise.all([drawnBy(ada, BED), drawnBy(bo, BED)])).every(([, y]) => y > HIGH / 2),
    );
    await photograph('stretcher-1');
    const before = await drawnBy(ada, BED);
    await Promise.all([
      move(ada, 'right', here(plus(bar, [0, HIGH, 1])), 2000),
      boGoes(plus(other, [0, HIGH, 1]), 2000),
    ]);
    await until('it has come along', async () => (await drawnBy(bo, BED))[2] - before[2] > 0.7);
    expect(distance(await drawnBy(ada, BED), await drawnBy(bo, BED))).toBeLessThan(ALIKE);
    await photograph('stretcher-2');
    await squeeze(ada, 'right', 0);
    await until('Bo has all of it when Ada lets go', async () => (await holderIn(ada, BOS)) === 1);
    await photograph('stretcher-3');
  });

  it('had no faults', () => {
    expect([...pair.ada.faults, ...pair.bo.faults]).toEqual([]);
  });
});
