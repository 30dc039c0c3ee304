import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readRoomCode } from '../../../src/core/room/code.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { Server } from '../../../src/server/server.ts';
import { SocketConnection } from '../../../src/transport/socket/socket-connection.ts';
import { doorId } from '../../../src/transport/station.ts';
import type { RedisServer } from '../../cluster/redis-server.ts';
import { startRedis } from '../../cluster/start-redis.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import { NodePlayer } from '../../dedicated/node-player.ts';
import { restOf } from '../../dedicated/rest.ts';
import { NodeWatcher } from '../../dedicated/node-watcher.ts';
import { startSite } from '../../dedicated/site.ts';
import { connectBroker, upgrade } from '../broker/broker-client.ts';
import { temporaryFolder } from '../folders.ts';
import { placeAt } from './balancer.ts';

const CODE = 'KEVYN' as RoomCode;

/** Two processes of one site, in this process. */
async function sites(redis: RedisServer): Promise<readonly [Server, Server]> {
  const start = async (): Promise<Server> => {
    const server = await startSite(temporaryFolder(), {
      REDIS_URL: redis.url,
      TRUST_PROXY: '127.0.0.1',
      HANDOVER_ROOMS: '4',
      HANDOVER_ROOMS_HOST: '',
      METRICS_PORT: '0',
    });
    onTestFinished(() => server.close());
    return server;
  };
  return [await start(), await start()];
}

