import type { Browser } from 'playwright-core';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { launchBrowser } from '../../support/run/browser.ts';
import { PATIENCE } from '../../support/run/patience.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inspectOf, joinByCode, openPage, roomOf } from '../../support/pages/room-page.ts';
import { restIn } from '../rest.ts';

/** The figures of one page. */
export type PageFigures = {
  /** Pictures a second, without their pixels; in slow motion the page has N times as long for each. */
  readonly pictures: number;
  /** The longest time between two pictures, in milliseconds of play. */
  readonly stallMs: number;
  /** The longest time for which the left hand of one of the watched players stood still or was not seen, in milliseconds of play. */
  readonly gapMs: number;
};

declare global {
  interface Window {
    /** Since it was last called. */
    takeFigures?: () => PageFigures;
    /** Lowers the hand. */
    endPlay?: () => void;
  }
}

/** Frames a second of its display. */
const FRAME_RATE = 60;

/** A real page of Chromium among the players of a load. Its right hand goes round in the pile, and opens and closes. */
export class PagePlayer {
  readonly #browser: Browser;
  readonly #player: RoomPlayerPage;

  private constructor(browser: Browser, player: RoomPlayerPage) {
    this.#browser = browser;
    this.#player = player;
  }

  /** @param slow how many times slower than life it runs. @throws Error with what was waited for. */
  static async enter(url: string, code: RoomCode, slow: number): Promise<PagePlayer> {
    const browser = await launchBrowser();
    try {
      browser.on('context', (context) => context.setDefaultTimeout(slow * PATIENCE * 1000));
      const player = await openPage(browser, url, {}, { frameRate: FRAME_RATE, slow });
      await joinByCode(player, 'Page', code);
      return new PagePlayer(browser, player);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** @param watched the slots of players whose left hands always move. */
  async play(watched: readonly number[]): Promise<void> {
    await this.#player.page.evaluate(playInPage, watched);
  }

  /** @returns the figures since the last call, or since it plays. */
  async takeFigures(): Promise<PageFigures> {
    const figures = await this.#player.page.evaluate(() => window.takeFigures?.());
    if (figures === undefined) throw new Error('The page does not play.');
    return figures;
  }

  /** Lowers the hand. @returns as `restOf`. */
  async rest(): Promise<string> {
    await this.#player.page.evaluate(() => window.endPlay?.());
    return restIn(await inspectOf(this.#player));
  }

  /** True while it is in its room. */
  async isIn(): Promise<boolean> {
    return (await roomOf(this.#player)).connection === 'good';
  }

  /** Ends the browser. */
  stop(): void {
    void this.#browser.close();
  }
}

/** Runs in the page. */
function playInPage(watched: readonly number[]): void {
  /** Metres: a moving hand moves more than this from picture to picture. */
  const STILL = 0.001;
  const { handover } = window;
  const slot = handover?.inspect()[0].slot ?? 0;
  const timer = setInterval(() => {
    const seconds = performance.now() / 1000;
    const position = { x: Math.sin(seconds), y: 0.5 + 0.4 * Math.cos(3 * seconds), z: Math.cos(seconds) };
    handover?.hand(slot, 'right', { position, grip: seconds % 2 < 1 ? 1 : 0 });
  }, 16);
  window.endPlay = () => {
    clearInterval(timer);
    handover?.hand(slot, 'right', null);
  };
  let [pictures, beganMs, lastMs, stallMs, gapMs] = [0, performance.now(), performance.now(), 0, 0];
  const moved = new Map(watched.map((other) => [other, { x: NaN, y: NaN, atMs: beganMs }]));
  const look = (): void => {
    requestAnimationFrame(look);
    const nowMs = performance.now();
    pictures++;
    stallMs = Math.max(stallMs, nowMs - lastMs);
    lastMs = nowMs;
    for (const [other, last] of moved) {
      gapMs = Math.max(gapMs, nowMs - last.atMs);
      const hand = handover?.avatar(slot, other)?.hands[0];
      if (hand?.tracked !== true) continue;
      const { x, y } = hand.pose.position;
      if (!(Math.hypot(x - last.x, y - last.y) < STILL)) moved.set(other, { x, y, atMs: nowMs });
    }
  };
  requestAnimationFrame(look);
  window.takeFigures = () => {
    const nowMs = performance.now();
    const taken = { pictures: (1000 * pictures) / (nowMs - beganMs), stallMs, gapMs };
    [pictures, beganMs, stallMs, gapMs] = [0, nowMs, 0, 0];
    return taken;
  };
}
