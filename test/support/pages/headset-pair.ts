import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import type { HandName } from '../../../src/input/scripted-hand.ts';
import { pressInLobby } from './headset-panels.ts';
import type { Point } from './headset-player.ts';
import { deviceOf, enter, handOf, inRig, move, squeeze, takeUpHeadset } from './headset-player.ts';
import { moveHand, positionOf } from './room-moves.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { areAgreed, inRoom, inspectOf, openPage, roomOf, until } from './room-page.ts';
import type { Site } from '../run/stories.ts';
import type { Body } from './watch.ts';
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
  watch,
} from './watch.ts';

/** The cube on top of the pyramid, and the two that it lies on. */
export const [TOP, SECOND, THIRD] = [35, 34, 33];
/** Metres by which a friend may see head, hand or cube beside their way. */
const CLOSE = 0.04;

/** Two players of a story in one room: Ada wears an emulated Quest 3, and Bo is at a desk. */
export class HeadsetPair {
  readonly ada: RoomPlayerPage;
  readonly bo: RoomPlayerPage;

  private constructor(ada: RoomPlayerPage, bo: RoomPlayerPage) {
    this.ada = ada;
    this.bo = bo;
  }

  /** Ada makes a room in the headset, and Bo comes by its link. @param scene as the lobby names it. */
  static async meet(browser: Browser, site: Site, scene = 'Pyramid'): Promise<HeadsetPair> {
    const ada = await openPage(browser, `${site.url}?emulate=quest3`);
    await takeUpHeadset(ada);
    await enter(ada, 'VR');
    await pressInLobby(ada.page, scene);
    await pressInLobby(ada.page, 'Start a room');
    await inRoom(ada);
    const bo = await openPage(browser, (await roomOf(ada)).link);
    await inRoom(bo);
    const pair = new HeadsetPair(ada, bo);
    if (scene === 'Pyramid')
      await until('the friend sees a head where the headset is', () => pair.seesHeadAt(inRig([0, 1.6, 0])));
    await until('both have all bodies at rest', () => areAgreed([ada, bo]));
    return pair;
  }

  /** Puts an open hand into a cube. */
  async reachInto(side: HandName, cube: number, off: Point): Promise<void> {
    const [x, y, z] = await positionOf(this.ada, cube);
    await move(this.ada, side, [x + off[0] * 4, y + off[1] * 4, z + off[2] * 4 + 0.5], 400);
    await move(this.ada, side, [x + off[0], y + off[1], z + off[2]], 300);
  }

  async takes(side: HandName, cube: number): Promise<void> {
    await squeeze(this.ada, side, 1);
    await this.bothKnow('Ada takes the cube', cube, 0, side);
  }

  async bothKnow(what: string, cube: number, slot: number, side: HandName): Promise<void> {
    await until(`${what}: cube ${cube} is in the ${side} hand of ${slot}`, async () => {
      const holders = await Promise.all([holderOf(this.ada, cube), holderOf(this.bo, cube)]);
      return holders.every((holder) => holder?.slot === slot && holder.hand === side);
    });
  }

  /** Moves a hand so that the cube in it comes to be somewhere. */
  async carry(to: Point, ms: number): Promise<void> {
    const [hand, cube] = [await deviceOf(this.ada, 'right'), await positionOf(this.ada, TOP)];
    await move(this.ada, 'right', plus(hand, between(cube, to)), ms);
  }

  /** [T5] Does something while a hand holds a cube; both pages show head, hands and cube where the device has them. */
  async bothSee(side: HandName, cube: number, deed: () => Promise<unknown>): Promise<void> {
    await until('the friend sees it where it is', () => this.isShownAlike(cube));
    const inHand = between(await handOf(this.ada, side), await drawnBy(this.ada, cube));
    await watch(this.ada.page, cube);
    await watch(this.bo.page, cube);
    await deed();
    await until('the friend sees where it has come to', () => this.isShownAlike(cube));
    const [own, friends] = [await endWatch(this.ada.page), await endWatch(this.bo.page)];
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

  async isShownAlike(cube: number): Promise<boolean> {
    return distance(await drawnBy(this.ada, cube), await drawnBy(this.bo, cube)) < 0.01;
  }

  async isAway(player: RoomPlayerPage, cube: number, judge: (metres: number) => boolean) {
    const { x, y, z } = (await avatarOf(player, 0)).hands[1].pose.position;
    return judge(distance([x, y, z], await drawnBy(player, cube)));
  }

  async seesHeadAt(at: Point): Promise<boolean> {
    const { x, y, z } = (await avatarOf(this.bo, 0)).head.position;
    return distance([x, y, z], at) < CLOSE;
  }

  async seesHands(wanted: boolean): Promise<boolean> {
    return (await avatarOf(this.bo, 0)).hands.every(({ tracked }) => tracked === wanted);
  }

  /** Bo's hand closes on the cube in Ada's right hand, and she sees it. */
  async boReaches(): Promise<void> {
    const [x, y, z] = await positionOf(this.bo, SECOND);
    await moveHand(this.bo, 'right', [
      { to: [x + 0.8, y, z - 0.3], ms: 30, grip: 0 },
      { to: [x + 0.2, y, z - 0.1], ms: 300, grip: 0 },
      { to: [x + 0.2, y, z - 0.1], ms: 150, grip: 1 },
    ]);
    await until('Ada sees that Bo reaches', async () => (await reachOf(this.ada, 1)) === SECOND);
  }

  async boLetsGo(): Promise<void> {
    const at = await this.boHand();
    await moveHand(this.bo, 'right', [{ to: at, ms: 100, grip: 0 }]);
  }

  async boHand(): Promise<Point> {
    const { x, y, z } = (await avatarOf(this.bo, 1)).hands[1].pose.position;
    return [x, y, z];
  }
}

function handTrack(moments: readonly Body[], index: 0 | 1) {
  return trackOf(moments, ({ hands }) => hands[index]);
}

/** The body that the right hand of a slot reaches for, as a page sees it. */
export async function reachOf(player: RoomPlayerPage, slot: number): Promise<number> {
  return (await avatarOf(player, slot)).hands[1].reach;
}

export async function holderOf(player: RoomPlayerPage, cube: number) {
  return (await inspectOf(player)).bodies[cube].holder;
}

export async function rotationOf(player: RoomPlayerPage, cube: number) {
  const [x, y, z, w] = (await inspectOf(player)).bodies[cube].rotation;
  return { x, y, z, w };
}

export function textOf(vector: Point): string {
  return vector.map((each) => each.toFixed(2)).join(' ');
}
