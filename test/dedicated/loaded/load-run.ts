import { mkdtempSync, rmSync } from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { LevelId } from '../../../src/levels/levels.ts';
import type { Server } from '../../../src/server/server.ts';
import { quantile } from '../../netsim/traffic.ts';
import { AskedProcess } from '../asked-process.ts';
import type { Costs } from '../costs.ts';
import { readCosts, udpPortsOfRooms } from '../costs.ts';
import { PLAYERS, SHARED_MS } from '../feel/clock-hand.ts';
import { offOf } from '../feel/figures.ts';
import { lose, losses, SITE_PORT } from '../feel/network.ts';
import type { PlayerProcess } from '../feel/player-process.ts';
import { beginPlayer } from '../feel/player-process.ts';
import type { Sight } from '../feel/watch.ts';
import { openRoom, startSite } from '../site.ts';
import { pause } from '../tool.ts';
import type { FloodAnswer, Flooded, FloodOrder } from './flood-messages.ts';
import { leaveFirstCore, takeFirstCore } from './cores.ts';
import type { Counted, CrowdAnswer, CrowdOrder, Place } from './crowd-messages.ts';
import type { PageFigures } from './page-player.ts';
import { PagePlayer } from './page-player.ts';

/** The load of one row of the table. */
export type Load = {
  readonly level: LevelId;
  readonly rooms: number;
  /** People in each room. */
  readonly players: number;
  /** Per cent of packets that the kernel loses. */
  readonly percent: number;
  readonly seconds: number;
  readonly seed: number;
  /** An attacker sends all it can to every port meanwhile. */
  readonly floods: boolean;
  /** Seconds from one reset by all players to the next; 0 for none. */
  readonly resetSeconds: number;
  /** The process of the rooms has no core for itself: everything shares all of them. */
  readonly shared: boolean;
  /** So many times slower than life everything runs. */
  readonly slow: number;
  /** The folder of the built pages if one player of the first room is a page of Chromium; null if none is. */
  readonly pages: string | null;
};

/** One reading of a process with rooms, of the seconds since the one before; ten, or less. */
export type Reading = {
  readonly seconds: number;
  readonly tickP99Ms: number;
  /** Per cent of the ticks that began late or were left out; NaN in slow motion. */
  readonly latePercent: number;
  readonly cores: number;
  readonly megabytes: number;
  readonly files: number;
};

export type LoadFigures = Reading & {
  /** kbit/s of payload: the mean of all players, and the most that one of them had. */
  readonly down: { readonly mean: number; readonly most: number };
  readonly up: { readonly mean: number; readonly most: number };
  /** Ticks a second of the slowest of the players who are not watched; NaN without any. Below 60 the machine has no time for them. */
  readonly playerTicks: number;
  /** Centimetres by which a friend's held or thrown cube was off its path, in 95 of 100 pictures; NaN without any. */
  readonly offCm: number;
  /** The longest time for which a player that was watched did not tick, in milliseconds. */
  readonly stallMs: number;
  /** Players that were not in their room at the end. */
  readonly lost: number;
  /** Seconds from the end of play until all players of each room had the same rest, to the bit; null if they had not. */
  readonly sameAfter: number | null;
  readonly lostPackets: number;
  /** Null without a flood. */
  readonly flooded: Flooded | null;
  /** Null without a page. */
  readonly page: PageFigures | null;
};

type Crowd = AskedProcess<CrowdOrder, CrowdAnswer>;

/** Players of a process of the crowd. */
const OF_PROCESS = 8;
/** The niceness of the crowd and of the attacker: the rooms, and the players who are watched, go first. */
const OTHERS_NICENESS = 0;
/** Milliseconds between two readings: the time of a tick is that of the last ten seconds. */
const READ_MS = 10_000;
/** Milliseconds from the first move on until the throws are in the air, and V8 has compiled what runs often. */
const WARM_UP_MS = 15_000;
/** Milliseconds that all may take to come to rest, and between two looks. */
const REST_WITHIN_MS = 90_000;
const LOOK_MS = 500;

