import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import { FAILURES } from '../../../src/pages/room/sentences.ts';
import { framesAfterReturn, hide } from '../../support/pages/hidden-page.ts';
import {
  askForRoom,
  failureShown,
  crash,
  leaveByMenu,
  openMenu,
  openTwin,
  presenceOf,
  tabStorage,
  untilPresence,
} from '../../support/pages/room-faults.ts';
import type { Step } from '../../support/pages/room-moves.ts';
import { dropHand, grabCube, moveHand, positionOf } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  joinByCode,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import { launchBrowser, MICROPHONE } from '../../support/run/browser.ts';
import type { Site } from '../../support/run/stories.ts';
import { connectWholeBrowser, openSite } from '../../support/run/stories.ts';

/** Nothing much happens while pages are hidden: another room is tried in that time. */
const MEANWHILE = { concurrent: true };
const IN_TURN = { concurrent: false };

const HIDDEN_MS = 30_000;
const [HOST_SLOT, GUEST_SLOT] = [0, 1];
/** The top of the pyramid. */
const CUBE = 35;
/** Seconds; without a word it takes longer. */
const AT_ONCE = 5;
/** A player who always lets pages use the microphone. */
const CONSENT = '--use-fake-ui-for-media-stream';

type Point = readonly [x: number, y: number, z: number];

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = openSite();
  browser = await connectWholeBrowser();
});
afterAll(() => browser.close());

describe('a room whose host and one guest look at something else', MEANWHILE, () => {
  it('[T4.1] they go on at 60 ticks a second, are here for others, and see the present on their return', async () => {
    const players = await Promise.all([1, 2, 3].map(() => openPage(browser, site.url)));
    const [host, hiddenGuest, awake] = players;
    const { code } = await startRoom(host, 'Ada', 'pyramid');
    await Promise.all([joinByCode(hiddenGuest, 'Bo', code), joinByCode(awake, 'Cy', code)]);
    const at = await grabCube(awake, 'right', CUBE);
    const hidden = [host, hiddenGuest];
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
    for (const rate of rates) expect(Math.abs(rate - TICK_RATE), 'ticks a second off').toBeLessThan(5);
    expect([...seen], 'how they were seen').toEqual(['here']);

    const present = await positionOf(awake, CUBE);
    const drawn = await Promise.all(pages.map((page) => framesAfterReturn(page, CUBE)));
    const errors = drawn.flatMap((frames) => frames.map((each) => distance(each, present)));
    console.log(`at the most ${(100 * Math.max(...errors)).toFixed(1)} cm off in the first frames`);
    expect(Math.max(...errors), 'metres off in the first frames').toBeLessThan(0.05);

    await dropHand(awake, 'right');
    await until('all agree', () => areAgreed(players));
    for (const { faults } of players) expect(faults).toEqual([]);
    for (const { context } of players) await context.close();
  });
});

