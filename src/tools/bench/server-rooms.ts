import { TICK_MS, TICK_RATE } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import { SERVER_SEND_LIMITS } from '../../core/link/send-budget.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { RoomHarness } from '../../harness/room.ts';
import type { LevelId } from '../../levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { round, shareOf, Stopwatch, timeOf } from './stopwatch.ts';

/** The cost of rooms with so many players for the process that is their host, and how many of them one core carries. */
export type ServerRoomRow = {
  readonly scene: LevelId;
  readonly players: number;
  /** Milliseconds that the host's tick of one room takes, with receiving and sending: median and 99th percentile. */
  readonly median: number;
  readonly p99: number;
  /** Rooms whose ticks, one after the other, take no longer than a tick's time in 99 of 100 ticks. */
  readonly rooms: number;
  /** kbit/s to one player and from it: the means over all players and seconds. */
  readonly down: number;
  readonly up: number;
};

/** Ticks before the first counted one: bodies have fallen, and the code is compiled. */
const WARM_TICKS = 300;
const TICKS = 600;
/** Ticks of a process that are drawn for each number of rooms, and the most rooms that are tried. */
const DRAWN_TICKS = 5000;
const MOST_ROOMS = 200;
const CONDITIONS = { latencyMs: 50, jitterMs: 20, loss: 0.05 } as const;

/**
 * Plays rooms whose host has a player that stands and looks, and whose guests all grab and throw. Only the host is timed.
 * @param players of a room, without the host.
 */
export async function benchServerRooms(
  scenes: readonly LevelId[],
  players: readonly number[],
  seeds: readonly number[],
): Promise<ServerRoomRow[]> {
  await loadPhysics();
  return scenes.flatMap((scene) => players.map((count) => measure(scene, count, seeds)));
}

function measure(scene: LevelId, players: number, seeds: readonly number[]): ServerRoomRow {
  const times: number[] = [];
  let sent = 0;
  let received = 0;
  for (const seed of seeds) {
    const room = new RoomHarness(
      {
        players: players + 1,
        scene: { id: scene, seed },
        bots: ['idle', ...Array<'chaos'>(players).fill('chaos')],
        seed,
        conditions: CONDITIONS,
        quietFrom: Infinity,
        limits: SERVER_SEND_LIMITS,
      },
      createRapierSimulation,
    );
    const [host] = room.peers;
    const watch = new Stopwatch(host);
    const bytes = (): { sent: number; received: number } => trafficOf(host, players);
    for (let tick = 0; tick < WARM_TICKS; tick++) room.step();
    const before = bytes();
    for (let tick = 0; tick < TICKS; tick++) {
      watch.begin(true);
      room.step();
      watch.end();
    }
    times.push(...watch.samplesOf('tick'));
    sent += bytes().sent - before.sent;
    received += bytes().received - before.received;
    room.dispose();
  }
  const kbits = (count: number): number =>
    round((count * 8 * TICK_RATE) / (TICKS * seeds.length * players) / 1000);
  return {
    scene,
    players,
    ...timeOf(times),
    rooms: roomsThatFit(times, TICK_MS),
    down: kbits(sent),
    up: kbits(received),
  };
}

function trafficOf(host: Peer, players: number): { sent: number; received: number } {
  const sum = { sent: 0, received: 0 };
  for (let slot = 1; slot <= players; slot++) {
    const { bytesSent, bytesReceived } = host.traffic(slot as Slot);
    sum.sent += bytesSent;
    sum.received += bytesReceived;
  }
  return sum;
}

/**
 * The most rooms whose ticks, one after the other, take at most `limit` milliseconds in 99 of 100 ticks. Rooms know
 * nothing of each other, so each of them has any of the measured times.
 * @param times of ticks of one room, in milliseconds; not empty.
 */
export function roomsThatFit(times: readonly number[], limit: number): number {
  const random = new Random(1);
  const sums = new Float64Array(DRAWN_TICKS);
  for (let rooms = 0; rooms < MOST_ROOMS; rooms++) {
    for (let i = 0; i < DRAWN_TICKS; i++) sums[i] += times[random.below(times.length)];
    if (shareOf(sums.toSorted(), 0.99) > limit) return rooms;
  }
  return MOST_ROOMS;
}

/** The figures as a table for docs/server-rooms.md. */
export function describeServerRooms(rows: readonly ServerRoomRow[]): string {
  const head = [
    'scene',
    'players',
    'tick, ms',
    'tick in 99 of 100, ms',
    'rooms a core',
    'to a player, kbit/s',
    'from a player, kbit/s',
  ];
  const lines = rows.map(({ scene, players, median, p99, rooms, down, up }) => [
    scene,
    players,
    median,
    p99,
    rooms,
    Math.round(down),
    Math.round(up),
  ]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