/** Plays rooms at full load, and measures their process. @param each is told every reading. */
export async function measureLoad(load: Load, each: (reading: Reading) => void): Promise<LoadFigures> {
  lose(load.percent, false);
  if (!load.shared) leaveFirstCore();
  const folder = mkdtempSync(join(tmpdir(), 'handover-load-'));
  const environment = {
    PORT: String(SITE_PORT),
    METRICS_PORT: '0',
    TRUST_PROXY: '127.0.0.1',
    HANDOVER_ROOMS: String(load.rooms),
    HANDOVER_ROOMS_PLAYERS: '31',
  };
  const server = await startSite(folder, environment, load.pages ?? undefined);
  const processes: { stop: () => void }[] = [];
  try {
    const crowd = await fill(server, load, processes);
    return await play(server, load, crowd, each);
  } finally {
    for (const begun of processes) begun.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}

/** The players who are watched, in the first room; and all others. */
type Everybody = {
  /** The rooms; the first is that of the players who are watched. */
  readonly codes: readonly RoomCode[];
  readonly watched: readonly PlayerProcess[];
  /** A page of the first room. */
  readonly page: PagePlayer | null;
  readonly crowd: readonly Crowd[];
};

/** Opens the rooms, and has everybody come in. */
async function fill(
  { url }: Server,
  { level, rooms, players, slow, shared, pages }: Load,
  processes: { stop: () => void }[],
): Promise<Everybody> {
  const network = { broker: { url: `${url.replace('http', 'ws')}broker` }, address: '127.0.0.1' };
  const codes: RoomCode[] = [];
  for (let room = 0; room < rooms; room++)
    codes.push(
      await openRoom(url, { level, capacity: players }, { 'X-Forwarded-For': `203.0.113.${room + 1}` }),
    );
  if (!shared) takeFirstCore();
  const watched: PlayerProcess[] = [];
  const inPages = pages === null ? 0 : 1;
  for (let colour = 0; colour < Math.min(PLAYERS, players - inPages); colour++) {
    const player = await beginPlayer();
    processes.push(player);
    watched.push(player);
    await player.ask({ kind: 'enter', network, code: codes[0], colour }, 'in');
  }
  const page = inPages === 0 ? null : await PagePlayer.enter(url, codes[0], slow);
  if (page !== null) processes.push(page);
  const places = codes.flatMap((code, room) =>
    Array.from({ length: players }, (_, colour): Place => ({ code, colour })).slice(
      room === 0 ? watched.length + inPages : 0,
    ),
  );
  const crowd: Crowd[] = [];
  for (let first = 0; first < places.length; first += OF_PROCESS) {
    const some = await AskedProcess.begin<CrowdOrder, CrowdAnswer>(
      new URL('./crowd-main.ts', import.meta.url),
    );
    processes.push(some);
    crowd.push(some);
    setPriority(some.pid, OTHERS_NICENESS);
  }
  const come = (some: Crowd, i: number): Promise<unknown> => {
    const own = places.slice(i * OF_PROCESS, (i + 1) * OF_PROCESS);
    return some.ask({ kind: 'come', network, places: own }, 'there');
  };
  await Promise.all(crowd.map(come));
  return { codes, watched, page, crowd };
}

async function play(
  server: Server,
  load: Load,
  everybody: Everybody,
  each: (reading: Reading) => void,
): Promise<LoadFigures> {
  const { seed, seconds, players, resetSeconds } = load;
  const { watched, page, crowd } = everybody;
  const attacker = load.floods ? await beginAttacker() : null;
  for (const some of crowd) await some.ask({ kind: 'play', seed, players, resetSeconds }, 'playing');
  const fromMs = performance.now() + SHARED_MS + WARM_UP_MS;
  const untilMs = fromMs + 1000 * seconds;
  const seen = Promise.all(
    watched.map((player) => player.ask({ kind: 'play', seed, fromMs, untilMs, resetSeconds }, 'played')),
  );
  await page?.play(watched.map((_, slot) => slot));
  await pause(WARM_UP_MS);
  await page?.takeFigures();
  await Promise.all(crowd.map((some) => some.ask({ kind: 'count' }, 'counted')));
  const flood = attacker?.ask(
    { ...targetsOf(server), codes: everybody.codes, ports: udpPortsOfRooms(), seconds },
    'flooded',
  );
  const reading = await readOften(server, load, each);
  const counted = await Promise.all(crowd.map((some) => some.ask({ kind: 'count' }, 'counted')));
  const pageFigures = (await page?.takeFigures()) ?? null;
  const sights = (await seen).map(({ sight }) => sight);
  const flooded = (await flood) ?? null;
  attacker?.stop();
  const lostPackets = losses().lost / losses().all;
  const sameAfter = await secondsUntilSame(everybody);
  const lost = counted.reduce((sum, some) => sum + some.lost, 0) + ((await page?.isIn()) === false ? 1 : 0);
  return {
    ...reading,
    ...trafficOf(counted, sights),
    playerTicks: slowest(counted.flatMap((some) => some.players.map(({ ticks }) => ticks / some.seconds))),
    offCm:
      100 *
      quantile(
        offOf(sights).sort((a, b) => a - b),
        0.95,
      ),
    stallMs: Math.max(...sights.map(({ stallMs }) => stallMs)),
    lost: lost + sights.filter(({ absent }) => absent > 0).length,
    sameAfter,
    lostPackets,
    flooded,
    page: pageFigures,
  };
}

/** Reads the costs every ten seconds. @returns those of the whole time; with the slowest ticks of all readings. */
async function readOften(
  server: Server,
  { seconds, slow }: Load,
  each: (reading: Reading) => void,
): Promise<Reading> {
  const began = await readCosts(server);
  const readings = Math.max(1, Math.round((1000 * seconds) / READ_MS));
  let [before, worstMs] = [began, 0];
  for (let i = 0; i < readings; i++) {
    await pause((1000 * seconds) / readings);
    const after = await readCosts(server);
    const reading = readingOf(before, after, slow);
    worstMs = Math.max(worstMs, reading.tickP99Ms);
    each(reading);
    before = after;
  }
  return { ...readingOf(began, before, slow), tickP99Ms: worstMs };
}

async function beginAttacker(): Promise<AskedProcess<FloodOrder, FloodAnswer>> {
  const program = new URL('./flood-main.ts', import.meta.url);
  const attacker = await AskedProcess.begin<FloodOrder, FloodAnswer>(program);
  setPriority(attacker.pid, OTHERS_NICENESS);
  return attacker;
}

function targetsOf({ url, metricsPort }: Server): Pick<FloodOrder, 'url' | 'metricsUrl'> {
  return { url, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
}

/** NaN without values. */
function slowest(values: readonly number[]): number {
  return values.length === 0 ? NaN : Math.min(...values);
}

function readingOf(before: Costs, after: Costs, slow: number): Reading {
  const seconds = (after.atMs - before.atMs) / 1000;
  const more = (name: string): number => after.figures[name] - before.figures[name];
  const late = more('handover_rooms_late_ticks') + more('handover_rooms_skipped_ticks');
  return {
    seconds,
    // A tick takes as long as ever, by a clock that is slower.
    tickP99Ms: slow * 1000 * after.figures.handover_rooms_tick_p99_seconds,
    latePercent: slow > 1 ? NaN : (100 * late) / more('handover_rooms_ticks'),
    cores: (after.rooms - before.rooms) / seconds,
    megabytes: after.roomsMb,
    files: after.roomsFiles,
  };
}

function trafficOf(
  crowd: readonly { readonly seconds: number; readonly players: readonly Counted[] }[],
  sights: readonly Sight[],
): Pick<LoadFigures, 'down' | 'up'> {
  const kbps = (way: 'down' | 'up'): { mean: number; most: number } => {
    const rates = [
      ...crowd.flatMap(({ seconds, players }) => players.map((player) => (8 * player[way]) / 1000 / seconds)),
      ...sights.map(({ traffic }) => (8 * traffic[way]) / 1000 / traffic.seconds),
    ];
    return { mean: rates.reduce((sum, rate) => sum + rate, 0) / rates.length, most: Math.max(...rates) };
  };
  return { down: kbps('down'), up: kbps('up') };
}

/** Everybody lowers the hands. @returns seconds until all players of each room have the same rest; null if they have not. */
async function secondsUntilSame({ codes: [code], watched, page, crowd }: Everybody): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < REST_WITHIN_MS) {
    const own = await Promise.all(watched.map((player) => player.ask({ kind: 'rest' }, 'rests')));
    const others = await Promise.all(crowd.map((some) => some.ask({ kind: 'rest' }, 'rests')));
    const ofFirst = [...own.map(({ bodies }) => bodies), ...(page === null ? [] : [await page.rest()])];
    const rests = [...ofFirst.map((bodies) => ({ code, bodies })), ...others.flatMap(({ bodies }) => bodies)];
    const ofRooms = new Map<RoomCode, Set<string>>();
    for (const rest of rests) ofRooms.set(rest.code, (ofRooms.get(rest.code) ?? new Set()).add(rest.bodies));
    const areSame = [...ofRooms.values()].every((bodies) => bodies.size === 1 && !bodies.has(''));
    if (areSame) return (performance.now() - began) / 1000;
    await pause(LOOK_MS);
  }
  return null;
}
