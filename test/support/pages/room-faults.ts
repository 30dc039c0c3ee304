import type { JSHandle, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Presence } from '../../../src/core/room/messages.ts';
import type { Failure } from '../../../src/pages/room/sentences.ts';
import { FAILURES } from '../../../src/pages/room/sentences.ts';
import { PATIENCE } from '../run/patience.ts';
import type { RoomPlayerPage } from './room-page.ts';
import { roomOf, until } from './room-page.ts';

/** Waits until the lobby says what went wrong, in its words. Returns after how many seconds it did. */
export async function failureShown(
  { page }: RoomPlayerPage,
  failure: Failure,
  seconds = PATIENCE,
): Promise<number> {
  const began = performance.now();
  const { title, text, remedy } = FAILURES[failure];
  const lobby = page.getByRole('region', { name: 'Lobby' });
  await lobby.getByRole('heading', { name: title }).waitFor({ timeout: seconds * 1000 });
  const taken = (performance.now() - began) / 1000;
  const card = lobby.getByRole('alert').filter({ hasText: title });
  expect(await card.innerText()).toContain(text);
  expect(await card.getByRole('button', { name: 'Try again' }).isVisible()).toBe(remedy === 'retry');
  expect(await page.getByRole('button', { name: 'Menu (key M)' }).count(), 'no room behind it').toBe(0);
  return taken;
}

export async function tryAgain({ page }: RoomPlayerPage): Promise<void> {
  await page.getByRole('button', { name: 'Try again' }).click();
}

/** Types a code into the lobby and asks for that room, whatever comes of it. */
export async function askForRoom({ page }: RoomPlayerPage, name: string, code: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your friend’s code').fill(code);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
}

/** Opens the menu of a room, if it is not open, and returns it. */
export async function openMenu({ page }: { readonly page: Page }): Promise<Locator> {
  const menu = page.getByRole('dialog', { name: 'Menu' });
  if (!(await menu.isVisible())) await page.getByRole('button', { name: 'Menu (key M)' }).click();
  await menu.waitFor();
  return menu;
}

/** Leaves by the menu, which asks first if friends are here. */
export async function leaveByMenu(player: RoomPlayerPage): Promise<void> {
  const { page } = player;
  const menu = await openMenu(player);
  await menu.getByRole('button', { name: 'Leave the room' }).click();
  const lobby = page.getByRole('button', { name: 'Start a room' });
  const agree = menu.getByRole('button', { name: 'Leave', exact: true });
  await lobby.or(agree).waitFor();
  if (await agree.isVisible()) await agree.click();
  await lobby.waitFor();
}

/** A host removes a player. */
export async function removeByMenu(host: RoomPlayerPage, name: string): Promise<void> {
  const menu = await openMenu(host);
  await menu.getByRole('button', { name: `Remove ${name} from the room` }).click();
  await menu.getByRole('button', { name: 'Remove', exact: true }).click();
}

/** A page's record of a player; undefined if it has none in this slot. */
export async function presenceOf(player: RoomPlayerPage, slot: number): Promise<Presence | undefined> {
  return (await roomOf(player)).players.find((other) => other.slot === slot)?.presence;
}

/** Waits until a page has a player so. Returns after how many seconds it had. */
export function untilPresence(
  player: RoomPlayerPage,
  slot: number,
  presence: Presence | undefined,
  seconds = PATIENCE,
): Promise<number> {
  const what = `the player of slot ${slot} is ${presence ?? 'gone'}`;
  return until(what, async () => (await presenceOf(player, slot)) === presence, seconds);
}

/** Milliseconds on the page's clock at which a player was first seen so. */
export type Sighting = { readonly presence: Presence | 'gone'; readonly at: number };

/** Writes down from now on how a page sees a player, change by change. */
export function watchPresence({ page }: RoomPlayerPage, slot: number): Promise<JSHandle<Sighting[]>> {
  return page.evaluateHandle((slot) => {
    const seen: Sighting[] = [];
    setInterval(() => {
      const player = window.handover?.room?.().players.find((other) => other.slot === slot);
      const presence = player?.presence ?? 'gone';
      if (seen.at(-1)?.presence !== presence) seen.push({ presence, at: performance.now() });
    }, 10);
    return seen;
  }, slot);
}

/** The storage that a tab keeps over a reload. */
export function tabStorage({ page }: RoomPlayerPage): Promise<Record<string, string>> {
  return page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)));
}

/** Another tab of the same browser that begins with what a tab kept: its duplicate, or what is brought back. */
export async function openTwin(
  { context }: RoomPlayerPage,
  storage: Readonly<Record<string, string>>,
  url: string,
): Promise<RoomPlayerPage> {
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.addInitScript((storage) => {
    // Its own later: a reload finds what it has written itself.
    if (sessionStorage.length === 0) for (const key in storage) sessionStorage.setItem(key, storage[key]);
  }, storage);
  await page.goto(url);
  return { page, context, faults };
}

/** Ends a page's process in the middle of what it does. */
export async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise((resolve) => void page.once('crash', resolve));
  // It never answers.
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
}

/**
 * Waits until some players name the same host, another than the former, and are well connected to it.
 * A page that votes late is passed over, so on a busy machine it is not always the lowest slot ([F4.4]).
 * @param meanwhile is done before each look at them.
 * @returns the slot of that host. @throws Error with what each of them has, if it takes longer than some seconds.
 */
export async function nextHost(
  of: readonly RoomPlayerPage[],
  former: number,
  seconds = PATIENCE,
  meanwhile = async (): Promise<void> => {},
): Promise<number> {
  let next = former;
  await until(
    'all have the same next host',
    async () => {
      await meanwhile();
      const rooms = await Promise.all(of.map(roomOf));
      const seen = rooms.map(({ you, host, connection }) => `${you} has ${host}, ${connection}`);
      next = rooms[0].host;
      if (next !== former && rooms.every(({ host, connection }) => host === next && connection === 'good'))
        return true;
      throw new Error(seen.join('; '));
    },
    seconds,
  );
  return next;
}
