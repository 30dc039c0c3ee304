import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { randomRoomCode } from '../../../src/core/room/code.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { JOIN_STEPS } from '../../../src/pages/room/sentences.ts';
import {
  askForRoom,
  failureShown,
  openMenu,
  openTwin,
  presenceOf,
  removeByMenu,
  tabStorage,
  tryAgain,
  untilPresence,
} from '../../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import {
  inRoom,
  inspectOf,
  joinByCode,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../../support/pages/room-page.ts';
import type { OwnSite } from '../../support/run/stories.ts';
import { connectBrowser, openOwnSite } from '../../support/run/stories.ts';

/** Slots in the order in which players come in. */
const [ADA, BO, CY, DI] = [0, 1, 2, 3];
/** The seed of the first room's code. */
const SEED = 20_261;

describe('at the door of a room', () => {
  let site: OwnSite;
  let browser: Browser;
  let ada: RoomPlayerPage;
  let bo: RoomPlayerPage;
  let cy: RoomPlayerPage;
  let di: RoomPlayerPage;
  let code = '';

  beforeAll(async () => {
    [site, browser] = await Promise.all([openOwnSite(), connectBrowser()]);
    [ada, bo, cy, di] = await Promise.all([1, 2, 3, 4].map(() => openPage(browser, 'about:blank')));
    await drawForCode(ada, SEED);
    await Promise.all([ada, bo, cy, di].map(({ page }) => page.goto(site.url)));
    ({ code } = await startRoom(ada, 'Ada', 'pyramid'));
    await joinByCode(bo, 'Bo', code);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  /** The host and its guest play on, and were not even disturbed. */
  async function isUndisturbed(): Promise<void> {
    const { tick } = await inspectOf(ada);
    await until('the room goes on', async () => (await inspectOf(ada)).tick > tick + 10);
    const rooms = await Promise.all([ada, bo].map(roomOf));
    for (const { connection, players, reachable } of rooms) {
      expect(connection).toBe('good');
      expect(reachable).toBe(true);
      for (const slot of [ADA, BO])
        expect(players.find((player) => player.slot === slot)?.presence).toBe('here');
    }
    expect([...ada.faults, ...bo.faults]).toEqual([]);
  }

  it('[F5.1] a second tab of the host says that the room is open already, and disturbs nobody', async () => {
    const twin = await openTwin(ada, await tabStorage(ada), `${site.url}?room=${code}`);
    const seconds = await failureShown(twin, 'opened elsewhere');
    console.log(`a duplicate tab of the host was told after ${seconds.toFixed(1)} s`);
    await isUndisturbed();
    await twin.page.close();
  });

  it('a new room whose code is another’s takes another code', async () => {
    expect(randomRoomCode(new Random(SEED)), 'the code that is drawn').toBe(code);
    const other = await openPage(browser, 'about:blank');
    await drawForCode(other, SEED);
    await other.page.goto(site.url);
    const room = await startRoom(other, 'Eve', 'pyramid');
    expect(room.code).not.toBe(code);
    expect(new URL(other.page.url()).searchParams.get('room')).toBe(room.code);
    await isUndisturbed();
    await other.context.close();
  });

  it('[F5.1] [W1.3] a page of another version is told so, and the host goes on', async () => {
    const old = await openPage(browser, 'about:blank');
    await speakVersion(old, PROTOCOL_VERSION + 1);
    await old.page.goto(`${site.url}?room=${code}`);
    await failureShown(old, 'version');
    await old.page.getByRole('button', { name: 'Reload' }).waitFor();
    expect((await roomOf(ada)).players.length).toBe(2);
    await isUndisturbed();
    await old.context.close();
  });

  it('[F5.1] a code of no room is not found, and letters that no code has are refused', async () => {
    const page = await openPage(browser, site.url);
    await askForRoom(page, 'Flo', code === 'AAAAA' ? 'CCCCC' : 'AAAAA');
    const seconds = await failureShown(page, 'room not found');
    console.log(`an unknown room was not found within ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(6);
    await page.page.goto(`${site.url}?room=HELLO`);
    await failureShown(page, 'bad code');
    expect(page.faults).toEqual([]);
    await page.context.close();
  });

  it('[F3.3] [F5.1] a locked room admits players that have a seat, and others when it is unlocked', async () => {
    const lock = (await openMenu(ada)).getByRole('switch', { name: 'Lock the room' });
    await lock.check();
    await askForRoom(cy, 'Cy', code);
    await failureShown(cy, 'room locked');
    await bo.page.reload();
    await inRoom(bo);
    await untilPresence(ada, BO, 'here');
    expect((await roomOf(bo)).you).toBe(BO);

    await lock.uncheck();
    await until('the room is unlocked', async () => !(await roomOf(bo)).locked);
    await tryAgain(cy);
    await inRoom(cy);
    expect((await roomOf(cy)).you).toBe(CY);
  });

  it('[F5.1] [F1.4] a fifth is told that the room is full; a removed player makes room, and stays out', async () => {
    await joinByCode(di, 'Di', code);
    const ed = await openPage(browser, site.url);
    await askForRoom(ed, 'Ed', code);
    await failureShown(ed, 'room full');

    const kept = await tabStorage(di);
    await removeByMenu(ada, 'Di');
    await failureShown(di, 'removed');
    await until('the others see Di gone', async () => {
      const seen = await Promise.all([ada, bo, cy].map((player) => presenceOf(player, DI)));
      return seen.every((presence) => presence === undefined);
    });
    const start = di.page.getByRole('button', { name: 'Start a room' });
    for (const move of [() => di.page.reload(), () => di.page.goBack()]) {
      await move();
      await start.waitFor();
      expect(di.page.url(), 'nothing to come back to').toBe(site.url);
    }
    const twin = await openTwin(di, kept, `${site.url}?room=${code}`);
    await failureShown(twin, 'removed');

    await tryAgain(ed);
    await inRoom(ed);
    expect((await roomOf(ed)).you).toBe(DI);
    expect(await di.page.evaluate(() => window.handover?.room), 'Di is out still').toBe(undefined);
    await isUndisturbed();
    // Else their seats would wait for them.
    for (const name of ['Cy', 'Ed']) await removeByMenu(ada, name);
    for (const { context } of [cy, di, ed]) await context.close();
  });

  it('[F5.1] [F5.3] without a broker nobody starts or joins a room; with it both can try again', async () => {
    const [starter, joiner] = await Promise.all([1, 2].map(() => openPage(browser, site.url)));
    await site.stopBroker();
    await starter.page.getByRole('button', { name: 'Start a room' }).click();
    await askForRoom(joiner, 'Gil', code);
    await joiner.page.getByText(JOIN_STEPS.asking).waitFor();
    const seconds = await Promise.all([starter, joiner].map((page) => failureShown(page, 'no broker', 60)));
    console.log(`no broker was told after ${seconds.map((each) => each.toFixed(1)).join(' and ')} s`);
    expect(seconds[0], 'who starts a room').toBeLessThan(8);
    expect(seconds[1], 'who joins tries for 30 s').toBeGreaterThan(20);

    site.startBroker();
    await tryAgain(starter);
    await inRoom(starter);
    await until('the first room can be reached again', async () => (await roomOf(ada)).reachable);
    await tryAgain(joiner);
    await inRoom(joiner);
    expect((await roomOf(joiner)).code).toBe(code);
    await joiner.context.close();
  });

  it('[F3.6] [F5.2] a join goes on when the broker comes back; one that is stopped does not', async () => {
    const [joiner, other] = await Promise.all([1, 2].map(() => openPage(browser, site.url)));
    await site.stopBroker();
    for (const page of [joiner, other]) {
      await askForRoom(page, 'Hal', code);
      await page.page.getByText(JOIN_STEPS.asking).waitFor();
    }
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('button', { name: 'Start a room' }).waitFor();
    site.startBroker();
    const seconds = await until('the joiner is in', () =>
      joiner.page.evaluate(() => window.handover?.room !== undefined),
    );
    console.log(`a join went on ${seconds.toFixed(1)} s after the broker came back`);
    expect(await other.page.evaluate(() => window.handover?.room === undefined)).toBe(true);
  });
});

/** Has a page draw a seed for the code of its first room. It draws one for the scene before. */
async function drawForCode({ page }: RoomPlayerPage, seed: number): Promise<void> {
  await page.addInitScript((seed) => {
    const draw = crypto.getRandomValues.bind(crypto);
    let draws = 0;
    crypto.getRandomValues = (array) => {
      draw(array);
      if (array instanceof Uint32Array && array.length === 1 && ++draws === 2) array[0] = seed;
      return array;
    };
  }, seed);
}

/** Has a page say another version than its own, as an older or newer one would. */
async function speakVersion({ page }: RoomPlayerPage, version: number): Promise<void> {
  await page.addInitScript((version) => {
    const channel: { send(data: string | ArrayBuffer): void } = RTCDataChannel.prototype;
    const { send } = channel;
    channel.send = function (data) {
      const altered = typeof data === 'string' ? data.replace(/"version":\d+/, `"version":${version}`) : data;
      send.call(this, altered);
    };
  }, version);
}
