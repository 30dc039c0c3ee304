import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLevel } from '../../../src/levels/levels.ts';
import type { ReadonlyQuaternion } from '../../../src/core/base/math.ts';
import {
  conjugate,
  fromAxisAngle,
  lookAt,
  multiply,
  quaternion,
  vector,
} from '../../../src/core/base/math.ts';
import { reachPlaceOf } from '../../../src/pages/headset/reach-place.ts';
import { HeadsetPair } from '../../support/pages/headset-pair.ts';
import type { Point } from '../../support/pages/headset-player.ts';
import { inRig, move, squeeze, turn } from '../../support/pages/headset-player.ts';
import { moveHand } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inspectOf, until } from '../../support/pages/room-page.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';
import { avatarOf, between, distance, drawnBy, plus } from '../../support/pages/watch.ts';

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
/** Steps in which they carry it, and metres by which it may lag behind before the next. */
const STEPS = 5;
const LAG = 0.25;
/** Radians from the middle of Bo's picture. */
const IN_SIGHT = 0.3;
/** Metres by which what the two draw may differ while it moves: half a second of a careful walk. */
const ALIKE = 0.25;

const { position: START, yaw: YAW } = reachPlaceOf(0, WORKSHOP, null);

/** A place of the Workshop, as `move` wants it, which thinks of the wearer as standing in the pyramid's room. */
function here([x, y, z]: Point): Point {
  const [dx, dz] = [x - START.x, z - START.z];
  return inRig([dx * Math.cos(YAW) - dz * Math.sin(YAW), y, dx * Math.sin(YAW) + dz * Math.cos(YAW)]);
}

/** The rotation of Ada's head that looks from one place of the Workshop to another, in the headset's space. */
function looking(from: Point, to: Point): ReadonlyQuaternion {
  const rig = fromAxisAngle(vector(0, 1, 0), YAW, quaternion());
  const aim = lookAt(vector(...from), vector(...to), quaternion());
  return multiply(conjugate(rig, quaternion()), aim, quaternion());
}

function onWay(from: Point, to: Point, share: number): Point {
  return plus(from, between(from, to).map((n) => n * share) as unknown as Point);
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

  /**
   * Both hands go to their places in steps. Each waits until the bed has come along: a page with few ticks would lose
   * its grip [J3.4].
   */
  async function bothGo(
    adas: readonly [from: Point, to: Point],
    bos: readonly [from: Point, to: Point],
  ): Promise<void> {
    const { ada, bo } = pair;
    const start = await drawnBy(bo, BED);
    for (let step = 1; step <= STEPS; step++) {
      const [hand, other] = [adas, bos].map(([from, to]) => onWay(from, to, step / STEPS));
      await Promise.all([move(ada, 'right', here(hand), 400), boGoes(other, 400)]);
      const went = onWay([0, 0, 0], between(adas[0], adas[1]), step / STEPS);
      await until(`the bed comes along in step ${step}`, async () => {
        const left = distance(await drawnBy(bo, BED), plus(start, went));
        if ((await holderIn(bo, ADAS)) !== 0) throw new Error(`Ada has lost her end, ${left.toFixed(2)} m`);
        return left < LAG;
      });
    }
  }

  /** Bo turns by the arrow keys until the bed is about in the middle of the picture. */
  async function boLooks(): Promise<void> {
    const { bo } = pair;
    const { slot } = await inspectOf(bo);
    await until('Bo sees the stretcher', async () => {
      const { head } = await avatarOf(bo, slot);
      const [x, , z] = await drawnBy(bo, BED);
      const forward = Math.atan2(
        -2 * (head.rotation.x * head.rotation.z + head.rotation.w * head.rotation.y),
        -(1 - 2 * (head.rotation.x ** 2 + head.rotation.y ** 2)),
      );
      const way = Math.atan2(x - head.position.x, z - head.position.z);
      const off = Math.atan2(Math.sin(way - forward), Math.cos(way - forward));
      if (Math.abs(off) < IN_SIGHT) return true;
      await bo.page.keyboard.press(off > 0 ? 'ArrowLeft' : 'ArrowRight', { delay: 200 });
      return false;
    });
  }

  it('lies in the Workshop, where they meet', async () => {
    pair = await HeadsetPair.meet(browser, openSite(), 'Workshop');
  });

  it('[J3.2] is lifted by its two ends, hangs between them, and goes where they go', async () => {
    const { ada, bo } = pair;
    const bar = await drawnBy(ada, ADAS);
    await move(ada, 'head', here([bar[0] - 0.5, 1.6, bar[2]]), 300);
    await turn(ada, 'head', looking([bar[0] - 0.5, 1.6, bar[2]], await drawnBy(ada, BED)));
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
    const grip: Point = [0, 0.06, 0];
    const [low, high, far] = [grip, [0, HIGH, 0], [0, HIGH, 1]] as const;
    await bothGo([plus(bar, low), plus(bar, high)], [plus(other, low), plus(other, high)]);
    await until('it hangs above the floor for both', async () =>
      (await Promise.all([drawnBy(ada, BED), drawnBy(bo, BED)])).every(([, y]) => y > HIGH / 2),
    );
    await boLooks();
    await photograph('stretcher-1');
    const before = await drawnBy(ada, BED);
    await bothGo([plus(bar, high), plus(bar, far)], [plus(other, high), plus(other, far)]);
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
