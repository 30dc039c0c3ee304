import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { BodyId } from '../../../src/core/base/ids.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { RedisServer } from '../../cluster/redis-server.ts';
import { connectTo, startRedis } from '../../cluster/start-redis.ts';
import { joinRoom } from '../../dedicated/node-guest.ts';
import type { NodePlayer } from '../../dedicated/node-player.ts';
import { openRoom } from '../../dedicated/site.ts';
import type { Balancer } from './balancer.ts';
import { balance } from './balancer.ts';
import { SiteProcess } from './site-process.ts';

/** The cube that players move. */
const CUBE = 3 as BodyId;

/** Two processes of a site behind a real Caddy, and rooms with players in both. */
type Site = {
  readonly redis: RedisServer;
  readonly processes: readonly SiteProcess[];
  readonly caddy: Balancer;
  readonly rooms: readonly PlayedRoom[];
};

type PlayedRoom = {
  readonly code: RoomCode;
  readonly at: SiteProcess;
  readonly players: readonly NodePlayer[];
  /** Where they have put it. */
  readonly built: Place;
};

type Place = readonly [x: number, y: number, z: number];

async function until(isSo: () => boolean, what: string, timeout = 40_000): Promise<void> {
  await expect.poll(isSo, { interval: 20, timeout, message: what }).toBe(true);
}

function isOnServer({ session, isIn }: NodePlayer): boolean {
  return isIn && session.roster?.host === DEDICATED_SLOT;
}

function placeOf({ session }: NodePlayer): Place {
  return inspect(session.world!.peer).bodies[CUBE].position;
}

/** Within a few centimetres: what still moved may have come to rest. */
function isAt(player: NodePlayer, place: Place): boolean {
  return placeOf(player).every((at, i) => Math.abs(at - place[i]) < 0.05);
}

/** Puts the cube a metre farther. @returns where all have it, at rest. */
async function build(players: readonly NodePlayer[]): Promise<Place> {
  const [x, , z] = placeOf(players[0]);
  const pose = { position: { x: x + 1, y: 0.5, z }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  players[0].session.world?.peer.act({ kind: 'teleport', body: CUBE, pose });
  const isMoved = (): boolean => Math.abs(placeOf(players[0])[0] - x) > 0.2;
  const isAtRest = ({ session }: NodePlayer): boolean => inspect(session.world!.peer).bodies[CUBE].resting;
  await until(() => isMoved() && players.every(isAtRest), 'the cube rests elsewhere');
  return placeOf(players[0]);
}

async function startSite(): Promise<Site> {
  const redis = await startRedis();
  const processes: SiteProcess[] = [];
  for (let i = 0; i < 2; i++) {
    const process = await SiteProcess.start(redis.url, { HANDOVER_ROOMS: '4' });
    onTestFinished(() => process.kill());
    processes.push(process);
  }
  const caddy = await balance(processes.map(({ url }) => url));
  onTestFinished(() => caddy.stop());
  const rooms: PlayedRoom[] = [];
  for (let room = 0; room < 4; room++) {
    // As one process passes an order on to the other: by their load they could be spread otherwise on a slow machine.
    const at = processes[room % 2];
    const code = await openRoom(at.url, { level: 'tower' }, { 'Handover-Passed': '1' });
    const colours = room < 2 ? [0] : [0, 1];
    const players = await Promise.all(colours.map((colour) => joinRoom(caddy.place, code, colour)));
    await until(() => players.every(isOnServer), 'all play');
    rooms.push({ code, at, players, built: await build(players) });
  }
  return { redis, processes, caddy, rooms };
}

/** Rooms of a process now; it says so a second later. */
async function roomsAt({ metricsUrl }: SiteProcess): Promise<number> {
  await new Promise((resolve) => void setTimeout(resolve, 1500));
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^handover_rooms (.*)$/m.exec(text)?.[1]);
}

function slotsOf(rooms: readonly PlayedRoom[]): unknown {
  return rooms.map(({ players }) => players.map(({ session }) => session.slot));
}

/** Waits until all play on the server again, in their places, with what they have built. */
async function expectBack(rooms: readonly PlayedRoom[], slots: unknown): Promise<void> {
  const all = rooms.flatMap(({ players }) => players);
  await until(() => all.every(isOnServer), 'all are back on the server');
  expect(slotsOf(rooms)).toEqual(slots);
  for (const { players, built } of rooms)
    await until(() => players.every((player) => isAt(player, built)), 'what was built is there');
}

