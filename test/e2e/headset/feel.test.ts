import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HandName } from '../../../src/input/scripted-hand.ts';
import { impactPulse, PULSES } from '../../../src/pages/headset/pulses.ts';
import { EFFECTS } from '../../../src/sound/effect-kinds.ts';
import type { EffectKind } from '../../../src/sound/effect-kinds.ts';
import { lengthOf } from '../../../src/sound/knock.ts';
import type { Point } from '../../support/pages/headset-player.ts';
import { enter, handOf, toRig } from '../../support/pages/headset-player.ts';
import { grabCube, positionOf } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, openPage, startRoom, until } from '../../support/pages/room-page.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectBrowser, openSite } from '../../support/run/stories.ts';

type Felt = { readonly side: HandName; readonly strength: number; readonly ms: number };
/** A sound as it leaves the page: how long its recording is, and how far to the right it is heard, -1 to 1. */
type Heard = { readonly seconds: number; readonly pan: number };

declare global {
  interface Window {
    /** The pulses that the controllers were asked to play, and the sounds that have started. */
    noted?: { felt: Felt[]; heard: Heard[] };
  }
}

/** Metres from a cube's middle to a hand on it, and a cube's edge. */
const TOUCH = 0.27;
const CUBE = 0.5;

describe('hands in a headset', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it('[G2.1] [G4.1] feel and hear the cubes that they touch, take, knock, let go, lose and kick', async () => {
    const host = await openPage(browser, `${site.url}?emulate=quest3`);
    const { page } = host;
    await noteAll(page);
    const { link } = await startRoom(host, 'Ada', 'pyramid');
    await enter(host, 'VR');

    // The corner is the one on the side of the wearer, whose hand has no other cube before it there.
    const [top, second, corner] = [35, 34, 7];
    const [x, y, z] = toRig(await positionOf(host, top));
    await moveHead(page, [x - 0.6, y + 0.3, z + 0.8], 0);
    await moveHand(page, 'left', [x - 1, y + 1, z + 1], 0);
    await moveHand(page, 'right', [x, y + 1, z], 0);
    await handHasRisen(host, (await positionOf(host, top))[1] + 1);
    await forget(page);
    await moveHand(page, 'right', [x, y + TOUCH, z], 0);
    expect(await feltBy(page, 'right')).toEqual([PULSES.touch]);
    await moveHand(page, 'right', [x, y + TOUCH, z], 1);
    expect(await feltBy(page, 'right')).toEqual([PULSES.touch, PULSES.grab]);
    const [taken] = await heardOf(page, 'grab');
    expect(taken.pan).toBeGreaterThan(0.2);

    const beside: Point = [x + 1.2, y + 0.6, z + 1.2];
    await moveHand(page, 'right', beside, 1);
    const knocks: number[] = [];
    for (const fall of [0.15, 1.3]) {
      await takeFromAbove(page, 'left', toRig(await positionOf(host, second)));
      await moveHand(page, 'left', [beside[0], beside[1] + CUBE + fall, beside[2]], 1);
      await forget(page);
      await moveHand(page, 'left', [beside[0], beside[1] + CUBE + fall, beside[2]], 0);
      await until('the cube that falls is felt', async () => (await feltBy(page, 'right')).length > 0);
      const [knock] = await feltBy(page, 'right');
      const fallen = impactPulse(Math.sqrt(2 * 9.81 * fall))?.strength ?? 0;
      expect(Math.abs(knock.strength - fallen)).toBeLessThan(0.08);
      expect((await heardOf(page, 'contact')).length).toBeGreaterThan(0);
      knocks.push(knock.strength);
      await page.waitForTimeout(400);
    }
    expect(knocks[1]).toBeGreaterThan(knocks[0] + 0.1);

    await moveHead(page, [x - 0.6, y + 0.3, z + 0.8], Math.PI);
    await forget(page);
    await moveHand(page, 'right', beside, 0);
    expect((await feltBy(page, 'right'))[0]).toEqual(PULSES.release);
    const [left] = await heardOf(page, 'release');
    expect(left.pan).toBeLessThan(-0.2);

    await kicks(host);

    const friend = await openPage(browser, link);
    await inRoom(friend);
    await grabCube(friend, 'right', corner);
    const [cx, cy, cz] = toRig(await positionOf(friend, corner));
    await until('the host knows it', async () => (await inspectOf(host)).bodies[corner].holder?.slot === 1);
    await moveHand(page, 'right', [cx, cy, cz + 6], 0);
    await forget(page);
    await moveHand(page, 'right', [cx, cy, cz + 6], 1);
    expect(await feltBy(page, 'right')).toEqual([PULSES.lost]);
    expect((await heardOf(page, 'lose')).length).toBe(1);

    expect(await page.evaluate(() => localStorage.getItem('handover.headset-hints'))).toMatch(/"grip":true/);
    for (const { faults, context } of [host, friend]) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});

/** The first frames of a session may have no hands yet: waits until the right one is `metres` over the floor. */
async function handHasRisen(host: RoomPlayerPage, metres: number): Promise<void> {
  await until('the hand has risen', async () => {
    const at = await handOf(host, 'right').catch(() => null);
    return at !== null && Math.abs(at[1] - metres) < 0.2;
  });
}

/** [A13.2] A press of A kicks the cube at the other end of the lowest row, with half a pyramid on it. */
async function kicks(host: RoomPlayerPage): Promise<void> {
  const { page } = host;
  let at: Point = [0, 0, 0];
  await until('it is kicked', async () => {
    at = await positionOf(host, 0);
    const [x, y, z] = toRig(at);
    await moveHead(page, [x, y + 1.2, z + 1.2], 0);
    await moveHand(page, 'right', [x, y, z + TOUCH], 0);
    for (const value of [1, 0]) await pressLower(page, value);
    return (await feltBy(page, 'right')).some(({ strength }) => strength === PULSES.kick.strength);
  });
  await until('the kicked cube goes, and no hand has it', async () => {
    const { position, holder } = (await inspectOf(host)).bodies[0];
    return holder === null && Math.hypot(position[0] - at[0], position[2] - at[2]) > 0.1;
  });
}

async function takeFromAbove(page: Page, side: HandName, [x, y, z]: Point): Promise<void> {
  await moveHand(page, side, [x, y + TOUCH, z], 0);
  await moveHand(page, side, [x, y + TOUCH, z], 1);
}

/** Puts a controller somewhere in the headset's space; then its grip is open (0) or closed (1). Frames pass after each. */
async function moveHand(page: Page, side: HandName, to: Point, squeeze: 0 | 1): Promise<void> {
  await page.evaluate(
    async ({ side, to: [x, y, z], squeeze }) => {
      const controller = window.emulatedHeadset?.controllers[side];
      const letFramesPass = async (): Promise<void> => {
        for (let i = 0; i < 3; i++) await new Promise((resolve) => void requestAnimationFrame(resolve));
      };
      controller?.position.set(x, y, z);
      await letFramesPass();
      controller?.updateButtonValue('squeeze', squeeze);
      await letFramesPass();
    },
    { side, to, squeeze },
  );
}

/** The thumb presses A, 1, or lets it go, 0. */
async function pressLower(page: Page, value: number): Promise<void> {
  await page.evaluate(async (value) => {
    window.emulatedHeadset?.controllers.right?.updateButtonValue('a-button', value);
    for (let i = 0; i < 3; i++) await new Promise((resolve) => void requestAnimationFrame(resolve));
  }, value);
}

/** Puts the head somewhere in the headset's space, turned to the left by an angle. */
async function moveHead(page: Page, to: Point, yaw: number): Promise<void> {
  await page.evaluate(
    ({ to: [x, y, z], yaw }) => {
      window.emulatedHeadset?.position.set(x, y, z);
      window.emulatedHeadset?.quaternion.set(0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2));
    },
    { to, yaw },
  );
}

