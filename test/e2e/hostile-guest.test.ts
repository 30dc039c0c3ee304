import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureShown, untilPresence } from '../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import { areAgreed, joinByCode, openPage, startRoom, until } from '../support/pages/room-page.ts';
import type { Site } from '../support/run/stories.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';

const GUEST_SLOT = 1;
/** As long as a name may be, and as bad. */
const MARKUP = '<img src=x onerror=alert(1)>';

/** Runs in a page: from now on every packet that it sends has a byte too many. */
function garblePackets(): void {
  const prototype = RTCDataChannel.prototype as { send: (data: Uint8Array) => void };
  const { send } = prototype;
  prototype.send = function (this: RTCDataChannel, data: Uint8Array) {
    send.call(this, this.label === 'packets' ? Uint8Array.from([...data, 1]) : data);
  };
}

describe('a guest whose page breaks the rules', () => {
  let site: Site;
  let browser: Browser;
  let players: RoomPlayerPage[];

  beforeAll(async () => {
    site = openSite();
    browser = await connectBrowser();
    players = await Promise.all([1, 2].map(() => openPage(browser, site.url)));
  });
  afterAll(() => browser.close());

  it('[F1.4] is removed with that reason; its name was text, and the host plays on', async () => {
    const [host, guest] = players;
    const { code } = await startRoom(host, 'Ada', 'tower');
    await joinByCode(guest, MARKUP, code);
    await until('both have the tower at rest', () => areAgreed([host, guest]));
    expect(await host.page.locator('img[src="x"]').count()).toBe(0);

    await guest.page.evaluate(garblePackets);
    console.log(`sent out within ${(await failureShown(guest, 'rules')).toFixed(1)} s`);
    await untilPresence(host, GUEST_SLOT, undefined);
    const ticks = (): Promise<number> => host.page.evaluate(() => window.handover?.inspect()[0].tick ?? 0);
    const before = await ticks();
    await until('the host plays on', async () => (await ticks()) > before + 30);
    for (const { faults } of players) expect(faults).toEqual([]);
  });
});
