import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { createLevel } from '../../../src/levels/levels.ts';
import { dropHand, moveHand, placeCube, putCube } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inRoom, inspectOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';

/** Pictures are written into this folder; into none if it is not set. */
const PICTURES = process.env['PICTURES'];
const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };

type Point = readonly [x: number, y: number, z: number];

/** Bodies of the Workshop, and what ties them. */
const { bodies: BODIES, joints: JOINTS } = createLevel({ id: 'workshop', seed: 1 });
const CHASSIS = 0;
const isGate = ({ shape }: (typeof BODIES)[number]['template']): boolean =>
  shape.kind === 'box' && shape.halfExtents[0] === 0.6 && shape.halfExtents[1] === 0.5;
const GATE = BODIES.findIndex(({ template }) => isGate(template));
/** The beam of the trebuchet is the second compound; a ball lies on the floor for its bowl. */
const [, BEAM] = BODIES.flatMap(({ template }, id) => (template.shape.kind === 'compound' ? [id] : []));
const BALL = BODIES.findIndex(
  ({ template: { shape }, start }) =>
    shape.kind === 'ball' && shape.radius === 0.13 && start.position.y < 0.2,
);
/** The highest cubes of the two columns that stand ready. */
const LOADS = [BODIES.length - 7, BODIES.length - 8, BODIES.length - 9] as const;
/** Metres by which the ends of a joint may be apart on a page. */
const HOLDS = 0.05;
/** Metres by which two pages may show a body at rest at different places. */
const SAME = 0.03;

async function placeOf(player: RoomPlayerPage, body: number): Promise<Point> {
  return (await inspectOf(player)).bodies[body].position;
}

/** Where a point of a body is in the world, on one page. */
function worldPoint(
  { position, rotation }: { position: Point; rotation: readonly number[] },
  at: Point,
): Vector3 {
  const [x, y, z, w] = rotation;
  return new Vector3(...at).applyQuaternion(new Quaternion(x, y, z, w)).add(new Vector3(...position));
}

/** [J1.1] How far apart the ends of the hinges and balls are on a page, at most, in metres. */
async function tornBy(player: RoomPlayerPage): Promise<number> {
  const { bodies } = await inspectOf(player);
  const apart = JOINTS.filter(({ kind }) => kind === 'hinge' || kind === 'ball').map(({ ends }) => {
    const [a, b] = ends.map(
      ({
        body,
        frame: {
          position: { x, y, z },
        },
      }) => (body === null ? new Vector3(x, y, z) : worldPoint(bodies[body], [x, y, z])),
    );
    return a.distanceTo(b);
  });
  return Math.max(...apart);
}

/** True if every body is at rest and under nobody on each page. */
async function allRest(players: readonly RoomPlayerPage[]): Promise<boolean> {
  for (const player of players) {
    const { bodies } = await inspectOf(player);
    if (!bodies.every(({ resting, authority }) => resting && authority === null)) return false;
  }
  return true;
}

/** Puts a hand to a point of a body and closes it there, until the player has the body. */
async function grip(player: RoomPlayerPage, body: number, at: Point): Promise<Point> {
  let hand: Point = [0, 0, 0];
  await until(`body ${body} is in the hand`, async () => {
    const { x, y, z } = worldPoint((await inspectOf(player)).bodies[body], at);
    hand = [x, y, z];
    await moveHand(player, 'right', [
      { to: [x, y + 0.6, z], ms: 30, grip: 0 },
      { to: hand, ms: 200, grip: 0 },
      { to: hand, ms: 400, grip: 1 },
    ]);
    const { bodies, slot } = await inspectOf(player);
    return bodies[body].holder?.slot === slot;
  });
  return hand;
}

/** Metres by which a hand is ahead of what it pulls, and by which it may stay away from where it goes. */
const AHEAD = 0.35;
const THERE = 0.25;

/**
 * Pulls a point of a body to a place. The hand goes no farther ahead than the body follows, so that a page with few
 * ticks loses no grip.
 * @returns where the hand is then.
 */
async function pull(player: RoomPlayerPage, body: number, at: Point, to: Point): Promise<Point> {
  let hand = to;
  await until(`body ${body} is at ${to.join()}`, async () => {
    const point = worldPoint((await inspectOf(player)).bodies[body], at);
    const way = new Vector3(...to).sub(point);
    const left = way.length();
    const { x, y, z } = point.add(way.clampLength(0, AHEAD));
    hand = [x, y, z];
    await moveHand(player, 'right', [{ to: hand, ms: 30, grip: 1 }]);
    return left < THERE;
  });
  return hand;
}

/** Opens the hand where it is. */
async function letGo(player: RoomPlayerPage, hand: Point): Promise<void> {
  await moveHand(player, 'right', [{ to: hand, ms: 100, grip: 0 }]);
  await dropHand(player, 'right');
}

