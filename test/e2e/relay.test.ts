import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dropHand, grabCube, placeCube, throwCube } from '../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../support/pages/room-page.ts';
import {
  areAgreed,
  inRoom,
  inspectOf,
  openPage,
  roomOf,
  startRoom,
  until,
} from '../support/pages/room-page.ts';
import type { PageServer } from '../support/run/server.ts';
import { startBuiltServer } from '../support/run/server.ts';
import { connectBrowser, openSite } from '../support/run/stories.ts';
import type { Forwarder, TurnServer } from '../support/run/turn.ts';
import { hasTurn, startForwarder, startTurn, TURN_PASSWORD, TURN_USER } from '../support/run/turn.ts';

/** The least and the greatest share of sent packets that is lost at 10 % a crossing. */
const LEAST_LOST = 0.05;
const MOST_LOST = 0.9;

describe.skipIf(!hasTurn())('two players through a TURN relay', () => {
  let browser: Browser;
  let turn: TurnServer;

  beforeAll(async () => {
    turn = await startTurn();
    browser = await connectBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await turn.close();
  });

  async function play(
    port: number,
    during: (players: readonly RoomPlayerPage[]) => Promise<void>,
  ): Promise<void> {
    const { folder } = openSite();
    const server: PageServer = await startBuiltServer(folder, {
      HANDOVER_TURN: `turn:127.0.0.1:${port}?transport=udp`,
      HANDOVER_TURN_USER: TURN_USER,
      HANDOVER_TURN_PASSWORD: TURN_PASSWORD,
      HANDOVER_RELAY_ONLY: 'on',
    });
    const host = await openPage(browser, server.url);
    const players = [host];
    try {
      const { link } = await startRoom(host, 'Ada', 'pyramid');
      const guest = await openPage(browser, link);
      players.push(guest);
      await inRoom(guest);
      await until('both have the pyramid at rest', () => areAgreed(players));
      await Promise.all([build(host, 35, 34, -3), build(guest, 33, 32, 3)]);
      await until('both agree on every cube', () => areAgreed(players));
      await during(players);
      for (const { faults } of players) expect(faults).toEqual([]);
    } finally {
      for (const { context } of players) await context.close();
      await server.close();
    }
  }

  it('[I1] they play and agree', async () => {
    await play(turn.port, async (players) => {
      await until('both know that a relay is between them', async () => {
        const rooms = await Promise.all(players.map(roomOf));
        return rooms.every(({ figures }) => figures.path === 'relay');
      });
    });
  });

  it('[F2.1] [I1] with 10 % loss and 60 ms of jitter at each crossing, packets are lost for good, and play goes on', async () => {
    const forwarder: Forwarder = await startForwarder(turn.port, { loss: 0.1, jitterMs: 60, seed: 7 });
    try {
      await play(forwarder.port, async ([host, guest]) => {
        const [from, to] = [await inspectOf(host), await inspectOf(guest)];
        const lost = 1 - to.links[0].packetsReceived / from.links[0].packetsSent;
        const back = 1 - from.links[0].packetsReceived / to.links[0].packetsSent;
        console.log(
          `lost on the way to the guest ${(100 * lost).toFixed(0)} %, to the host ${(100 * back).toFixed(0)} %; ` +
            `the forwarder dropped ${forwarder.counts.dropped} of ${forwarder.counts.came}`,
        );
        for (const share of [lost, back]) {
          expect(share).toBeGreaterThan(LEAST_LOST);
          expect(share).toBeLessThan(MOST_LOST);
        }
        const { players } = await roomOf(host);
        expect(players.map(({ presence }) => presence)).toEqual(['here', 'here']);
        expect(players[1].slot, 'the guest was never thrown out').toBe(1);
      });
    } finally {
      forwarder.close();
    }
  });
});

/** Carries one cube of the pyramid aside, and throws another. */
async function build(player: RoomPlayerPage, carried: number, thrown: number, x: number): Promise<void> {
  await placeCube(player, 'right', await grabCube(player, 'right', carried), [x, 0.26, 2.6]);
  await throwCube(player, 'right', await grabCube(player, 'right', thrown));
  await dropHand(player, 'right');
}
