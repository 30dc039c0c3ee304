import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { HandName } from '../../../src/input/scripted-hand.ts';
import { grabCube } from '../../support/pages/room-moves.ts';
import type { RoomPlayerPage } from '../../support/pages/room-page.ts';
import { areAgreed, inRoom, inspectOf, roomOf, startRoom, until } from '../../support/pages/room-page.ts';
import { storyStage } from '../../support/pages/story.ts';
import type { PageServer } from '../../support/run/server.ts';
import { startBuiltServer } from '../../support/run/server.ts';
import { openSite } from '../../support/run/stories.ts';

type Point = readonly [x: number, y: number, z: number];

declare global {
  interface Window {
    /** Ends the circle of this page's hand. */
    endCircle?: () => void;
    /** Since they were last asked for: how long each slot's hand stood still here, and how often the cube was lost. */
    takeSights?: () => { readonly gapsMs: readonly number[]; readonly lost: number };
  }
}

/** Moves this player's right hand in a small circle around a place until it ends, and watches the other hands. */
async function circle({ page }: RoomPlayerPage, around: Point, cube: number | null): Promise<void> {
  await page.evaluate(
    ({ around: [x, y, z], cube }) => {
      const { handover } = window;
      const slot = handover?.inspect()[0].slot ?? 0;
      const seen = new Map<number, { readonly x: number; readonly at: number }>();
      const gapsMs = [0, 0, 0, 0];
      let lost = 0;
      const timer = setInterval(() => {
        const angle = performance.now() / 300;
        const position = { x: x + Math.sin(angle) / 4, y: y + 0.4, z: z + Math.cos(angle) / 4 };
        const name: HandName = 'right';
        window.handover?.hand(slot, name, { position, grip: cube === null ? 0 : 1 });
        const now = performance.now();
        for (let other = 0; other < 4; other++) {
          const hand = other === slot ? undefined : window.handover?.avatar(slot, other)?.hands[1];
          if (hand?.tracked !== true) continue;
          const before = seen.get(other);
          if (before !== undefined) gapsMs[other] = Math.max(gapsMs[other], now - before.at);
          if (before?.x !== hand.pose.position.x) seen.set(other, { x: hand.pose.position.x, at: now });
        }
        const holder = cube === null ? null : window.handover?.inspect()[0].bodies[cube].holder;
        if (cube !== null && holder?.slot !== slot) lost++;
      }, 8);
      window.endCircle = () => clearInterval(timer);
      window.takeSights = () => {
        const taken = { gapsMs: [...gapsMs], lost };
        seen.clear();
        gapsMs.fill(0);
        lost = 0;
        return taken;
      };
    },
    { around, cube },
  );
}

/**
 * The longest time for which a moving hand stood still on any page since the last call, in milliseconds: the first host's,
 * and the others'. No cube was lost.
 */
async function longestGaps(players: readonly RoomPlayerPage[]): Promise<string> {
  const sights = await Promise.all(players.map(({ page }) => page.evaluate(() => window.takeSights?.())));
  expect(sights.map((sight) => sight?.lost)).toEqual(players.map(() => 0));
  const most = (slots: readonly number[]): number =>
    Math.round(Math.max(...sights.flatMap((sight) => slots.map((slot) => sight?.gapsMs[slot] ?? NaN))));
  return `${most([0])} and ${most([1, 2, 3])} ms`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

describe('a room of a browser', () => {
  const stage = storyStage();
  let server: PageServer;
  beforeAll(async () => {
    server = await startBuiltServer(openSite().folder, { HANDOVER_ROOMS: '2' });
  });
  afterAll(() => server.close());

  it('[N3.4] [N3.1] moves to the server and back while four play: a held cube stays in its hand', async () => {
    const ada = await stage.open(server.url);
    const { link } = await startRoom(ada, 'Ada', 'wall');
    const guests = await Promise.all([1, 2, 3].map(() => stage.open(link)));
    await Promise.all(guests.map((guest) => inRoom(guest)));
    const players = [ada, ...guests];
    await until('all see four people', async () => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every(
        ({ players: seen }) => seen.filter(({ presence }) => presence === 'here').length === 4,
      );
    });
    await until('all have the wall at rest', () => areAgreed(players));
    const cube = 56;
    const at = await grabCube(guests[0], 'right', cube);
    const slots = await Promise.all(players.map(async (player) => (await inspectOf(player)).slot));
    for (const [i, player] of players.entries())
      await circle(player, i === 1 ? at : [3, 1, 3 + slots[i]], i === 1 ? cube : null);
    // The hands are seen everywhere, and guests have their lines to one another.
    await pause(4000);
    await longestGaps(players);
    await pause(5000);
    const calm = await longestGaps(players);

    await ada.page.getByRole('button', { name: 'Menu (key M)' }).click();
    await ada.page.getByRole('button', { name: 'Move to the server' }).click();
    await until('the server is the host', async () => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every(({ host }) => host === DEDICATED_SLOT);
    });
    await pause(2000);
    const there = await longestGaps(players);
    expect((await roomOf(ada)).link).toBe(link);

    await server.close();
    await until('one of them is the host', async () => {
      const rooms = await Promise.all(players.map(roomOf));
      return rooms.every(({ host }) => host === rooms[0].host && host !== DEDICATED_SLOT);
    });
    await pause(2000);
    const back = await longestGaps(players);
    console.log(
      `the first host's hand and the others' stood still for ${calm} in calm play, ${there} there, ${back} back`,
    );
    await Promise.all(players.map(({ page }) => page.evaluate(() => window.endCircle?.())));
    for (const player of players)
      await player.page.evaluate(() => {
        const slot = window.handover?.inspect()[0].slot ?? 0;
        window.handover?.hand(slot, 'right', null);
      });
    await until('all agree on every cube', () => areAgreed(players));
    // The browser reports that the pages' broker is gone, and nothing else.
    await Promise.all(players.map(({ page }) => page.goto('about:blank')));
    for (const { faults } of players)
      for (const fault of faults.splice(0)) expect(fault).toContain('ERR_CONNECTION_REFUSED');
  });
});
