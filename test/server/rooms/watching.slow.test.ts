import { WebSocket } from 'ws';
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { randomRoomCode, readRoomCode } from '../../../src/core/room/code.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { World } from '../../../src/session/world.ts';
import { watchAddress } from '../../../src/transport/socket/line-address.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import { NodeWatcher } from '../../dedicated/node-watcher.ts';
import { ask, serve } from './rooms-server.ts';

async function openRoom(site: { readonly url: string }): Promise<RoomCode> {
  return readRoomCode((await ask(site)).answer.code ?? '') as RoomCode;
}

function socketTo(
  site: { readonly url: string },
  code: RoomCode,
  headers: Readonly<Partial<Record<string, string>>> = {},
): WebSocket {
  return new WebSocket(watchAddress(new URL(`${site.url}rooms/`), code), { headers });
}

/** @returns the HTTP status by which an upgrade is refused. */
function statusOf(...asked: Parameters<typeof socketTo>): Promise<number | undefined> {
  const socket = socketTo(...asked);
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('unexpected-response', (_, { statusCode }) => {
      resolve(statusCode);
      socket.terminate();
    });
  });
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: 40_000, message: what }).toBe(true);
}

/** All bodies of a world at rest, as every peer has them to the bit. */
function restOf(world: World | null): unknown {
  return world && inspect(world.peer).bodies.map(({ id, position, rotation }) => [id, position, rotation]);
}

describe('watching a room of a server', () => {
  beforeAll(() => loadPhysics());

  test('[N5.1] [N5.2] [N5.7] a watcher sees what players do, to the bit, has no slot, and is counted', async () => {
    const site = await serve({ HANDOVER_ROOMS: '1' });
    const code = await openRoom(site);
    const ada = await joinRoom({ broker: { url: `${site.url.replace('http', 'ws')}broker` } }, code, 0);
    await until(() => ada.isIn, 'Ada is in');
    const eve = new NodeWatcher(site, code);
    await until(() => eve.hasWorld, 'Eve sees the world');
    await until(() => ada.session.roster?.watchers === 1, 'Ada reads that one watches');
    expect(ada.session.roster?.players).toHaveLength(1);

    const hand = ada.input.hands[RIGHT];
    const [x, y, z] = inspect(ada.session.world!.peer).bodies[0].position;
    Object.assign(hand.pose.position, { x, y, z });
    hand.tracked = true;
    hand.grip = 1;
    await until(() => inspect(eve.watching.world!.peer).bodies[0].holder?.slot === 0, 'Eve sees the grip');
    hand.pose.position.y += 1;
    hand.grip = 0;
    await until(
      () =>
        inspect(eve.watching.world!.peer).bodies.every(({ resting }) => resting) &&
        JSON.stringify(restOf(eve.watching.world)) === JSON.stringify(restOf(ada.session.world)),
      'Eve has the same at rest',
    );
    expect(inspect(eve.watching.world!.peer).bodies[0].position).not.toEqual([x, y, z]);
    expect(eve.watching.world!.peer.diagnostics.rejections).toEqual({});
  });

  test('[N5.6] nobody watches a room that is not there', async () => {
    const site = await serve({ HANDOVER_ROOMS: '2' });
    const nowhere = new NodeWatcher(site, 'KQXMT' as RoomCode);
    await until(() => nowhere.end === 'no room', 'it is told that there is no such room');
  });

  test('[N5.4] who comes after the last one has gone sees the room as well', async () => {
    const site = await serve({ HANDOVER_ROOMS: '1' });
    const code = await openRoom(site);
    for (let time = 0; time < 3; time++) {
      const eve = new NodeWatcher(site, code);
      await until(() => eve.hasWorld, `the world is there, time ${time}`);
      eve.stop();
      // Until the server has forgotten the room.
      await new Promise((resolve) => void setTimeout(resolve, 1000 * time + 500));
    }
  });

  test('[N5.6] only so many as the operator says, and from pages of this site alone', async () => {
    const site = await serve({ HANDOVER_ROOMS: '1', HANDOVER_ROOMS_WATCHERS: '8' });
    const code = await openRoom(site);
    const two = [new NodeWatcher(site, code), new NodeWatcher(site, code)];
    await until(() => two.every(({ hasWorld }) => hasWorld), 'two watch');
    const third = new NodeWatcher(site, code);
    await until(() => third.end === 'full', 'the third of its network is told that so many watch');
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])
      expect(await statusOf(site, code, headers)).toBe(403);
    const off = await serve({ HANDOVER_ROOMS: '1', HANDOVER_ROOMS_WATCHERS: 'off' });
    expect(await statusOf(off, await openRoom(off))).toBe(404);
    expect(await (await fetch(`${off.url}config.json`)).json()).toMatchObject({ watching: false });
  });

  test('[N5.6] looking for rooms by watching counts as looking for them at the broker', async () => {
    const site = await serve({ HANDOVER_ROOMS: '1' });
    const random = new Random(2);
    const codes = Array.from({ length: 101 }, () => randomRoomCode(random));
    for (const one of codes.slice(0, 100)) await fetch(`${site.url}rooms/${one}`);
    const watcher = new NodeWatcher(site, codes[100]);
    await until(() => watcher.end === 'full', 'its network has looked for too many');
    expect((await fetch(`${site.url}rooms/${randomRoomCode(random)}`)).status).toBe(429);
  });

  test('[N5.1] whoever sends something is ended, and the others go on', async () => {
    const site = await serve({ HANDOVER_ROOMS: '1' });
    const code = await openRoom(site);
    const eve = new NodeWatcher(site, code);
    await until(() => eve.hasWorld, 'Eve watches');
    for (const send of [
      (socket: WebSocket): void => socket.send('x'),
      (socket: WebSocket): void => socket.send('x'.repeat(5000)),
      (socket: WebSocket): void => socket.ping(),
    ]) {
      const socket = socketTo(site, code);
      const closed = new Promise((resolve) => void socket.once('close', resolve));
      socket.on('error', () => undefined);
      socket.once('open', () => send(socket));
      await closed;
    }
    expect([eve.end, eve.watching.status]).toEqual([null, 'along']);
  });
});