describe('a process of a site', () => {
  beforeAll(() => loadPhysics());

  test('[N9.1] [N9.4] that is killed loses no room, no place and nothing that was built ten seconds before', async () => {
    const { processes, caddy, rooms } = await startSite();
    const slots = slotsOf(rooms);
    const atBoth = processes.map((process) => rooms.filter(({ at }) => at === process));
    const others = atBoth[1].flatMap(({ players }) => players);
    // [N6.1] By then everything is saved.
    await new Promise((resolve) => void setTimeout(resolve, 11_000));
    processes[0].signal('SIGKILL');
    const killedAt = performance.now();
    const codes = atBoth[0].map(({ code }) => code);
    const keys = async (): Promise<unknown[]> => {
      const answers = await Promise.all(codes.map((code) => fetch(`${caddy.url}rooms/${code}`)));
      return Promise.all(answers.map(async (answer) => ((await answer.json()) as { key: unknown }).key));
    };
    await expect.poll(keys, { timeout: 30_000 }).not.toContain(null);
    console.log(`adopted after ${((performance.now() - killedAt) / 1000).toFixed(1)} s`);
    await expectBack(rooms, slots);
    console.log(`all play after ${((performance.now() - killedAt) / 1000).toFixed(1)} s`);
    for (const { session } of others) expect(session.status.kind).toBe('here');
    const late = await joinRoom(caddy.place, codes[0], 5);
    await until(() => isOnServer(late) && isAt(late, atBoth[0][0].built), 'a newcomer finds it');
  });

  test('[N9.6] that ends hands its rooms to its players, and another process takes them', async () => {
    const { processes, rooms } = await startSite();
    const slots = slotsOf(rooms);
    const all = rooms.flatMap(({ players }) => players);
    let mostAway = 0;
    let awayFrom: number | null = null;
    const watch = setInterval(() => {
      const isAway = all.some(({ session }) => session.world?.peer.hasWorld !== true);
      if (!isAway) awayFrom = null;
      else mostAway = Math.max(mostAway, performance.now() - (awayFrom ??= performance.now()));
    }, 5);
    await processes[0].stop();
    await expectBack(rooms, slots);
    clearInterval(watch);
    // Nobody was without a world for longer than it takes to come in.
    expect(mostAway).toBeLessThan(3000);
  });

  test('[N9.5] that stood still for nine seconds gives up the rooms that another one has taken', async () => {
    const { processes, rooms } = await startSite();
    const slots = slotsOf(rooms);
    // [N6.2] By then the snapshots know who is here.
    await new Promise((resolve) => void setTimeout(resolve, 11_000));
    processes[0].signal('SIGSTOP');
    await new Promise((resolve) => void setTimeout(resolve, 9000));
    processes[0].signal('SIGCONT');
    await expectBack(rooms, slots);
    await expect.poll(() => roomsAt(processes[0]), { timeout: 40_000 }).toBe(0);
    await expectBack(rooms, slots);
  });

  test('[N9.7] plays on while Redis is away; who comes waits, and is in when it is there again', async () => {
    const { redis, caddy, rooms } = await startSite();
    const all = rooms.flatMap(({ players }) => players);
    await redis.stop();
    await new Promise((resolve) => void setTimeout(resolve, 25_000));
    const comers = await Promise.all(rooms.map(({ code }) => joinRoom(caddy.place, code, 5)));
    await new Promise((resolve) => void setTimeout(resolve, 5000));
    expect(comers.map(({ isIn }) => isIn)).toEqual(comers.map(() => false));
    // A slow machine may have one of them miss the host for a moment.
    await until(() => all.every(isOnServer), 'all play on without Redis');
    await redis.begin();
    await until(() => comers.every(isOnServer), 'who came is in', 20_000);
    expect(all.every(isOnServer)).toBe(true);
    const connection = await connectTo(redis);
    // Redis has forgotten everything, and it is saved again.
    for (const { code } of rooms)
      await expect.poll(() => connection.get(`handover:room:${code}`), { timeout: 5000 }).not.toBeNull();
  });
});
