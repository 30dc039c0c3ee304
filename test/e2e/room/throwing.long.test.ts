import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { Place } from '../../support/aiming/heads.ts';
import { drawn, headOf, yawOf } from '../../support/aiming/heads.ts';
import type { Point } from '../../support/aiming/pointer.ts';
import { TimedPointer } from '../../support/aiming/pointer.ts';
import { isFree, onScreen } from '../../support/aiming/screen.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

const SIZE = { width: 640, height: 400 };
/** Throws of each device, and how near they must come, in metres. */
const THROWS = 25;
const NEAR = 0.75;
const HOST = 0;
const FRIEND = 1;
/** Where the two stand, 4 m apart, before the columns of the grid; and where the thrower looks: at both. */
const THROWER = { x: -2, z: 7.5 };
const CATCHER = { x: 2, z: 7.5 };
const AHEAD = { x: 0, z: 6 };
const UPWARDS = -0.2;

/** Metres: the centre of a cube that is held at the floor is no higher. */
const ON_FLOOR = 0.3;
/** Frames at one height after which a cube lies. */
const LIES = 12;

describe('[G3] at a desk', () => {
  const stage = storyStage();

  it(
    'of 50 flicks of any speed at a friend 4 m away, 45 come within 0.75 m',
    { timeout: 900_000 },
    async () => {
      const host = await stage.open(stage.url, { viewport: SIZE, hasTouch: true });
      const { link } = await startRoom(host, 'Ada', 'grid');
      const friend = await stage.open(link, { viewport: SIZE });
      await inRoom(friend);
      await walkTo(friend, CATCHER);
      await walkTo(host, THROWER);
      await turnTo(host, AHEAD);
      await host.page.getByRole('button', { name: 'Got it' }).click();
      const random = new Random(18);
      const missed: string[] = [];
      for (const kind of ['mouse', 'touch'] as const) {
        const pointer = await TimedPointer.on(host, kind);
        for (let i = 0; i < THROWS; i++) {
          const { metres, told } = await throwOnce(host, pointer, random);
          if (!(metres <= NEAR)) missed.push(`${kind} ${i}, ${told}: ${metres.toFixed(2)} m`);
        }
      }
      console.info(`${2 * THROWS - missed.length} of ${2 * THROWS} flicks came within ${NEAR} m`, missed);
      expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(5);
    },
  );
});

/** Takes a cube, carries it before the friend, and flicks it. */
async function throwOnce(
  host: RoomPlayerPage,
  pointer: TimedPointer,
  random: Random,
): Promise<{ metres: number; told: string }> {
  const { body, at } = await takeAny(host, pointer);
  const { position } = await headOf(host, FRIEND);
  const chest = await onScreen(host, { ...position, y: position.y - 0.4 });
  const start = {
    x: chest.x + random.between(-0.12, 0.12) * SIZE.height,
    y: chest.y + SIZE.height * random.between(0.1, 0.35),
  };
  await pointer.glide(at, start);
  await until('it has come along', async () => {
    const place = await drawn(host, body);
    const { x, y } = await onScreen(host, place);
    // A cube that the hand has lower stays on the floor.
    return Math.abs(x - start.x) < 40 && (Math.abs(y - start.y) < 40 || place.y < ON_FLOOR);
  });
  const aim = Math.atan2(chest.x - start.x, start.y - chest.y) + random.between(-0.2, 0.2);
  const speed = random.between(0.9, 5.5);
  const flight = await watch(host, body);
  await pointer.flick(swing(start, speed, aim, random));
  const metres = await nearest(host, flight);
  return { metres, told: `${speed.toFixed(1)} heights/s at ${aim.toFixed(2)} rad` };
}

/** Takes a cube that stands on others, and before which nothing is. */
async function takeAny(host: RoomPlayerPage, pointer: TimedPointer): Promise<{ body: number; at: Point }> {
  const isHeld = async (body: number): Promise<boolean> =>
    (await inspectOf(host)).bodies[body].holder?.slot === HOST;
  for (let tries = 0; tries < 10; tries++) {
    const { position: eye } = await headOf(host, HOST);
    const { bodies } = await inspectOf(host);
    const offered: { body: number; at: Point; far: number }[] = [];
    for (const [body, { position, holder, resting }] of bodies.entries()) {
      const [x, y, z] = position;
      const far = Math.hypot(x - eye.x, z - eye.z);
      if (holder !== null || !resting || y < 1.2 || far < 2 || far > 6) continue;
      const at = await onScreen(host, { x, y, z });
      const isSeen = at.x > 40 && at.x < SIZE.width * 0.7 && at.y > 80 && at.y < SIZE.height - 60;
      // Hints and the stick for a thumb cover some.
      if (isSeen && (await isFree(host, at))) offered.push({ body, at, far });
    }
    offered.sort((a, b) => a.far - b.far);
    // A cube that could not be taken is behind something: the next one may not be.
    const choice = offered.at(tries);
    if (choice === undefined) await beginAnew(host);
    else {
      await pointer.down(choice.at);
      const end = Date.now() + 3000;
      while (Date.now() < end) if (await isHeld(choice.body)) return choice;
      await pointer.flick([{ ...choice.at, afterMs: 100 }]);
      await new Promise((resolve) => void setTimeout(resolve, 1500));
    }
  }
  throw new Error('no cube could be taken');
}