/** Writes down all that the page has its controllers and its speakers play, which they still do. */
async function noteAll(page: Page): Promise<void> {
  await page.waitForFunction(() => window.emulatedHeadset !== undefined);
  await page.evaluate(() => {
    const noted: NonNullable<Window['noted']> = { felt: [], heard: [] };
    window.noted = noted;
    for (const side of ['left', 'right'] as const) {
      const motor = window.emulatedHeadset?.controllers[side]?.inputSource.gamepad?.hapticActuators[0];
      if (motor === undefined) throw new Error(`the ${side} controller has no motor`);
      const pulse = motor.pulse.bind(motor);
      motor.pulse = (strength, ms) => {
        noted.felt.push({ side, strength, ms });
        return pulse(strength, ms);
      };
    }
    const after = new Map<AudioNode, AudioNode>();
    const connect = Reflect.get(AudioNode.prototype, 'connect') as (to: AudioNode | AudioParam) => void;
    Reflect.set(AudioNode.prototype, 'connect', function (this: AudioNode, to: AudioNode | AudioParam) {
      if (to instanceof AudioNode) after.set(this, to);
      connect.call(this, to);
      return to;
    });
    const start = Reflect.get(AudioBufferSourceNode.prototype, 'start');
    Reflect.set(AudioBufferSourceNode.prototype, 'start', function (this: AudioBufferSourceNode) {
      start.call(this);
      let node: AudioNode | undefined = after.get(this);
      while (node !== undefined && !(node instanceof StereoPannerNode)) node = after.get(node);
      const { buffer } = this;
      // Its side is set when it has begun.
      queueMicrotask(() => {
        const pan = node instanceof StereoPannerNode ? node.pan.value : NaN;
        noted.heard.push({ seconds: buffer?.duration ?? NaN, pan });
      });
    });
  });
}

async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (window.noted !== undefined) window.noted.felt.length = window.noted.heard.length = 0;
  });
}

async function feltBy(page: Page, side: HandName): Promise<Omit<Felt, 'side'>[]> {
  const felt = (await page.evaluate(() => window.noted?.felt)) ?? [];
  return felt.filter((each) => each.side === side).map(({ strength, ms }) => ({ strength, ms }));
}

/** The sounds of a kind: each has recordings of a length of its own. */
async function heardOf(page: Page, kind: EffectKind): Promise<Heard[]> {
  const length = lengthOf(EFFECTS[kind].knock);
  const heard = (await page.evaluate(() => window.noted?.heard)) ?? [];
  return heard.filter(({ seconds }) => Math.abs(seconds - length) < 0.001);
}