describe('meanwhile, one after another,', MEANWHILE, () => {
  describe('ways out of a room, and back', IN_TURN, () => {
    let host: RoomPlayerPage;
    let guest: RoomPlayerPage;
    let code = '';

    beforeAll(async () => {
      [host, guest] = await Promise.all([1, 2].map(() => openPage(browser, site.url)));
      ({ code } = await startRoom(host, 'Ada', 'pyramid'));
    });
    afterAll(async () => {
      for (const { context } of [host, guest]) await context.close();
    });

    const isInLobby = ({ page }: RoomPlayerPage): Promise<void> =>
      page.getByRole('button', { name: 'Start a room' }).waitFor();

    it('Cancel while a room is looked for leads back to the lobby', async () => {
      await askForRoom(guest, 'Bo', code === 'AAAAA' ? 'CCCCC' : 'AAAAA');
      await guest.page.getByRole('button', { name: 'Cancel' }).click();
      await isInLobby(guest);
      expect(guest.page.url()).toBe(site.url);
      // A cancelled attempt brings the page into no room later, and shows no failure.
      await new Promise((resolve) => void setTimeout(resolve, 3000));
      expect(await guest.page.getByRole('alert').filter({ visible: true }).count()).toBe(0);
      expect(guest.faults).toEqual([]);
    });

    it('[F3.1] Back leads to the lobby, where others see it gone at once, and Forward comes in again', async () => {
      await joinByCode(guest, 'Bo', code);
      await untilPresence(host, GUEST_SLOT, 'here');
      await guest.page.goBack();
      const seconds = await untilPresence(host, GUEST_SLOT, 'away');
      console.log(`a guest who went back was away after ${seconds.toFixed(1)} s`);
      expect(seconds).toBeLessThan(AT_ONCE);
      await isInLobby(guest);
      await guest.page.goForward();
      await inRoom(guest);
      await untilPresence(host, GUEST_SLOT, 'here');
      expect((await roomOf(guest)).you).toBe(GUEST_SLOT);
      expect(guest.faults).toEqual([]);
    });

    it('[F4.15] a host that is loaded again comes back as a guest, under the same code and in its slot', async () => {
      await host.page.reload();
      await inRoom(host);
      const room = await roomOf(host);
      expect([room.code, room.you, room.host]).toEqual([code, HOST_SLOT, GUEST_SLOT]);
      await until('both see each other', async () => {
        const rooms = await Promise.all([host, guest].map(roomOf));
        return rooms.every(({ players }) => players.length === 2);
      });
    });

    it('[F4.6] a host that leaves by the menu leaves the room to the other; with the last one it is gone', async () => {
      await leaveByMenu(guest);
      expect(guest.page.url()).toBe(site.url);
      await until('the other is host', async () => (await roomOf(host)).host === HOST_SLOT, AT_ONCE);
      await leaveByMenu(host);
      await askForRoom(guest, 'Bo', code);
      await failureShown(guest, 'room not found');
    });
  });

  it(
    '[F3.3] [H6.1] a cube that a crashed page held falls free, and its seat waits for it',
    IN_TURN,
    async () => {
      const [host, guest] = await Promise.all([1, 2].map(() => openPage(browser, site.url)));
      const { code } = await startRoom(host, 'Ada', 'pyramid');
      await joinByCode(guest, 'Bo', code);
      const storage = await tabStorage(guest);
      const at = await grabCube(guest, 'right', CUBE);
      const high: Point = [at[0], at[1] + 0.5, at[2] + 2];
      await moveHand(guest, 'right', [
        { to: at, ms: 20, grip: 1 },
        { to: [at[0], high[1], at[2]], ms: 300, grip: 1 },
        { to: high, ms: 500, grip: 1 },
      ]);
      await until('the host sees it there', async () => {
        return distance(high, await positionOf(host, CUBE)) < 0.5;
      });

      await crash(guest.page);
      const seconds = await untilPresence(host, GUEST_SLOT, 'away');
      console.log(`a crashed page was away after ${seconds.toFixed(1)} s`);
      expect(seconds).toBeGreaterThan(7);
      expect(seconds).toBeLessThan(12);
      await until('the cube has fallen, and is nobody’s', async () => {
        const { holder, authority, position } = (await inspectOf(host)).bodies[CUBE];
        return holder === null && authority === null && position[1] < 0.6;
      });

      const back = await openTwin(guest, storage, `${site.url}?room=${code}`);
      await inRoom(back);
      await untilPresence(host, GUEST_SLOT, 'here');
      const { you, players } = await roomOf(back);
      expect(you).toBe(GUEST_SLOT);
      expect(players.map(({ name }) => name)).toEqual(['Ada', 'Bo']);
      expect(await presenceOf(back, HOST_SLOT)).toBe('here');
      await until('both agree', () => areAgreed([host, back]));
      expect([...host.faults, ...back.faults]).toEqual([]);
      for (const { context } of [host, back]) await context.close();
    },
  );

  describe('[F5] without a microphone', IN_TURN, () => {
    it.each([
      ['refused', MICROPHONE],
      ['missing', CONSENT],
    ] as const)('that is %s, the voice button says why, and play goes on', async (reason, arg) => {
      const own = await launchBrowser([arg]);
      try {
        const player = await openPage(own, site.url);
        await startRoom(player, 'Ada', 'pyramid');
        await player.page.getByRole('button', { name: 'Turn my voice on' }).click();
        await player.page.getByRole('button', { name: 'Your microphone doesn’t work: see why' }).click();
        const { title, text } = FAILURES[`microphone ${reason}`];
        await (await openMenu(player)).getByText(`${title} ${text}`).waitFor();
        await grabCube(player, 'right', CUBE);
        await dropHand(player, 'right');
        expect(player.faults).toEqual([]);
      } finally {
        await own.close();
      }
    });
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

async function clockOf(player: RoomPlayerPage): Promise<{ tick: number; ms: number }> {
  const { tick } = await inspectOf(player);
  return { tick, ms: performance.now() };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(...a.map((value, i) => value - b[i]));
}
