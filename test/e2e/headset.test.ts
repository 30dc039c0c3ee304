import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { angleBetween } from '../../src/core/base/math.ts';
import type { HandName } from '../../src/input/scripted-hand.ts';
import { pressInLobby } from '../support/headset-panels.ts';
import type { Point } from '../support/headset-player.ts';
import {
  catchCube,
  deviceOf,
  enter,
  gesture,
  handOf,
  inRig,
  leave,
  move,
  opaqueShare,
  point,
  squeeze,
  stick,
  takeUpHeadset,
  track,
  trigger,
  useInput,
} from '../support/headset-player.ts';
import { moveHand, positionOf } from '../support/room-moves.ts';
import type { RoomPlayerPage } from '../support/room-page.ts';
import { areAgreed, inRoom, inspectOf, openPage, roomOf, until } from '../support/room-page.ts';
import type { Site } from '../support/stories.ts';
import { connectBrowser, openSite } from '../support/stories.ts';
import type { Body, Sight } from '../support/watch.ts';
import {
  avatarOf,
  between,
  distance,
  drawnBy,
  endWatch,
  plus,
  slipOf,
  strayOf,
  trackOf,
  velocityOf,
  watch,
} from '../support/watch.ts';

/** The cube on top of the pyramid, and the two that it lies on. */
const [TOP, SECOND, THIRD] = [35, 34, 33];
/** Metres by which a friend may see head, hand or cube beside their way. */
const CLOSE = 0.04;

