import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { BUSY } from '../../../src/pages/room/sentences.ts';
import { dropHand, grabCube, throwCube } from '../../support/pages/room-moves.ts';
import { openMenu } from '../../support/pages/room-faults.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { areAgreed, inspectOf, joinByCode, roomOf, until } from '../../support/pages/room-page.ts';
import { startOnServer, throwFromWall, WALL_CUBE } from '../../support/pages/server-room.ts';
import { storyStage } from '../../support/pages/story.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startBuiltServer } from '../../support/run/server.ts';
import { openSite } from '../../support/run/stories.ts';

declare global {
  interface Window {
    /** The texts by which the lobby has kept its player waiting. */
    seenWaits?: string[];
  }
}

describe('a room on the server', () => {
  const stage = storyStage();
  let server: PageServer;
  beforeAll(async () => {
    const { folder } = openSite();
    server = await startBuiltServer(folder, { HANDOVER_ROOMS: '2', METRICS_PORT: '0' });
  });
  afterAll(() => server.close());

  it('[N1.1] [N1.3] two pages start it and join it, throw, agree, and go on when the server ends', async () => {
    const [ada, bo] = await Promise.all([stage.open(server.url), stage.open(server.url)]);
    await ada.page.evaluate(noteWaits);
    await startOnServer(ada, 'Ada', 'wall');
    const waits = (await ada.page.evaluate(() => window.seenWaits)) ?? [];
    expect(waits.filter((text) => !text.startsWith(BUSY.ordering))).toEqual([]);
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.join(), 'nobody else has a part in it').not.toMatch(/host|looking for room/i);
    await ada.page.getByText('Waiting for a friend…').waitFor();
    const { code } = await roomOf(ada);
    await joinByCode(bo, 'Bo', code);
    const players = [ada, bo];
    await until('both see two people', async () => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every(
        ({ players: seen }) => seen.filter(({ presence }) => presence === 'here').length === 2,
      );
    });
    const rooms = await Promise.all(players.map(roomOf));
    for (const { host, players: seen } of rooms) {
      expect(host).toBe(DEDICATED_SLOT);
      expect(seen.map(({ name }) => name).sort()).toEqual(['Ada', 'Bo']);
    }
    expect(await throwFromWall(ada, players), 'Bo saw the throw').toBeGreaterThan(0.5);
    expect(await figuresOf(server)).toMatchObject({ handover_rooms: 1, handover_rooms_people: 2 });
    await resetTogether(ada, bo);

    // [N3.1]
    await server.close();
    await until('one of them is the host', async () => {
      const now = await Promise.all(players.map(roomOf));
      return now.every(({ host }) => host === now[0].host && host !== DEDICATED_SLOT);
    });
    await until('both agree on every cube', () => areAgreed(players));
    // The browser reports that the pages' broker is gone, and nothing else.
    await Promise.all(players.map(({ page }) => page.goto('about:blank')));
    for (const { faults } of players)
      for (const fault of faults.splice(0)) expect(fault).toContain('ERR_CONNECTION_REFUSED');
  });
});

/** Runs in a page: notes what the lobby says while it keeps the player waiting. */
function noteWaits(): void {
  const seen: string[] = (window.seenWaits = []);
  const look = (): void => {
    const text = document.querySelector('.lobby .busy:not([hidden])')?.textContent ?? '';
    if (text !== '' && seen.at(-1) !== text) seen.push(text);
  };
  const parts = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.body, parts);
}

/** [N1.6] One player wants a reset, the other agrees by the question, and both have the cubes where they began. */
async function resetTogether(ada: RoomPlayerPage, bo: RoomPlayerPage): Promise<void> {
  const thrown = (await inspectOf(bo)).bodies[WALL_CUBE].position;
  const menu = await openMenu(ada);
  await menu.getByRole('button', { name: 'Reset', exact: true }).click();
  await menu.getByText('Reset the scene? What you built is gone once 2 players want it.').waitFor();
  await menu.locator('.question').getByRole('button', { name: 'Reset', exact: true }).click();
  await menu.getByRole('button', { name: 'Take it back (1 so far, 2 needed)' }).waitFor();
  await ada.page.keyboard.press('Escape');
  await bo.page.getByText('Ada wants to reset the scene. What you built would be gone.').waitFor();
  expect((await inspectOf(bo)).bodies[WALL_CUBE].position).toEqual(thrown);
  await bo.page.getByRole('button', { name: 'Me too' }).click();
  for (const { page } of [ada, bo]) await page.getByText('The server reset the scene.').waitFor();
  await until('the cube is back', async () => {
    const places = await Promise.all([ada, bo].map(async (player) => (await inspectOf(player)).bodies));
    return places.every(
      (bodies) => Math.hypot(...bodies[WALL_CUBE].position.map((at, i) => at - thrown[i])) > 0.5,
    );
  });
  await until('no wish is left', async () => {
    const rooms = await Promise.all([ada, bo].map(roomOf));
    return rooms.every(({ reset }) => reset?.wishes === 0 && !reset.isYours);
  });
}

describe('a page that UDP does not reach', () => {
  const stage = storyStage();
  let server: PageServer;
  beforeAll(async () => {
    server = await startBuiltServer(openSite().folder, { HANDOVER_ROOMS: '1' });
  });
  afterAll(() => server.close());

  it('[N2.3] [F3.7] comes into a room on the server by a WebSocket, and moves a cube there', async () => {
    const cy = await stage.open(server.url);
    await cy.context.addInitScript(blockUdp);
    await cy.page.reload();
    await startOnServer(cy, 'Cy', 'wall');
    await until('its packets take the WebSocket', async () => {
      const { path, payloadDown } = (await roomOf(cy)).figures;
      return path === 'websocket' && payloadDown > 0;
    });
    expect((await roomOf(cy)).host).toBe(DEDICATED_SLOT);
    const cube = 56;
    const before = (await inspectOf(cy)).bodies[cube].position;
    await throwCube(cy, 'right', await grabCube(cy, 'right', cube));
    await dropHand(cy, 'right');
    await until('the cube lies elsewhere, under the server', async () => {
      const { position, resting, authority } = (await inspectOf(cy)).bodies[cube];
      const way = Math.hypot(...position.map((at, i) => at - before[i]));
      return way > 0.5 && resting && authority === null;
    });
  });
});

/** Runs in a page before all else: its connections have no path, as behind a firewall that lets no UDP through. */
function blockUdp(): void {
  const Open = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Open {
    constructor(settings?: RTCConfiguration) {
      super({ ...settings, iceServers: [], iceTransportPolicy: 'relay' });
    }
  };
}

/** The metrics of server rooms, by name. */
async function figuresOf({ metricsPort }: PageServer): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Object.fromEntries(
    [...text.matchAll(/^(handover_rooms\w*) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}
