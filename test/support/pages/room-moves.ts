import type { HandName } from '../../../src/input/scripted-hand.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { inspectOf, until } from './room-page.ts';

type Point = readonly [x: number, y: number, z: number];

/** A hand on its way: straight to a point in so many milliseconds, open (0) or closed (1) all the while. */
export type Step = { readonly to: Point; readonly ms: number; readonly grip: 0 | 1 };

/** Metres from a cube's middle to a hand that touches it. */
const TOUCH = 0.27;

/** Moves a hand step by step, at the page's own pace; it stays where it ends. */
export async function moveHand(
  { page }: RoomPlayerPage,
  name: HandName,
  steps: readonly Step[],
): Promise<void> {
  await page.evaluate(
    ({ name, steps }) =>
      new Promise<void>((resolve, reject) => {
        const slot = window.handover?.inspect()[0].slot ?? 0;
        let from = steps[0].to;
        let index = 0;
        let began = performance.now();
        const timer = setInterval(() => {
          const { to, ms, grip } = steps[index];
          const share = Math.min(1, (performance.now() - began) / ms);
          const [x, y, z] = to.map((value, i) => from[i] + (value - from[i]) * share);
          try {
            window.handover?.hand(slot, name, { position: { x, y, z }, grip });
          } catch (error) {
            clearInterval(timer);
            reject(error instanceof Error ? error : new Error(String(error)));
          }
          if (share < 1) return;
          from = to;
          began = performance.now();
          if (++index < steps.length) return;
          clearInterval(timer);
          resolve();
        }, 4);
      }),
    { name, steps },
  );
}

/** Takes a hand out of the world. */
export async function dropHand({ page }: RoomPlayerPage, name: HandName): Promise<void> {
  await page.evaluate((name) => {
    window.handover?.hand(window.handover.inspect()[0].slot, name, null);
  }, name);
}

export async function positionOf(player: RoomPlayerPage, body: number): Promise<Point> {
  return (await inspectOf(player)).bodies[body].position;
}

/** Grabs a cube from above, and waits until it is in the hand. A hand that missed reaches again where the cube is now. */
export async function grabCube(
  player: RoomPlayerPage,
  name: HandName,
  body: number,
  seconds?: number,
): Promise<Point> {
  const isHeld = async (): Promise<boolean> => {
    const { bodies, slot } = await inspectOf(player);
    const { holder } = bodies[body];
    return holder !== null && holder.slot === slot && holder.hand === name;
  };
  let at: Point = [0, 0, 0];
  await until(
    `cube ${body} is in the ${name} hand`,
    async () => {
      const [x, y, z] = await positionOf(player, body);
      at = [x, y + TOUCH, z];
      await moveHand(player, name, [
        { to: [x, y + 1, z], ms: 30, grip: 0 },
        { to: at, ms: 200, grip: 0 },
        { to: at, ms: 150, grip: 1 },
      ]);
      for (let looks = 0; looks < LOOKS; looks++) {
        if (await isHeld()) return true;
        await new Promise((resolve) => void setTimeout(resolve, 100));
      }
      return false;
    },
    seconds,
  );
  return at;
}

/** How often one looks, ten times a second, until a hand counts as having missed. */
const LOOKS = 40;

/** From a cube's middle to a hand that has grabbed it from above. */
const ABOVE: Point = [0, TOUCH, 0];

/**
 * Carries a cube that was grabbed at `from` to where its middle is to be, and lets it go there.
 * @param held from the cube's middle to the hand.
 */
export async function placeCube(
  player: RoomPlayerPage,
  name: HandName,
  from: Point,
  at: Point,
  held: Point = ABOVE,
): Promise<void> {
  const [x, y, z] = [at[0] + held[0], at[1] + held[1], at[2] + held[2]];
  const height = Math.max(from[1], y) + 0.6;
  await moveHand(player, name, [
    { to: from, ms: 20, grip: 1 },
    { to: [from[0], height, from[2]], ms: 400, grip: 1 },
    { to: [x, height, z], ms: 900, grip: 1 },
    { to: [x, y + 0.02, z], ms: 500, grip: 1 },
    { to: [x, y + 0.02, z], ms: 250, grip: 1 },
    { to: [x, y + 0.02, z], ms: 150, grip: 0 },
    { to: [x + held[0] * 4, y + held[1] * 4, z + held[2] * 4], ms: 200, grip: 0 },
  ]);
}

/**
 * Puts a cube to a place, again and again until it lies there: a page with few ticks knocks and drops things.
 * @param placeNow where the cube's middle is to be.
 * @param grab puts the right hand to the cube and closes it there; returns where the hand is.
 * @param held from the cube's middle to the hand.
 */
export async function putCube(
  player: RoomPlayerPage,
  cube: number,
  placeNow: () => Promise<Point>,
  grab: () => Promise<Point> = () => grabCube(player, 'right', cube),
  held: Point = ABOVE,
): Promise<void> {
  await until(`cube ${cube} lies in its place`, async () => {
    const place = await placeNow();
    await placeCube(player, 'right', await grab(), place, held);
    return comesToLie(player, cube, place);
  });
}

/** Waits for some seconds until a cube lies at a place. @returns false if it does not. */
export async function comesToLie(player: RoomPlayerPage, cube: number, [x, y, z]: Point): Promise<boolean> {
  for (let looks = 0; looks < 100; looks++) {
    const { position, resting } = (await inspectOf(player)).bodies[cube];
    const away = Math.hypot(position[0] - x, position[1] - y, position[2] - z);
    if (resting) return away < NEAR;
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  return false;
}

/** Metres from its place within which a cube lies there. */
const NEAR = 0.15;

/** Throws a cube that was grabbed at `from` away from oneself, along -z, at some 7 m/s. */
export async function throwCube(player: RoomPlayerPage, name: HandName, from: Point): Promise<void> {
  const [x, y, z] = from;
  await moveHand(player, name, [
    { to: from, ms: 20, grip: 1 },
    { to: [x, y + 0.8, z + 0.6], ms: 400, grip: 1 },
    { to: [x, y + 1.1, z - 1.2], ms: 260, grip: 1 },
    { to: [x, y + 1.2, z - 1.9], ms: 100, grip: 0 },
  ]);
}

/** Metres by which a hand lifts a cube out of the others before the other hand takes it. */
const LIFT = 0.8;

/** [A6] Passes a cube from one hand, at `from`, to the other, which takes it from the side, above all other cubes. */
export async function passCube(
  player: RoomPlayerPage,
  giver: HandName,
  from: Point,
  taker: HandName,
  body: number,
): Promise<Point> {
  await moveHand(player, giver, [
    { to: from, ms: 20, grip: 1 },
    { to: [from[0], from[1] + LIFT, from[2]], ms: 300, grip: 1 },
    { to: [from[0], from[1] + LIFT, from[2]], ms: 200, grip: 1 },
  ]);
  const [x, y, z] = await positionOf(player, body);
  const beside: Point = [x + TOUCH, y, z];
  await moveHand(player, taker, [
    { to: [x + 1, y, z], ms: 30, grip: 0 },
    { to: beside, ms: 250, grip: 0 },
    { to: beside, ms: 200, grip: 1 },
  ]);
  await until(`cube ${body} has passed to the ${taker} hand`, async () => {
    return (await inspectOf(player)).bodies[body].holder?.hand === taker;
  });
  await dropHand(player, giver);
  return beside;
}