/** One after the other, in one room: Ada wears the headset, and Bo is at a desk. */
describe('a player in an emulated Quest 3, and a friend at a desk', () => {
  let site: Site;
  let browser: Browser;
  let ada: RoomPlayerPage;
  let bo: RoomPlayerPage;

  beforeAll(async () => {
    [site, browser] = await Promise.all([openSite(), connectBrowser()]);
    ada = await openPage(browser, `${site.url}?emulate=quest3`, {}, { fills: true });
    await takeUpHeadset(ada);
  });
  afterAll(() => browser.close());

  it('make a room in the headset, and meet by its link', async () => {
    await enter(ada, 'VR');
    await pressInLobby(ada.page, 'Pyramid');
    await pressInLobby(ada.page, 'Start a room');
    await inRoom(ada);
    bo = await openPage(browser, (await roomOf(ada)).link, {}, { fills: true });
    await inRoom(bo);
    await until('the friend sees a head where the headset is', () => seesHeadAt(inRig([0, 1.6, 0])));
    await until('both have the pyramid at rest', () => areAgreed([ada, bo]), 30);
  }, 120_000);

  it('[G1.1] [A6.3] see a cube taken with the hand, carried, and passed on; then one in each hand', async () => {
    await reachInto('right', TOP, [0.05, 0.2, 0.05]);
    await takes('right', TOP);
    await bothSee('right', TOP, async () => {
      await move(ada, 'right', [0, 4.2, 0.4], 400);
      await Promise.all([move(ada, 'right', [-1, 3.3, 2.2], 700), move(ada, 'head', [-1.6, 3.6, 3], 700)]);
    });

    await reachInto('left', TOP, [-0.2, 0.05, 0.05]);
    await takes('left', TOP);
    await squeeze(ada, 'right', 0);
    await reachInto('right', SECOND, [0.05, 0.2, 0.05]);
    await takes('right', SECOND);
    await bothSee('right', SECOND, async () => {
      await move(ada, 'right', [0.4, 3.8, 0.4], 400);
      await Promise.all([move(ada, 'right', [0.6, 1.6, 2.2], 900), move(ada, 'left', [-1.6, 0.3, 2], 900)]);
    });
    await bothKnow('one in each hand', TOP, 0, 'left');
    await squeeze(ada, 'left', 0);
  });

  it('[A9.5] give a cube to each other without a drop', async () => {
    await watch(ada.page, SECOND);
    await watch(bo.page, SECOND);
    const height = (await positionOf(ada, SECOND))[1];
    await boReaches();
    await squeeze(ada, 'right', 0);
    await bothKnow('Bo gets the cube', SECOND, 1, 'right');

    await squeeze(ada, 'right', 1);
    await until('Bo sees that Ada reaches', async () => (await reachOf(bo, 0)) === SECOND);
    await boLetsGo();
    await bothKnow('Ada gets the cube', SECOND, 0, 'right');
    for (const { page } of [ada, bo]) {
      const { sights } = await endWatch(page);
      const lowest = Math.min(...sights.map(({ cube }) => cube[1]));
      expect(height - lowest, 'metres that the cube dropped').toBeLessThan(0.03);
    }
  });

  it('see a cube caught in flight, and thrown as fast as the hand was', async () => {
    await boReaches();
    await squeeze(ada, 'right', 0);
    await bothKnow('Bo has the cube', SECOND, 1, 'right');
    const [x, y, z] = await boHand();
    const caught = catchCube(ada, 'right', SECOND);
    await moveHand(bo, 'right', [
      { to: [x, y, z], ms: 20, grip: 1 },
      { to: [x + 0.5, y - 0.3, z], ms: 400, grip: 1 },
      { to: [x - 0.3, y + 0.9, z], ms: 300, grip: 1 },
      { to: [x - 0.5, y + 1.2, z], ms: 60, grip: 0 },
    ]);
    expect(await caught, 'metres over the floor where it was caught').toBeGreaterThan(0.6);
    await bothKnow('Ada has caught it', SECOND, 0, 'right');

    const from: Point = [0.6, 1.5, 3.4];
    await move(ada, 'right', from, 700);
    await watch(ada.page, SECOND);
    await watch(bo.page, SECOND);
    const [way, ms] = [[2.1, 0.9, 1.8] as const, 600];
    await move(ada, 'right', plus(from, way), ms, { steady: true, opensAt: 0.75 });
    await until('it has come down, for both', () => areAgreed([ada, bo]), 30);
    const [own, friends] = [await endWatch(ada.page), await endWatch(bo.page)];
    const hand: Point = [way[0] * (1000 / ms), way[1] * (1000 / ms), way[2] * (1000 / ms)];
    const thrown = velocityOf(own.sights, hand);
    const [speed, off] = [Math.hypot(...hand), distance(thrown, hand)];
    console.log(`a hand at ${textOf(hand)} m/s threw at ${textOf(thrown)} m/s`);
    expect(off / speed, 'of the speed of the hand').toBeLessThan(0.1);
    const isFlying = ({ held, cube }: Sight): boolean => !held && cube[1] > 0.6;
    const seen = trackOf(friends.sights.filter(isFlying), ({ cube }) => cube);
    expect(seen.length).toBeGreaterThan(0);
    const flown = trackOf(own.sights, ({ believed }) => believed);
    const beside = strayOf(seen, flown, true);
    expect(beside, 'metres beside its way, as the friend sees it').toBeLessThan(0.1);
  });

  it('[G1.1] [G2.1] see a cube taken from afar, brought, moved out and in, turned, and put on top of another', async () => {
    const there = await positionOf(ada, TOP);
    await Promise.all([move(ada, 'right', [-2.4, 1.3, 5.8], 500), move(ada, 'head', [-2.7, 1.6, 6.2], 500)]);
    await point(ada, 'right', there);
    const hand = await handOf(ada, 'right');
    const [dx, dy, dz] = between(hand, there);
    expect(Math.hypot(dx, dy, dz)).toBeGreaterThan(3);
    expect(Math.hypot(dx, dy, dz)).toBeLessThan(6);
    await takes('right', TOP);

    await trigger(ada, 'right', 1);
    await until('it comes to the hand', () => isAway(ada, TOP, (metres) => metres < 0.45));
    await trigger(ada, 'right', 0);
    // A quarter to the left: it stays level, and has nothing to run into.
    await point(ada, 'right', plus(hand, [dz, dy, -dx]));
    await stick(ada, 'right', 0, 1);
    await until('it goes out', () => isAway(ada, TOP, (metres) => metres > 3.5));
    await stick(ada, 'right', 0, 0);
    await until('the friend sees it out there', () => isAway(bo, TOP, (metres) => metres > 3.5));
    await stick(ada, 'right', 0, -1);
    await until('it comes back in', () => isAway(ada, TOP, (metres) => metres < 2.5));
    await stick(ada, 'right', 0, 0);
    const before = await rotationOf(ada, TOP);
    await stick(ada, 'right', 1, 0);
    await until('it turns', async () => angleBetween(before, await rotationOf(ada, TOP)) > 0.8);
    await stick(ada, 'right', 0, 0);
    await until('the friend sees it turned', async () => {
      return angleBetween(await rotationOf(bo, TOP), await rotationOf(ada, TOP)) < 0.02;
    });

    const [x, y, z] = await positionOf(ada, THIRD);
    await bothSee('right', TOP, async () => {
      const [cx, , cz] = await positionOf(ada, TOP);
      await carry([cx, y + 1.2, cz], 1000);
      await carry([x, y + 1.2, z], 1200);
      await carry([x, y + 0.52, z], 700);
    });
    await squeeze(ada, 'right', 0);
    await until('it stands, for both', () => areAgreed([ada, bo]), 30);
    for (const player of [ada, bo]) {
      const stands = await positionOf(player, TOP);
      expect(
        distance(stands, [x, y + 0.5, z]),
        `metres from above ${textOf([x, y, z])} to ${textOf(stands)}`,
      ).toBeLessThan(0.05);
    }
  });

  it('[T5.1] are in the room without the headset, and again with bare hands, whose fingers are seen', async () => {
    await leave(ada);
    await until('Ada has no hands', () => seesHands(false));
    expect((await roomOf(bo)).players.map(({ presence }) => presence)).toEqual(['here', 'here']);
    await useInput(ada, 'hand');
    await enter(ada, 'VR');
    await until('the hands are back', () => seesHands(true));
    expect(await opaqueShare(ada), 'of the picture').toBe(1);

    await gesture(ada, 'right', 'point');
    await until('one points', async () => (await avatarOf(bo, 0)).hands[1].pointing);
    await reachInto('right', TOP, [0.05, 0.2, 0.05]);
    await takes('right', TOP);
    await until('the friend sees a pinch, and no pointing', async () => {
      const { grip, pointing } = (await avatarOf(bo, 0)).hands[1];
      return grip > 0.9 && !pointing;
    });
    await bothSee('right', TOP, () => move(ada, 'right', [-1, 2.4, 3], 900));

    await watch(ada.page, TOP);
    const lost = move(ada, 'right', [-3, 2.4, 3], 1000, { steady: true });
    await until('the hand is on its way', async () => (await positionOf(ada, TOP))[0] < -1.3);
    await track(ada, 'right', false);
    await lost;
    await until('the cube is let go, for both', async () => {
      return (await holderOf(ada, TOP)) === null && (await holderOf(bo, TOP)) === null;
    });
    await until('it comes to rest, for both', () => areAgreed([ada, bo]), 30);
    const { sights } = await endWatch(ada.page);
    const at = sights.findLastIndex(({ held }) => held);
    const [x, , z] = sights[at].believed;
    // On the floor it may roll.
    const falling = sights.slice(at + 1).filter(({ believed }) => believed[1] > 0.6);
    expect(falling.length).toBeGreaterThan(0);
    const beside = falling.map(({ believed }) => Math.hypot(believed[0] - x, believed[2] - z));
    expect(Math.max(...beside), 'metres from under where it was lost: it is not thrown').toBeLessThan(0.05);
    await track(ada, 'right', true);
    await until('the hand is back', () => seesHands(true));
  });

  it('see a cube put down in the room that Ada sees around her, where the floor is hers', async () => {
    await leave(ada);
    await useInput(ada, 'controller');
    await enter(ada, 'AR');
    await until('the hands are back', () => seesHands(true));
    const opaque = await opaqueShare(ada);
    expect(opaque, 'of the picture').toBeLessThan(0.5);
    expect(opaque, 'of the picture').toBeGreaterThan(0);

    const [x, y, z] = await positionOf(ada, TOP);
    await reachInto('right', TOP, [0, 0.2, 0.05]);
    await takes('right', TOP);
    await bothSee('right', TOP, () => move(ada, 'right', [x, 0.8, z + 1], 600));
    await carry([x, 0.27, z + 1], 500);
    await squeeze(ada, 'right', 0);
    await until('it lies there, for both', () => areAgreed([ada, bo]), 30);
    expect(y).toBeCloseTo(0.25, 2);
    expect(distance(await positionOf(bo, TOP), [x, 0.25, z + 1])).toBeLessThan(0.05);
    await leave(ada);
    await until('Ada is at the desk', () => seesHands(false));
    expect([...ada.faults, ...bo.faults]).toEqual([]);
  });

  /** Puts an open hand into a cube. */
  async function reachInto(side: HandName, cube: number, off: Point): Promise<void> {
    const [x, y, z] = await positionOf(ada, cube);
    await move(ada, side, [x + off[0] * 4, y + off[1] * 4, z + off[2] * 4 + 0.5], 400);
    await move(ada, side, [x + off[0], y + off[1], z + off[2]], 300);
  }

  async function takes(side: HandName, cube: number): Promise<void> {
    await squeeze(ada, side, 1);
    await bothKnow('Ada takes the cube', cube, 0, side);
  }

  async function bothKnow(what: string, cube: number, slot: number, side: HandName): Promise<void> {
    await until(`${what}: cube ${cube} is in the ${side} hand of ${slot}`, async () => {
      const holders = await Promise.all([holderOf(ada, cube), holderOf(bo, cube)]);
      return holders.every((holder) => holder?.slot === slot && holder.hand === side);
    });
  }

  /** Moves a hand so that the cube in it comes to be somewhere. */
  async function carry(to: Point, ms: number): Promise<void> {
    const [hand, cube] = [await deviceOf(ada, 'right'), await positionOf(ada, TOP)];
    await move(ada, 'right', plus(hand, between(cube, to)), ms);
  }

  /** [T5] Does something while a hand holds a cube; both pages show head, hands and cube where the device has them. */
  async function bothSee(side: HandName, cube: number, deed: () => Promise<unknown>): Promise<void> {
    await until('the friend sees it where it is', () => isShownAlike(cube));
    const inHand = between(await handOf(ada, side), await drawnBy(ada, cube));
    await watch(ada.page, cube);
    await watch(bo.page, cube);
    await deed();
    await until('the friend sees where it has come to', () => isShownAlike(cube));
    const [own, friends] = [await endWatch(ada.page), await endWatch(bo.page)];
    expect(own.sights.length).toBeGreaterThan(3);
    expect(friends.sights.length).toBeGreaterThan(3);
    const index = side === 'left' ? 0 : 1;
    let most = 0;
    for (const { sights } of [own, friends]) {
      expect(sights.every(({ held }) => held)).toBe(true);
      const shown = {
        head: strayOf(
          trackOf(sights, ({ head }) => head),
          trackOf(own.device, ({ head }) => head),
        ),
        left: strayOf(handTrack(sights, 0), handTrack(own.device, 0)),
        right: strayOf(handTrack(sights, 1), handTrack(own.device, 1)),
        cube: strayOf(
          trackOf(sights, ({ cube }) => cube),
          trackOf(own.device, ({ hands }) => hands[index] && plus(hands[index], inHand)),
        ),
        slip: slipOf(sights, side, inHand),
      };
      for (const [what, metres] of Object.entries(shown)) expect(metres, what).toBeLessThan(CLOSE);
      most = Math.max(most, ...Object.values(shown));
    }
    console.log(`head, hands and cube were shown within ${(most * 1000).toFixed(1)} mm of their way`);
  }

  async function isShownAlike(cube: number): Promise<boolean> {
    return distance(await drawnBy(ada, cube), await drawnBy(bo, cube)) < 0.01;
  }

  async function isAway(player: RoomPlayerPage, cube: number, judge: (metres: number) => boolean) {
    const { x, y, z } = (await avatarOf(player, 0)).hands[1].pose.position;
    return judge(distance([x, y, z], await drawnBy(player, cube)));
  }

  async function seesHeadAt(at: Point): Promise<boolean> {
    const { x, y, z } = (await avatarOf(bo, 0)).head.position;
    return distance([x, y, z], at) < CLOSE;
  }

  async function seesHands(wanted: boolean): Promise<boolean> {
    return (await avatarOf(bo, 0)).hands.every(({ tracked }) => tracked === wanted);
  }

  /** Bo's hand closes on the cube in Ada's right hand, and she sees it. */
  async function boReaches(): Promise<void> {
    const [x, y, z] = await positionOf(bo, SECOND);
    await moveHand(bo, 'right', [
      { to: [x + 0.8, y, z - 0.3], ms: 30, grip: 0 },
      { to: [x + 0.2, y, z - 0.1], ms: 300, grip: 0 },
      { to: [x + 0.2, y, z - 0.1], ms: 150, grip: 1 },
    ]);
    await until('Ada sees that Bo reaches', async () => (await reachOf(ada, 1)) === SECOND);
  }

  async function boLetsGo(): Promise<void> {
    const at = await boHand();
    await moveHand(bo, 'right', [{ to: at, ms: 100, grip: 0 }]);
  }

  async function boHand(): Promise<Point> {
    const { x, y, z } = (await avatarOf(bo, 1)).hands[1].pose.position;
    return [x, y, z];
  }
});

function handTrack(moments: readonly Body[], index: 0 | 1) {
  return trackOf(moments, ({ hands }) => hands[index]);
}

/** The body that the right hand of a slot reaches for, as a page sees it. */
async function reachOf(player: RoomPlayerPage, slot: number): Promise<number> {
  return (await avatarOf(player, slot)).hands[1].reach;
}

async function holderOf(player: RoomPlayerPage, cube: number) {
  return (await inspectOf(player)).bodies[cube].holder;
}

async function rotationOf(player: RoomPlayerPage, cube: number) {
  const [x, y, z, w] = (await inspectOf(player)).bodies[cube].rotation;
  return { x, y, z, w };
}

function textOf(vector: Point): string {
  return vector.map((each) => each.toFixed(2)).join(' ');
}
