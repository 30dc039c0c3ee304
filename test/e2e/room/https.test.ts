import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropHand, grabCube } from '../../support/pages/room-moves.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startServer } from '../../support/run/server.ts';
import { connectBrowser } from '../../support/run/stories.ts';

describe('the https address of `npm start`', () => {
  let server: PageServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer({ HTTPS_PORT: '0' }), connectBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('brings who accepts its certificate, and who comes by http, into one room', async () => {
    const accepted = { ignoreHTTPSErrors: true };
    const host = await openPage(browser, server.secureUrl ?? '', accepted);
    const { code, link } = await startRoom(host, 'Ada', 'pyramid');
    expect(link.startsWith(`${server.secureUrl}?room=${code}&id=`)).toBe(true);
    const guests = [
      await openPage(browser, link, accepted),
      await openPage(browser, `${server.url}?room=${code}`),
    ];
    for (const guest of guests) await inRoom(guest);
    const players = [host, ...guests];
    await until('all have the pyramid at rest', () => areAgreed(players));
    await grabCube(guests[0], 'right', 35);
    const holderOn = async (player: (typeof players)[number]): Promise<number | undefined> =>
      (await inspectOf(player)).bodies[35].holder?.slot;
    await until('all see whose hand it is in', async () => {
      const { you } = await roomOf(guests[0]);
      return (await Promise.all(players.map(holderOn))).every((slot) => slot === you);
    });
    await dropHand(guests[0], 'right');
    await until('all agree', () => areAgreed(players));
    for (const { faults, context } of players) {
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});