/** The cubes fall into their columns again, and come to rest, however long that takes. */
async function beginAnew(host: RoomPlayerPage): Promise<void> {
  const { reset } = await inspectOf(host);
  await host.page.evaluate(() => window.handover?.reset());
  await until(
    'the cubes rest again',
    async () => {
      const now = await inspectOf(host);
      return now.reset !== reset && now.bodies.every(({ resting }) => resting);
    },
    90,
  );
}

/** A hand's flick: it gets faster at first, and its events come unevenly. */
function swing(from: Point, speed: number, aim: number, random: Random): (Point & { afterMs: number })[] {
  const path: (Point & { afterMs: number })[] = [];
  for (let ms = 0; ms < 140;) {
    ms += random.between(4, 22);
    const way = ms < 50 ? (ms * ms) / 100 : ms - 25;
    const pixels = (way / 1000) * speed * SIZE.height;
    path.push({ x: from.x + Math.sin(aim) * pixels, y: from.y - Math.cos(aim) * pixels, afterMs: 60 + ms });
  }
  return path;
}

/** Begins to write down where the cube is drawn in each frame. */
async function watch({ page }: RoomPlayerPage, body: number): Promise<string> {
  return page.evaluate(
    ({ cube, self }) => {
      const frames: { x: number; y: number; z: number; held: boolean }[] = [];
      const look = (): void => {
        const at = window.handover?.drawn(self, cube);
        const held = window.handover?.avatar(self, self)?.hands[1].held === cube;
        if (at !== undefined) frames.push({ ...at, held });
        if (frames.length < 300) requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { frames });
      return 'frames';
    },
    { cube: body, self: HOST },
  );
}

/**
 * How near the cube's centre has come, in flight, to the friend's body: the upright line from the floor to a hand above
 * its eyes. In metres, across; the flight ends where the cube first comes down.
 */
async function nearest(host: RoomPlayerPage, flight: string): Promise<number> {
  let frames: (Place & { held: boolean })[] = [];
  await until('the cube has come down', async () => {
    const seen = await host.page.evaluate((name) => Reflect.get(window, name) as unknown, flight);
    frames = (seen as typeof frames).slice((seen as typeof frames).findLastIndex(({ held }) => held));
    return frames.length > 4 && landing(frames) > 0;
  });
  const { position } = await headOf(host, FRIEND);
  let metres = Infinity;
  for (let i = 1; i <= landing(frames); i++) {
    for (let share = 0; share <= 1; share += 0.1) {
      const [a, b] = [frames[i - 1], frames[i]];
      const at = (axis: 'x' | 'y' | 'z'): number => a[axis] + (b[axis] - a[axis]) * share;
      if (at('y') > position.y + 0.2) continue;
      metres = Math.min(metres, Math.hypot(at('x') - position.x, at('z') - position.z));
    }
  }
  return metres;
}

/** The first frame in which the cube no longer flies: it is on the floor, or lies on other cubes; 0 for none. */
function landing(frames: readonly Place[]): number {
  const lies = (from: number): boolean => {
    const next = frames.slice(from, from + LIES);
    return next.length === LIES && next.every(({ y }) => Math.abs(y - frames[from].y) < 0.02);
  };
  return Math.max(
    0,
    frames.findIndex(({ y }, i) => i > 1 && (y < 0.45 || lies(i))),
  );
}

/** Walks by keys until the player stands there. */
async function walkTo(player: RoomPlayerPage, { x, z }: { x: number; z: number }): Promise<void> {
  const { slot } = await inspectOf(player);
  await until(
    'the player has walked there',
    async () => {
      const { position } = await headOf(player, slot);
      const yaw = yawOf(await headOf(player, slot));
      const [dx, dz] = [x - position.x, z - position.z];
      const ahead = -dx * Math.sin(yaw) - dz * Math.cos(yaw);
      const right = dx * Math.cos(yaw) - dz * Math.sin(yaw);
      if (Math.hypot(ahead, right) < 0.12) return true;
      const isAhead = Math.abs(ahead) > Math.abs(right);
      const [way, key] = isAhead ? [ahead, ahead > 0 ? 'w' : 's'] : [right, right > 0 ? 'd' : 'a'];
      await player.page.keyboard.press(key, { delay: Math.min(600, Math.abs(way) * 300) });
      await new Promise((resolve) => void setTimeout(resolve, 250));
      return false;
    },
    90,
  );
}

/** Looks by arrow keys until the player faces a place. */
async function turnTo(player: RoomPlayerPage, { x, z }: { x: number; z: number }): Promise<void> {
  const { slot } = await inspectOf(player);
  await until(
    'the player has turned there',
    async () => {
      const head = await headOf(player, slot);
      const [dx, dz] = [x - head.position.x, z - head.position.z];
      const wanted = Math.atan2(-dx, -dz);
      const left = Math.atan2(Math.sin(wanted - yawOf(head)), Math.cos(wanted - yawOf(head)));
      const up = UPWARDS - 2 * Math.atan2(head.rotation.x, head.rotation.w);
      if (Math.abs(left) < 0.08 && Math.abs(up) < 0.06) return true;
      const isAcross = Math.abs(left) >= 0.08;
      const key = isAcross ? (left > 0 ? 'ArrowLeft' : 'ArrowRight') : up > 0 ? 'ArrowUp' : 'ArrowDown';
      await player.page.keyboard.press(key, { delay: Math.abs(isAcross ? left : up) * 450 });
      await new Promise((resolve) => void setTimeout(resolve, 250));
      return false;
    },
    60,
  );
}
