import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RoomFigures } from '../../src/pages/room/model.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { dropHand, grabCube, throwCube } from '../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import { areAgreed, inRoom, openPage, roomOf, startRoom, until } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

const SECONDS = 20;
const RATES = ['payloadUp', 'payloadDown', 'socketUp', 'socketDown'] as const;

/** The cost of a room at the socket, as the browser counts it. The rows are the table in docs/costs.md. */
describe('bandwidth over WebRTC', () => {
  let site: Site;
  let browser: Browser;

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
  });
  afterAll(() => browser.close());

  it.each([2, 4])('%i players', async (count) => {
    const host = await openPage(browser, site.url, {}, { frameRate: TICK_RATE, fills: true });
    const { link } = await startRoom(host, 'Ada', 'wall');
    const guests = await Promise.all(
      Array.from({ length: count - 1 }, () =>
        openPage(browser, link, {}, { frameRate: TICK_RATE, fills: true }),
      ),
    );
    const players = [host, ...guests];
    await Promise.all(guests.map((guest) => inRoom(guest)));
    await until('all have the wall at rest', () => areAgreed(players));

    for (const [what, play] of [
      ['at rest', false],
      ['in play', true],
    ] as const) {
      const deadline = performance.now() + SECONDS * 1000;
      const playing = play ? players.map((player, i) => keepThrowing(player, i, deadline)) : [];
      const [ofHost, ofGuest] = await Promise.all([watch(host, deadline), watch(guests[0], deadline)]);
      await Promise.all(playing);
      console.log(`| ${count} | ${what} | host | ${ofHost.map(cell).join(' | ')} |`);
      console.log(`| ${count} | ${what} | guest | ${ofGuest.map(cell).join(' | ')} |`);
      expect(ofGuest[0].mean).toBeGreaterThan(0);
    }
    for (const { context } of players) await context.close();
  });
});

type Rate = { readonly mean: number; readonly most: number };

function cell({ mean, most }: Rate): string {
  return `${mean.toFixed(0)} (${most.toFixed(0)})`;
}

/** Mean and largest of a page's figures, second by second: kbit/s. */
async function watch(player: RoomPlayerPage, deadline: number): Promise<Rate[]> {
  const seen: RoomFigures[] = [];
  while (performance.now() < deadline) {
    await player.page.waitForTimeout(1000);
    seen.push((await roomOf(player)).figures);
  }
  return RATES.map((name) => {
    const values = seen.map((figures) => figures[name]).filter(Number.isFinite);
    return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, most: Math.max(...values) };
  });
}

/** Grabs and throws one cube after the other. */
async function keepThrowing(player: RoomPlayerPage, index: number, deadline: number): Promise<void> {
  for (let turn = 0; performance.now() < deadline; turn++) {
    const body = 63 - 8 * (turn % 8) - index * 2;
    // Somebody else may have it, or it rolls: then the next.
    const grabbed = await grabCube(player, 'right', body, 1).catch(() => null);
    if (grabbed !== null) await throwCube(player, 'right', grabbed);
  }
  await dropHand(player, 'right');
}
