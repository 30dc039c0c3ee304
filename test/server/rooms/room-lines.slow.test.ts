import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { randomRoomCode, readRoomCode } from '../../../src/core/room/code.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import { NO_SUCH_ROOM } from '../../../src/transport/socket/close-codes.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import { SocketConnection } from '../../../src/transport/socket/socket-connection.ts';
import type { Server } from '../../../src/server/server.ts';
import { doorId } from '../../../src/transport/station.ts';
import { lineAddress } from '../../../src/transport/socket/line-address.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import type { NodePlayer } from '../../dedicated/node-player.ts';
import { connectBroker } from '../broker/broker-client.ts';
import { ask, serve } from './rooms-server.ts';

type Site = { readonly url: string };

/** A server whose rooms send no UDP to this machine by themselves. */
function serveRooms(): Promise<Server> {
  return serve({ HANDOVER_ROOMS: '1', HANDOVER_ROOMS_HOST: '' });
}

/** The network of a player. @param knocks whether it sends UDP to the room; if not, none goes through. */
function network({ url }: Site, knocks: boolean): NodeStationSettings {
  const broker = { url: `${url.replace('http', 'ws')}broker` };
  return { broker, privateNetworks: knocks, thisMachine: knocks, rooms: `${url}rooms/` };
}

async function openRoom(site: Site): Promise<RoomCode> {
  const { answer } = await ask(site);
  const code = readRoomCode(answer.code ?? '');
  if (code === null) throw new Error('no room');
  return code;
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout: 40_000, message: what }).toBe(true);
}

function lineOf({ session }: NodePlayer): unknown {
  return session.station.transport.lineTo(DEDICATED_SLOT as Slot)?.connection;
}

function restOf({ session }: NodePlayer): unknown {
  return inspect(session.world!.peer).bodies.map(({ id, position, rotation, resting, ...record }) => {
    const { ownershipSequence, authoritySequence } = record;
    return { id, position, rotation, resting, ownershipSequence, authoritySequence };
  });
}

/** Asks for a line as a page does. @returns the status if it was refused, or the code with which it was closed. */
async function outcome(
  site: Site,
  code: string,
  own: { id: string; token: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const socket = new WebSocket(lineAddress(new URL(`${site.url}rooms/`), code as RoomCode, own), { headers });
  // As a page does, at once.
  socket.on('open', () => socket.send('a-nonce-of-a-page'));
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, { statusCode = 0 }) => {
      resolve(statusCode);
      socket.on('error', () => undefined);
      socket.terminate();
    });
    socket.on('close', resolve);
  });
}

describe('lines over WebSockets', () => {
  beforeAll(() => loadPhysics());

  test('[N2.3] a player that UDP does not reach comes in, plays with one that it does, and sees the same', async () => {
    const site = await serveRooms();
    const code = await openRoom(site);
    const near = await joinRoom(network(site, true), code, 0);
    const far = await joinRoom(network(site, false), code, 1);
    await until(() => near.isIn && far.isIn, 'both are in');
    expect([lineOf(near), lineOf(far)].map((line) => line instanceof SocketConnection)).toEqual([
      false,
      true,
    ]);
    await until(() => near.session.roster?.players.length === 2, 'both are in the list');

    const hand = far.input.hands[RIGHT];
    const [x, y, z] = inspect(far.session.world!.peer).bodies[0].position;
    Object.assign(hand.pose.position, { x, y, z });
    hand.tracked = true;
    hand.grip = 1;
    const holderAt = (player: NodePlayer): number | undefined =>
      inspect(player.session.world!.peer).bodies[0].holder?.slot;
    const self = far.session.slot!;
    await until(() => holderAt(far) === self && holderAt(near) === self, 'both see who holds the cube');
    hand.pose.position.y += 1;
    hand.grip = 0;
    await until(
      () =>
        [near, far].every(({ session }) =>
          inspect(session.world!.peer).bodies.every(({ resting }) => resting),
        ) && JSON.stringify(restOf(near)) === JSON.stringify(restOf(far)),
      'both have the same at rest',
    );
    expect(inspect(near.session.world!.peer).bodies[0].position).not.toEqual([x, y, z]);
  });

  test('[N3.1] when the server ends, whoever it reached by a WebSocket alone goes on, too', async () => {
    const site = await serveRooms();
    const code = await openRoom(site);
    const player = await joinRoom(network(site, false), code, 0);
    await until(() => player.isIn, 'it is in');
    const began = performance.now();
    await site.close();
    expect(performance.now() - began, 'open lines do not hold the server').toBeLessThan(9000);
    await until(() => player.session.roster?.host === player.session.slot, 'it is host');
  });

  test('[N2.6] only for an id that is at the broker, with its token; and only to a room that is there', async () => {
    const site = await serveRooms();
    const own = { id: 'some-page', token: 'its token' };
    expect(await outcome(site, 'KQXMT', own), 'nobody of that id').toBe(403);
    await connectBroker(site.url, own.id, own.token);
    await expect.poll(() => outcome(site, 'KQXMT', own), { timeout: 5000 }).toBe(NO_SUCH_ROOM);
    expect(await outcome(site, 'KQXMT', { ...own, token: 'another' })).toBe(403);
    const foreign = { Origin: 'https://another.example.org' };
    expect(await outcome(site, 'KQXMT', own, foreign), 'a page of another site').toBe(403);
    const door = { id: doorId('KQXMT' as RoomCode), token: 'a secret that all guests know' };
    await connectBroker(site.url, door.id, door.token);
    expect(await outcome(site, 'KQXMT', door), 'the id of a door').toBe(403);
    await openRoom(site);
    expect(await outcome(site, 'no code', own)).toBe(NO_SUCH_ROOM);
    // Its network may look for a hundred rooms, wherever it looks; for the last ones again.
    const random = new Random(1);
    const codes = Array.from({ length: 102 }, () => randomRoomCode(random));
    for (const one of codes.slice(0, 100)) await fetch(`${site.url}rooms/${one}`);
    expect(await outcome(site, codes[100], own)).toBe(429);
    expect((await fetch(`${site.url}rooms/${codes[101]}`)).status).toBe(429);
    expect(await outcome(site, codes[90], own)).toBe(NO_SUCH_ROOM);
  });
});
