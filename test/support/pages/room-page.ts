import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Inspection } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { RoomModel } from '../../../src/pages/room/model.ts';
import { PATIENCE } from '../run/patience.ts';
import { slowPage } from './slow-page.ts';

/** One player of a room: a page in a browser context of its own, as on a machine of its own. */
export type RoomPlayerPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The errors of the page so far. */
  readonly faults: string[];
};

declare global {
  interface Window {
    /** Whether WebGL fills pixels, in a page that was opened not to fill them. */
    fillsPixels?: boolean;
  }
}

/** Small and coarse: software draws it. */
const VIEWPORT = { width: 480, height: 320 };
const PIXEL_RATIO = 0.5;
/**
 * Frames a second that a page draws at the most, as on a slow display: a room's pages share two cores. It sends as
 * many packets: the ticks of one frame find the channel busy [F2].
 */
const FRAME_RATE = 24;

/** Outside vitest, tsx has a function that runs in a page call this helper, which only the tests' own modules have. */
const KEEPS_NAMES = 'globalThis.__name ??= (named) => named;';

/** Shows a page. */
export type Display = {
  /** Frames a second that it draws at the most. */
  readonly frameRate?: number;
  /** Whether pixels are filled: in software they take most of what a page takes, and few stories look at them. */
  readonly fills?: boolean;
  /** So many times slower than life the page runs. */
  readonly slow?: number;
};

/** Opens a page of the site as somebody who has never been there. */
export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser['newContext']>[0] = {},
  { frameRate = FRAME_RATE, fills = false, slow = 1 }: Display = {},
): Promise<RoomPlayerPage> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    deviceScaleFactor: PIXEL_RATIO,
    ...options,
  });
  await context.addInitScript(KEEPS_NAMES);
  if (slow > 1) await context.addInitScript(slowPage, slow);
  await context.addInitScript(slowDisplay, { rate: frameRate, slow });
  if (!fills) await context.addInitScript(fillSeldom);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(url);
  return { page, context, faults };
}

/** Runs in a page before all else: frames come no more often than `rate` a second of a page that is `slow` times slower. */
function slowDisplay({ rate, slow }: { readonly rate: number; readonly slow: number }): void {
  /** Milliseconds between two refreshes of a display. */
  const REFRESH_MS = 17 / slow;
  const request = window.requestAnimationFrame.bind(window);
  const waiting = new Map<number, FrameRequestCallback>();
  // A display keeps its rhythm: the time between two frames is judged from halfway into a refresh.
  const least = 1000 / rate - 8 / slow;
  let [last, asked, isAsked] = [-Infinity, 0, false];
  window.requestAnimationFrame = (callback) => {
    waiting.set(++asked, callback);
    if (!isAsked) askForFrame(performance.now());
    isAsked = true;
    return asked;
  };
  window.cancelAnimationFrame = (id) => void waiting.delete(id);
  // A browser that is asked for each refresh works for each, though nothing is drawn.
  function askForFrame(now: number): void {
    const left = least - (now - last);
    if (left > REFRESH_MS) setTimeout(() => request(onFrame), left - REFRESH_MS);
    else request(onFrame);
  }
  function onFrame(now: number): void {
    if (now - last < least) {
      askForFrame(now);
      return;
    }
    [last, isAsked] = [now, false];
    const callbacks = [...waiting.values()];
    waiting.clear();
    for (const callback of callbacks) callback(now);
  }
}

/** Runs in a page before all else: WebGL does all that it is told, but fills pixels only while `fillsPixels` is true. */
function fillSeldom(): void {
  const gl = WebGL2RenderingContext.prototype;
  const fills = [
    'clear',
    'drawArrays',
    'drawArraysInstanced',
    'drawElements',
    'drawElementsInstanced',
  ] as const;
  for (const name of fills) {
    const fill = gl[name] as (...args: unknown[]) => void;
    gl[name] = function (this: WebGL2RenderingContext, ...args: unknown[]): void {
      if (window.fillsPixels === true) fill.apply(this, args);
    };
  }
}

/** Starts a room from the lobby. Returns its code, and the link for friends. */
export async function startRoom(
  { page }: RoomPlayerPage,
  name: string,
  scene: string,
): Promise<{ code: string; link: string }> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Scene').selectOption(scene);
  await page.getByRole('button', { name: 'Start a room' }).click();
  await inRoom({ page });
  const { code, link } = await roomOf({ page });
  return { code, link };
}

/** Joins by typing the code into the lobby. */
export async function joinByCode({ page }: RoomPlayerPage, name: string, code: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your friend’s code').fill(code);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await inRoom({ page });
}

/** Waits until the page is in its room. */
export async function inRoom({ page }: { readonly page: Page }, seconds = PATIENCE): Promise<void> {
  await page.waitForFunction(() => window.handover?.room !== undefined, null, { timeout: seconds * 1000 });
}

export async function roomOf({ page }: { readonly page: Page }): Promise<RoomModel> {
  return page.evaluate(() => {
    const model = window.handover?.room?.();
    if (model === undefined) throw new Error('the page is in no room');
    return model;
  });
}

export async function inspectOf({ page }: { readonly page: Page }): Promise<Inspection> {
  return page.evaluate(() => {
    const inspection = window.handover?.inspect()[0];
    if (inspection === undefined) throw new Error('the page has no peer');
    return inspection;
  });
}

/**
 * Polls until a condition holds, and returns the seconds that it took. A condition that throws does not hold yet: a
 * page has no players for a moment while its scene changes. @throws Error with what was waited for, and the last
 * error of the condition as its cause.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean>,
  seconds = PATIENCE,
): Promise<number> {
  const start = performance.now();
  let cause: unknown;
  while (performance.now() - start < seconds * 1000) {
    try {
      if (await condition()) return (performance.now() - start) / 1000;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  throw new Error(`within ${seconds} s: ${what}`, { cause });
}

/** [I1] True if all pages have every body at rest, under none, in the same pose, by the same sequences. */
export async function areAgreed(players: readonly RoomPlayerPage[]): Promise<boolean> {
  const texts = new Set<string>();
  for (const player of players) {
    const { bodies } = await inspectOf(player);
    if (!bodies.every(({ resting, authority }) => resting && authority === null)) return false;
    texts.add(
      JSON.stringify(
        bodies.map(({ position, rotation, ownershipSequence, authoritySequence }) => [
          position,
          rotation,
          ownershipSequence,
          authoritySequence,
        ]),
      ),
    );
  }
  return texts.size === 1;
}
