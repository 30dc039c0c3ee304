import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { RoomsProcess } from '../../../src/dedicated/rooms-process.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { createBroker } from '../../../src/server/broker/broker.ts';
import { House } from '../../../src/server/broker/house.ts';
import { readWhole, readWords } from '../../../src/tools/words.ts';
import { tableOf, writeTable } from '../table.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { RedisServer } from '../../cluster/redis-server.ts';
import { balance } from '../../server/cluster/balancer.ts';
import { SiteProcess } from '../../server/cluster/site-process.ts';
import { openRoom } from '../site.ts';
import { pause } from '../tool.ts';
import type { Killer, Killing, PlayedRoom } from './killed-rooms.ts';
import { build, kill, placeOf, playedRoom, SAVED_MS } from './killed-rooms.ts';

/**
 * `npm run killed`: plays in rooms of a real process over real data channels, kills that process again and again, and
 * prints how the rooms come back [N6]. With `--cluster` a whole server is killed, and another one of the same site takes
 * its rooms [N9.4]. `--write` puts the table into docs/server-rooms.md.
 */

const USAGE = `Usage: npm run killed -- [options]
  --times N    how often the process is killed (10)
  --rooms N    its rooms, of which every fifth has two players, and of the others every second one (20)
  --cluster    kills one of two servers of a site, which has all of the rooms
  --write      puts the table into docs/server-rooms.md`;

/** Players of a room: most rooms of a server have few. */
function playersOf(room: number): number {
  return room % 5 === 0 ? 2 : room % 2;
}

async function measure(times: number, count: number): Promise<Killing[]> {
  await loadPhysics();
  const killings: Killing[] = [];
  for (let time = 0; time < times; time++) {
    // A broker of its own: it limits how many rooms one network looks for.
    const house = new House();
    const broker = createBroker({ house });
    const server = createServer().on('upgrade', (...upgrade) => broker.upgrade(...upgrade));
    broker.mount(express());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/broker`;
    killings.push(await measureOnce(url, house, count));
    console.log(JSON.stringify(killings.at(-1)));
    await broker.stop();
    server.close();
  }
  return killings;
}

async function measureOnce(url: string, house: House, count: number): Promise<Killing> {
  const folder = mkdtempSync(join(tmpdir(), 'handover-killed-'));
  const network = { broker: { url, headers: house.headers }, address: '127.0.0.1' };
  const snapshots = { kind: 'folder', path: folder, keepMs: 3_600_000 } as const;
  const rooms = new RoomsProcess(
    () => ({ network, mostRooms: count, emptyMs: 3_600_000, lineSecret: 'secret', snapshots }),
    (doors) => house.doors.reserve(doors),
  );
  const numbers = Array.from({ length: count }, (_, room) => room);
  const played = await Promise.all(
    numbers.map(async (room) => {
      const opened = await rooms.open({ level: { id: 'tower', seed: 1 } });
      if (typeof opened === 'string') throw new Error(`no room: ${opened}`);
      return playedRoom(opened.code, url, playersOf(room));
    }),
  );
  const { pid } = rooms;
  const killing = await buildAndKill(played, {
    kill: () => process.kill(pid ?? NaN, 'SIGKILL'),
    isBack: () => rooms.pid !== pid && rooms.figures.rooms === count && rooms.figures.returning === 0,
  });
  await rooms.stop();
  rmSync(folder, { recursive: true });
  return killing;
}

/** Moves a cube in each room, waits until that is saved, and kills the process of the rooms. */
async function buildAndKill(played: readonly PlayedRoom[], killer: Killer): Promise<Killing> {
  const places = played.map(placeOf);
  for (const room of played) build(room);
  // The cubes come to rest, and the snapshots are taken.
  await pause(3000 + SAVED_MS);
  const isMoved = (room: PlayedRoom, i: number): boolean => String(placeOf(room)) !== String(places[i]);
  if (!played.every((room, i) => room.players.length === 0 || isMoved(room, i)))
    throw new Error('a cube did not move: nothing would be lost');
  const killing = await kill(killer, played);
  for (const { players } of played) for (const player of players) player.stop();
  return killing;
}

/** The same with two servers of a site behind Caddy: the first has all of the rooms when it is killed. */
async function measureCluster(times: number, count: number): Promise<Killing[]> {
  await loadPhysics();
  const killings: Killing[] = [];
  for (let time = 0; time < times; time++) {
    const redis = await RedisServer.start();
    const settings = { HANDOVER_ROOMS: String(count), HANDOVER_ROOMS_OF_NETWORK: String(count) };
    const first = await SiteProcess.start(redis.url, settings);
    const codes: RoomCode[] = [];
    // One network opens four at once.
    for (let room = 0; room < count; room++)
      codes.push(await openRoom(first.url, { level: 'tower' }, { 'X-Forwarded-For': `203.0.113.${room}` }));
    const second = await SiteProcess.start(redis.url, settings);
    const caddy = await balance([first.url, second.url]);
    const played = await Promise.all(
      codes.map((code, room) => playedRoom(code, caddy.place, playersOf(room))),
    );
    const figure = (text: string, name: string): number =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    killings.push(
      await buildAndKill(played, {
        kill: () => first.signal('SIGKILL'),
        isBack: async () => {
          const text = await (await fetch(second.metricsUrl)).text();
          return figure(text, 'handover_rooms') === count && figure(text, 'handover_rooms_returning') === 0;
        },
      }),
    );
    console.log(JSON.stringify(killings.at(-1)));
    await Promise.all([second.stop(), caddy.stop()]);
    await redis.stop();
  }
  return killings;
}

const COLUMNS = [
  'kill',
  'rooms back, s',
  'all play, s',
  'players not in their places',
  'rooms that lost what was built',
];

function rowOf({ backMs, playedMs, misplaced, lost }: Killing, kill: number): string[] {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  return [String(kill + 1), seconds(backMs), seconds(playedMs), String(misplaced), String(lost)];
}

const OPTIONS = {
  times: { type: 'string', default: '10' },
  rooms: { type: 'string', default: '20' },
  cluster: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

async function main(words: readonly string[]): Promise<void> {
  const { times, rooms, cluster, write, help } = readWords(words, OPTIONS);
  if (help) {
    console.log(USAGE);
    return;
  }
  const run = cluster ? measureCluster : measure;
  const killings = await run(readWhole('times', times, 1, 1000), readWhole('rooms', rooms, 1, 64));
  const table = tableOf(COLUMNS, killings.map(rowOf));
  console.log(table);
  if (write) writeTable(cluster ? 'killed-cluster' : 'killed', table);
}

await main(process.argv.slice(2));
process.exit(0);