/** Opens a room, as the page of a visitor from this network does. */
async function open(
  { url }: Server,
  network = 1,
  order: object = {},
): Promise<{ status: number; code: RoomCode | null; key: unknown }> {
  const response = await fetch(`${url}rooms`, {
    method: 'POST',
    body: JSON.stringify({ level: { id: 'pile', seed: 1 }, protocol: PROTOCOL_VERSION, ...order }),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${network}` },
  });
  const { code, key } = (await response.json()) as { code?: string; key?: string };
  return { status: response.status, code: readRoomCode(code ?? ''), key };
}

/** Opens a room as soon as a process has a place: on a slow machine none takes rooms for a while [N9.8]. */
async function openOncePossible(...asked: Parameters<typeof open>): ReturnType<typeof open> {
  const until = performance.now() + 60_000;
  for (;;) {
    const answer = await open(...asked);
    if (answer.status === 201) return answer;
    if (answer.status !== 503 || performance.now() > until) throw new Error(`No room: ${answer.status}.`);
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

async function keyAt({ url }: Server, code: RoomCode): Promise<unknown> {
  return ((await (await fetch(`${url}rooms/${code}`)).json()) as { readonly key: unknown }).key;
}

async function figure({ metricsPort }: Server, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

async function until(isSo: () => boolean, what: string, timeout = 40_000): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout, message: what }).toBe(true);
}

async function isMet(players: readonly NodePlayer[]): Promise<void> {
  // The first player learns of the second one a moment after that one is in.
  const sees = ({ session }: NodePlayer): boolean => session.roster?.players.length === players.length;
  await until(() => players.every((player) => player.isIn && sees(player)), 'all are in, and know it');
}

describe('two processes of one site', () => {
  beforeAll(() => loadPhysics());

  test('[N9.2] [N9.3] players and watchers meet in a room of the server, whichever process each asks', async () => {
    const both = await sites(await startRedis());
    const { code, key } = await openOncePossible(both[0]);
    expect(await Promise.all(both.map((site) => keyAt(site, code!)))).toEqual([key, key]);
    const players = await Promise.all(both.map(({ url }, i) => joinRoom(placeAt(url), code!, i)));
    await isMet(players);
    const watchers = both.map((site) => new NodeWatcher(site, code!));
    await until(() => watchers.every(({ hasWorld }) => hasWorld), 'both watch');
    await until(() => players.every(({ session }) => session.roster?.watchers === 2), 'players know it');
    const hand = players[1].input.hands[RIGHT];
    const at = inspect(players[1].session.world!.peer).bodies.at(-1)!.position;
    Object.assign(hand.pose.position, { x: at[0], y: at[1], z: at[2] });
    Object.assign(hand, { tracked: true, grip: 1 });
    const holder = () => inspect(players[0].session.world!.peer).bodies.at(-1)!.holder?.slot;
    await until(() => holder() === players[1].session.slot, 'the other one sees the grab');
    hand.grip = 0;
    await until(() => {
      const rests = new Set(players.map(restOf));
      return rests.size === 1 && !rests.has('');
    }, 'all rests, to the bit');
  });

  test('[N9.2] [N9.3] so do players in a room of one of them', async () => {
    const both = await sites(await startRedis());
    const host = await NodePlayer.open(placeAt(both[0].url).broker.url, CODE, { id: 'pile', seed: 1 });
    onTestFinished(() => host.stop());
    await until(() => host.session.station.doorState === 'open', 'its door is open');
    const guests = await Promise.all(both.map(({ url }, i) => joinRoom(placeAt(url), CODE, i + 1)));
    await isMet([host, ...guests]);
    // Members have lines to one another: without the host they go on together.
    host.stop();
    const hosts = () => guests.map(({ session }) => session.roster?.host);
    await until(() => new Set(hosts()).size === 1 && hosts()[0] !== 0, 'they have a new host');
    await until(() => guests.every(({ isIn }) => isIn), 'both play');
    expect((await figure(both[0], 'handover_cluster_relayed_total')) > 0).toBe(true);
  });

  test('[N9.2] nobody gets a door that somebody has at another process; an unknown one is not waited for long', async () => {
    const both = await sites(await startRedis());
    const door = doorId(CODE);
    const first = await connectBroker(both[0].url, door, 'token');
    expect(await first.next()).toEqual({ type: 'OPEN' });
    const second = await connectBroker(both[1].url, door, 'another token');
    expect((await second.next()).type).toBe('ID-TAKEN');
    // With the same token it is the same client, which comes back.
    const again = await connectBroker(both[1].url, door, 'token');
    expect((await again.next()).type).toBe('OPEN');
    const caller = await connectBroker(both[1].url, 'caller');
    await caller.next();
    caller.send({ type: 'OFFER', dst: door, payload: 'hello' });
    expect(await again.next()).toEqual({ type: 'OFFER', src: 'caller', dst: door, payload: 'hello' });
    again.send({ type: 'ANSWER', dst: 'caller', payload: 'yes' });
    expect(await caller.next()).toEqual({ type: 'ANSWER', src: door, dst: 'caller', payload: 'yes' });
    again.socket.close();
    await again.closed;
    // The door belongs to the first process for a while, where nobody has it.
    caller.send({ type: 'OFFER', dst: door, payload: 'hello?' });
    expect(await caller.next()).toMatchObject({ type: 'EXPIRE', src: door, dst: 'caller' });
    // Nobody may send it an answer for which it has not asked, through another process either.
    const stranger = await connectBroker(both[0].url, 'stranger');
    await stranger.next();
    stranger.send({ type: 'CANDIDATE', dst: 'caller', payload: 'spam' });
    caller.send({ type: 'OFFER', dst: 'stranger', payload: 'last' });
    expect((await stranger.next()).payload).toBe('last');
  });

  test('[N2.6] [N9.2] a line over WebSockets finds its room through any process', async () => {
    const both = await sites(await startRedis());
    const { code } = await openOncePossible(both[0]);
    // Rooms send no UDP to this machine by themselves, and these players none at all.
    const deaf = (url: string) => ({
      broker: placeAt(url).broker,
      rooms: `${url}rooms/`,
      thisMachine: false,
    });
    const players = await Promise.all(both.map(({ url }, i) => joinRoom(deaf(url), code!, i)));
    await isMet(players);
    const ways = players.map(({ session }) => {
      return session.station.transport.lineTo(DEDICATED_SLOT as Slot)?.connection instanceof SocketConnection;
    });
    expect(ways).toEqual([true, true]);
    const { id } = players[0].session.station;
    for (const { url } of both) {
      const stolen = `rooms/${code}/line?id=${id}&token=guessed`;
      expect(await upgrade(url, stolen)).toBe(403);
      // Nor does it help to have asked the broker for that id before.
      expect((await (await connectBroker(url, id, 'guessed')).next()).type).toBe('ID-TAKEN');
      expect(await upgrade(url, stolen)).toBe(403);
    }
  });

  test('[N9.8] rooms are spread, and refused when no process has a place', async () => {
    const both = await sites(await startRedis());
    for (let network = 0; network < 8; network++)
      await openOncePossible(both[network % 3 === 0 ? 1 : 0], network);
    await expect
      .poll(() => Promise.all(both.map((site) => figure(site, 'handover_rooms'))), { timeout: 5000 })
      .toEqual([4, 4]);
    expect(await open(both[0], 20)).toMatchObject({ status: 503, code: null });
    expect(await figure(both[0], 'handover_cluster_processes')).toBe(2);
  });

  test('[N9.8] a room that moves goes to the process that has its door', async () => {
    const both = await sites(await startRedis());
    // The other one has fewer rooms.
    const host = await NodePlayer.open(placeAt(both[1].url).broker.url, CODE, { id: 'pile', seed: 1 });
    onTestFinished(() => host.stop());
    await until(() => host.session.station.doorState === 'open', 'its door is open');
    const { room } = host.session;
    const { key } = await openOncePossible(both[0], 1, { moves: { code: CODE, room } });
    expect(await keyAt(both[0], CODE)).toBe(key);
    await expect.poll(() => figure(both[1], 'handover_rooms'), { timeout: 5000 }).toBe(1);
    expect(await figure(both[0], 'handover_rooms')).toBe(0);
  });

  test('what a visitor says of being passed on changes nothing', async () => {
    const both = await sites(await startRedis());
    const door = doorId(CODE);
    const first = await connectBroker(both[0].url, door, 'token');
    await first.next();
    const query = new URLSearchParams({ key: 'peerjs', id: door, token: 'token' });
    const passed = { 'handover-passed': '1' };
    expect(await upgrade(both[1].url, `broker/peerjs?${query}`, undefined, passed)).toBe(503);
    expect(await upgrade(both[0].url, `broker/peerjs?${query}`, undefined, passed)).toBe('open');
    expect(
      await new Promise((resolve) => {
        const socket = new WebSocket(`${both[1].url.replace('http', 'ws')}rooms/${CODE}/watch`, {
          headers: passed,
        });
        socket.on('error', () => undefined);
        socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
        socket.on('open', () => resolve('open'));
      }),
    ).toBe(503);
  });
});
