import type { Browser, JSHandle, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { launchBrowser, PLAIN_ADDRESSES } from '../support/browser.ts';
import type { Step } from '../support/room-moves.ts';
import { dropHand, grabCube, moveHand, positionOf } from '../support/room-moves.ts';
import type { RoomPlayerPage } from '../support/room-page.ts';
import {
  areAgreed,
  inspectOf,
  joinByCode,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../support/room-page.ts';
import type { PageServer } from '../support/server.ts';
import { startBuiltServer } from '../support/server.ts';

const HIDDEN_MS = 30_000;
/** The top of the pyramid. */
const CUBE = 35;
/** Frames after the return that are looked at. */
const FRAMES = 5;

type Point = readonly [x: number, y: number, z: number];

describe('a room whose host and one guest look at something else', () => {
  let server: PageServer;
  let browser: Browser;
  let players: RoomPlayerPage[] = [];

  beforeAll(async () => {
    server = await startBuiltServer();
    browser = await launchBrowser({ keepAwake: true, args: PLAIN_ADDRESSES });
    players = await Promise.all([1, 2, 3].map(() => openPage(browser, server.url)));
    const [host, ...guests] = players;
    const { code } = await startRoom(host, 'Ada', 'pyramid');
    for (const [i, guest] of guests.entries()) await joinByCode(guest, ['Bo', 'Cy'][i], code);
    await until('all have the pyramid at rest', () => areAgreed(players));
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('[T4] they go on at 60 ticks a second, are here for others, and see the present on their return', async () => {
    const [host, hiddenGuest, awake] = players;
    const hidden = [host, hiddenGuest];
    const at = await grabCube(awake, 'right', CUBE);
    const pages = await Promise.all(hidden.map(({ page }) => hide(page)));
    const before = await Promise.all(hidden.map(clockOf));

    const seen = new Set<string>();
    const watching = setInterval(() => {
      void roomOf(awake).then((room) => room.players.forEach(({ presence }) => seen.add(presence)));
    }, 500);
    await moveHand(awake, 'right', wander(at));
    clearInterval(watching);
    const after = await Promise.all(hidden.map(clockOf));

    const rates = after.map(({ tick, ms }, i) => ((tick - before[i].tick) * 1000) / (ms - before[i].ms));
    console.log(`ticks a second while hidden: ${rates.map((rate) => rate.toFixed(1)).join(' and ')}`);
    for (const rate of rates) expect(Math.abs(rate - TICK_RATE), 'ticks a second too many').toBeLessThan(5);
    expect([...seen], 'how they were seen').toEqual(['here']);

    const present = await positionOf(awake, CUBE);
    const drawn = await Promise.all(pages.map((page) => framesAfterReturn(page, CUBE)));
    const errors = drawn.map((frames) => frames.map((each) => distance(each, present)));
    console.log(
      `centimetres off in the first frames: ${errors.map((each) => each.map((metres) => (100 * metres).toFixed(1)).join(' ')).join('; ')}`,
    );
    expect(Math.max(...errors.flat()), 'metres off in the first frames').toBeLessThan(0.05);

    await dropHand(awake, 'right');
    await until('all agree', () => areAgreed(players), 40);
    for (const { faults } of players) expect(faults).toEqual([]);
  });
});

/** A hand's way to places far from each other, for as long as the others are hidden; it ends at rest. */
function wander(from: Point): Step[] {
  const far: Point[] = [
    [-4, 1, 3],
    [4, 2.5, 3],
    [3, 1.5, -3],
  ];
  const ms = HIDDEN_MS / 6;
  const steps = far.flatMap((to): Step[] => [
    { to, ms, grip: 1 },
    { to, ms, grip: 1 },
  ]);
  return [{ to: from, ms: 20, grip: 1 }, ...steps];
}

/** What brings a hidden page back. */
type Hidden = { show(): void };

/**
 * A page as a browser treats it behind other windows: told that it is hidden, with no more frames. Its timers are
 * left alone: those that browsers slow down are not the ones that matter.
 */
function hide(page: Page): Promise<JSHandle<Hidden>> {
  return page.evaluateHandle(() => {
    const waiting: FrameRequestCallback[] = [];
    const request = window.requestAnimationFrame;
    const tell = (hidden: boolean): void => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
      const state = hidden ? 'hidden' : 'visible';
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    tell(true);
    return {
      show() {
        window.requestAnimationFrame = request;
        tell(false);
        waiting.forEach((callback) => request(callback));
      },
    };
  });
}

/** Brings a page back, and says where it draws a body in its first frames. */
function framesAfterReturn(hidden: JSHandle<Hidden>, body: number): Promise<Point[]> {
  return hidden.evaluate(
    (page, { body, frames }) =>
      new Promise<Point[]>((resolve) => {
        const drawn: Point[] = [];
        const look = (): void => {
          const slot = window.handover?.inspect()[0].slot ?? 0;
          const { x, y, z } = window.handover?.drawn(slot, body) ?? { x: NaN, y: NaN, z: NaN };
          drawn.push([x, y, z]);
          if (drawn.length < frames) requestAnimationFrame(look);
          else resolve(drawn);
        };
        // Asked for after the page's own, it comes after it.
        page.show();
        requestAnimationFrame(look);
      }),
    { body, frames: FRAMES },
  );
}

async function clockOf(player: RoomPlayerPage): Promise<{ tick: number; ms: number }> {
  const { tick } = await inspectOf(player);
  return { tick, ms: performance.now() };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(...a.map((value, i) => value - b[i]));
}
