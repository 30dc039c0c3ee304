import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAILURES } from '../../src/pages/room/sentences.ts';
import { launchBrowser, PLAIN_ADDRESSES } from '../support/browser.ts';
import { askForRoom, failureShown, leaveByMenu, openMenu, untilPresence } from '../support/room-faults.ts';
import { dropHand, grabCube } from '../support/room-moves.ts';
import type { RoomPlayerPage } from '../support/room-page.ts';
import { inRoom, joinByCode, openPage, roomOf, startRoom, until } from '../support/room-page.ts';
import type { PageServer } from '../support/server.ts';
import { startBuiltServer } from '../support/server.ts';

const GUEST_SLOT = 1;
/** The top of the pyramid. */
const CUBE = 35;
/** Seconds; without a word it takes longer. */
const AT_ONCE = 5;
/** A microphone, which needs the player's consent; and a player who always consents. */
const DEVICE = '--use-fake-device-for-media-stream';
const CONSENT = '--use-fake-ui-for-media-stream';

let server: PageServer;
beforeAll(async () => {
  server = await startBuiltServer();
});
afterAll(() => server.close());

describe('ways out of a room, and back', () => {
  let browser: Browser;
  let host: RoomPlayerPage;
  let guest: RoomPlayerPage;
  let code = '';

  beforeAll(async () => {
    browser = await launchBrowser({ keepAwake: true, args: PLAIN_ADDRESSES });
    [host, guest] = await Promise.all([1, 2].map(() => openPage(browser, server.url)));
    ({ code } = await startRoom(host, 'Ada', 'pyramid'));
  });
  afterAll(() => browser.close());

  const isInLobby = ({ page }: RoomPlayerPage): Promise<void> =>
    page.getByRole('button', { name: 'Start a room' }).waitFor();

  it('Cancel while a room is looked for leads back to the lobby', async () => {
    await askForRoom(guest, 'Bo', code === 'AAAAA' ? 'CCCCC' : 'AAAAA');
    await guest.page.getByRole('button', { name: 'Cancel' }).click();
    await isInLobby(guest);
    expect(guest.page.url()).toBe(server.url);
    // What was cancelled does not come after all, not even as a failure.
    await new Promise((resolve) => void setTimeout(resolve, 3000));
    expect(await guest.page.getByRole('alert').filter({ visible: true }).count()).toBe(0);
    expect(guest.faults).toEqual([]);
  });

  it('[F3] Back leads from a room to the lobby, where others see it gone at once, and Forward comes in again', async () => {
    await joinByCode(guest, 'Bo', code);
    await untilPresence(host, GUEST_SLOT, 'here');
    await guest.page.goBack();
    const seconds = await untilPresence(host, GUEST_SLOT, 'away');
    console.log(`a guest who went back was away after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(2);
    await isInLobby(guest);
    await guest.page.goForward();
    await inRoom(guest);
    await untilPresence(host, GUEST_SLOT, 'here');
    expect((await roomOf(guest)).you).toBe(GUEST_SLOT);
    expect(guest.faults).toEqual([]);
  });

  it('[F3] a host that is loaded again is host under the same code, and its guest comes in again', async () => {
    await host.page.reload();
    await inRoom(host);
    const room = await roomOf(host);
    expect([room.code, room.you, room.host]).toEqual([code, 0, 0]);
    await failureShown(guest, 'host left', AT_ONCE);
    await askForRoom(guest, 'Bo', code);
    await inRoom(guest);
    await until('both see each other', async () => {
      const rooms = await Promise.all([host, guest].map(roomOf));
      return rooms.every(({ players }) => players.length === 2);
    });
  });

  it('[F5] a host that leaves by the menu closes the room, and its guests are told in the lobby', async () => {
    await leaveByMenu(host);
    expect(host.page.url()).toBe(server.url);
    await failureShown(guest, 'host left', AT_ONCE);
    expect(guest.page.url(), 'nothing to come back to').toBe(server.url);
    await askForRoom(guest, 'Bo', code);
    await failureShown(guest, 'room not found');
  });
});

describe('[F5] without a microphone', () => {
  it.each([
    ['refused', DEVICE],
    ['missing', CONSENT],
  ] as const)('that is %s, the voice button says why, and play goes on', async (reason, arg) => {
    const browser = await launchBrowser({ args: [arg] });
    try {
      const player = await openPage(browser, server.url);
      await startRoom(player, 'Ada', 'pyramid');
      await player.page.getByRole('button', { name: 'Turn my voice on' }).click();
      await player.page.getByRole('button', { name: 'No microphone: show why' }).click();
      const { title, text } = FAILURES[`microphone ${reason}`];
      await (await openMenu(player)).getByText(`${title} ${text}`).waitFor();
      await grabCube(player, 'right', CUBE);
      await dropHand(player, 'right');
      expect(player.faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
