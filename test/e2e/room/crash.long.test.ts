import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash, openMenu } from '../../support/pages/room-faults.ts';
import { grabCube, moveHand } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { inspectOf, joinByCode, openPage, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import type { OwnSite } from '../../support/run/stories.ts';
import { connectBrowser, openOwnSite } from '../../support/run/stories.ts';

/** Hosts that are killed, one after the other, with three guests each. */
const KILLS = Number(process.env.KILLS ?? 10);
/** The top of the pyramid. */
const TOP = 35;
/** Frames a second: four pages share two cores. */
const FRAME_RATE = 10;
/** Milliseconds. */
const STALL_MS = 5000;

describe.each([
  ['alive', true],
  ['dead', false],
] as const)('[F4.1] hosts that are killed, with the broker %s', (_, isBrokerAlive) => {
  let site: OwnSite;
  let browser: Browser;

  beforeAll(async () => {
    [site, browser] = await Promise.all([openOwnSite(), connectBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  const open = (): Promise<RoomPlayerPage> => openPage(browser, site.url, {}, { frameRate: FRAME_RATE });

  it(`have a successor in three seconds, ${KILLS} times, and what is held stays in its hand`, async () => {
    const taken: number[] = [];
    let held = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const [host, ...guests] = await Promise.all([open(), open(), open(), open()]);
      const { code } = await startRoom(host, 'Host', 'pyramid');
      for (const [i, guest] of guests.entries()) await joinByCode(guest, `Guest ${i}`, code);
      await until('all have met', async () => (await roomOf(guests[0])).players.length === 4);
      await new Promise((resolve) => void setTimeout(resolve, 4000));
      await hold(guests[2]);
      if (!isBrokerAlive) await site.stopBroker();
      const watched = guests.map(newHostAt);
      const killedAt = Date.now();
      await crash(host.page);
      taken.push((Math.max(...(await Promise.all(watched))) - killedAt) / 1000);
      if ((await inspectOf(guests[0])).bodies[TOP].holder?.slot === (await roomOf(guests[2])).you) held++;
      if (!isBrokerAlive) site.startBroker();
      await Promise.all(guests.map(({ context }) => context.close()));
    }
    taken.sort((a, b) => a - b);
    console.log(
      `${KILLS} kills, broker ${isBrokerAlive ? 'alive' : 'dead'}, load ${loadavg()[0].toFixed(1)}:`,
    );
    console.log(
      `seconds until all have the next host: ${taken.map((one) => one.toFixed(1)).join(' ')}; held: ${held}`,
    );
    expect(held).toBe(KILLS);
    expect(taken[Math.floor(KILLS / 2)]).toBeLessThanOrEqual(3);
    expect(taken.at(-1)).toBeLessThanOrEqual(4);
  });
});

describe('[F4.15] a host whose page stops for 5 s', () => {
  let site: OwnSite;
  let browser: Browser;

  beforeAll(async () => {
    [site, browser] = await Promise.all([openOwnSite(), connectBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('is a guest in its place when it wakes', async () => {
    const open = (): Promise<RoomPlayerPage> => openPage(browser, site.url, {}, { frameRate: FRAME_RATE });
    const [host, ...guests] = await Promise.all([open(), open(), open(), open()]);
    const { code } = await startRoom(host, 'Host', 'pyramid');
    await (await openMenu(host)).getByLabel('Room size').selectOption('6');
    for (const [i, guest] of guests.entries()) await joinByCode(guest, `Guest ${i}`, code);
    await new Promise((resolve) => void setTimeout(resolve, 4000));
    const { you } = await roomOf(host);
    const watched = guests.map(newHostAt);
    const began = Date.now();
    void host.page.evaluate((ms) => {
      for (const end = performance.now() + ms; performance.now() < end;);
    }, STALL_MS);
    const seconds = (Math.max(...(await Promise.all(watched))) - began) / 1000;
    await until(
      'it plays on as a guest',
      async () => {
        const room = await roomOf(host);
        return room.you === you && room.host !== you && room.connection === 'good';
      },
      30,
    );
    console.log(
      `another host after ${seconds.toFixed(1)} s; back ${((Date.now() - began - STALL_MS) / 1000).toFixed(1)} s after it woke`,
    );
    expect([host, ...guests].flatMap(({ faults }) => faults)).toEqual([]);
  });
});

/** Holds the top of the pyramid up high. */
async function hold(player: RoomPlayerPage): Promise<void> {
  const at = await grabCube(player, 'right', TOP);
  await moveHand(player, 'right', [
    { to: at, ms: 20, grip: 1 },
    { to: [at[0], at[1] + 0.7, at[2]], ms: 400, grip: 1 },
  ]);
}

/** Waits in a page until it plays under another host. @returns when that was, in milliseconds since 1970. */
function newHostAt({ page }: RoomPlayerPage): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const first = window.handover?.room?.().host;
        const look = setInterval(() => {
          const room = window.handover?.room?.();
          if (room === undefined || room.host === first || room.connection !== 'good') return;
          clearInterval(look);
          resolve(Date.now());
        }, 20);
      }),
  );
}