describe('in the workshop', () => {
  const stage = storyStage();

  async function photograph(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    for (const [i, { page }] of stage.players.entries()) {
      await page.evaluate(() => void (window.fillsPixels = true));
      await new Promise((resolve) => void setTimeout(resolve, 1000));
      await page.screenshot({ path: join(PICTURES, `${name}-${i}.png`) });
      await page.evaluate(() => void (window.fillsPixels = false));
    }
  }

  async function meet(): Promise<readonly [host: RoomPlayerPage, guest: RoomPlayerPage]> {
    const host = await stage.open(stage.url, DESKTOP);
    const { link } = await startRoom(host, 'Ada', 'workshop');
    const guest = await stage.open(link, DESKTOP);
    await inRoom(guest);
    await until('all machines are at rest', () => allRest([host, guest]));
    return [host, guest];
  }

  /** Both pages come to rest, with every body at the same place and every joint whole. */
  async function endAlike(players: readonly [RoomPlayerPage, RoomPlayerPage]): Promise<void> {
    await until('all is at rest', () => allRest(players));
    const [ours, theirs] = [(await inspectOf(players[0])).bodies, (await inspectOf(players[1])).bodies];
    for (const [id, { position }] of ours.entries()) {
      const apart = Math.hypot(...position.map((n, i) => n - theirs[id].position[i]));
      expect(apart, `body ${id}`).toBeLessThan(SAME);
    }
    for (const player of players) expect(await tornBy(player)).toBeLessThan(HOLDS);
  }

  it('[J1] [J2] one drives the cart through the other’s tower', async () => {
    const [host, guest] = await meet();
    const held: Point = [0, 0.1, 0];
    for (const [course, cube] of LOADS.entries()) {
      /** A cube that falls may push those below aside. */
      const onTop = async (): Promise<Point> => {
        if (course === 0) return [2.1, 0.15, 1];
        const [x, y, z] = await placeOf(host, LOADS[course - 1]);
        return [x, y + 0.3, z];
      };
      await putCube(host, cube, onTop, () => grip(host, cube, held), held);
    }
    await dropHand(host, 'right');
    const [top] = [LOADS[LOADS.length - 1]];
    await until('the tower stands', async () => allRest([host, guest]));
    const stood = await placeOf(guest, top);
    expect(stood[1], 'the third cube of the tower').toBeGreaterThan(0.6);
    await photograph('cart-1');

    const rail: Point = [-0.67, 0.5, 0];
    const [x, y, z] = await grip(guest, CHASSIS, rail);
    const end = await pull(guest, CHASSIS, rail, [x + 2.5, y, z]);
    for (const player of [host, guest]) expect(await tornBy(player)).toBeLessThan(HOLDS);
    await photograph('cart-2');
    await letGo(guest, end);
    await endAlike([host, guest]);
    const fell = await placeOf(host, top);
    expect(Math.hypot(fell[0] - stood[0], fell[1] - stood[1], fell[2] - stood[2])).toBeGreaterThan(0.3);
    expect((await placeOf(host, CHASSIS))[0], 'the cart has come along').toBeGreaterThan(1);
    await photograph('cart-3');
  });

  it('[J3.2] two push the gate from both sides', async () => {
    const [host, guest] = await meet();
    const edge: Point = [0.5, 0.2, 0];
    const [x, y, z] = await grip(host, GATE, edge);
    const ours = await pull(host, GATE, edge, [x - 0.2, y, z - 0.7]);
    await until('the guest sees the gate open', async () => {
      const at = worldPoint((await inspectOf(guest)).bodies[GATE], edge);
      return Math.abs(at.z - z) > 0.3;
    });
    const { x: gx, y: gy, z: gz } = worldPoint((await inspectOf(guest)).bodies[GATE], edge);
    const back: Point = [gx, gy, gz + 0.35];
    await moveHand(guest, 'right', [
      { to: [gx, gy + 0.4, gz], ms: 30, grip: 0 },
      { to: [gx, gy, gz], ms: 300, grip: 0 },
      { to: [gx, gy, gz], ms: 500, grip: 1 },
      { to: back, ms: 800, grip: 1 },
      { to: back, ms: 2500, grip: 1 },
    ]);
    await photograph('gate-1');
    for (const player of [host, guest]) {
      expect(await tornBy(player)).toBeLessThan(HOLDS);
      const at = worldPoint((await inspectOf(player)).bodies[GATE], edge);
      expect(at.z, 'between the two hands').toBeGreaterThan(ours[2] - 0.1);
      expect(at.z, 'between the two hands').toBeLessThan(back[2] + 0.1);
    }
    await letGo(guest, back);
    await letGo(host, ours);
    await endAlike([host, guest]);
    const closed = worldPoint((await inspectOf(guest)).bodies[GATE], edge);
    expect(Math.abs(closed.z - z), 'it closes by itself').toBeLessThan(0.15);
    await photograph('gate-2');
  });

  it('[J3.8] one pulls the trebuchet down, the other loads it, and it throws', async () => {
    const [host, guest] = await meet();
    const end: Point = [1.2, 0, 0];
    await grip(guest, BEAM, end);
    const down = await pull(guest, BEAM, end, [3.4, 0.6, -3]);
    const from = await grip(host, BALL, [0, 0, 0]);
    const { x, y, z } = worldPoint((await inspectOf(host)).bodies[BEAM], [1.5, 0.25, 0]);
    await placeCube(host, 'right', from, [x, y, z], [0, 0, 0]);
    await dropHand(host, 'right');
    await until('the ball lies in the bowl', async () => {
      const { bodies } = await inspectOf(guest);
      const bowl = worldPoint(bodies[BEAM], [1.5, 0.2, 0]);
      return bowl.distanceTo(new Vector3(...bodies[BALL].position)) < 0.2 && bodies[BALL].holder === null;
    });
    await photograph('trebuchet-1');
    const loaded = await placeOf(host, BALL);
    await letGo(guest, down);
    await until('the ball flies', async () => (await placeOf(host, BALL))[1] > loaded[1] + 0.5);
    for (const player of [host, guest]) expect(await tornBy(player)).toBeLessThan(HOLDS);
    await photograph('trebuchet-2');
    await endAlike([host, guest]);
    const landed = await placeOf(guest, BALL);
    expect(Math.abs(landed[0] - loaded[0]), 'metres').toBeGreaterThan(1);
  });
});
