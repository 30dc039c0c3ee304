import { TICK_RATE } from '../../../core/base/constants.ts';
import type { BodyId, Slot } from '../../../core/base/ids.ts';
import { Recorder } from '../../../core/peer/recording/recorder.ts';
import type { Simulation } from '../../../core/world/simulation.ts';
import type { LevelId } from '../../../levels/levels.ts';
import type { Build } from '../../../physics/engine.ts';
import { fastestBuild, loadBuild } from '../../../physics/engine.ts';
import { createRapierSimulation } from '../../../physics/rapier-simulation.ts';
import type { TickBytes } from './tick-bytes.ts';
import { measureBytes } from './tick-bytes.ts';
import type { Agreement } from './agreement.ts';
import { measureAgreement, STILL_SPEED } from './agreement.ts';
import { LEAST_MOVING, LEAST_SPEED, MOST_MOVING, timeHostAlone } from './host-alone.ts';
import { RoomHarness } from '../../../harness/room.ts';
import type { Phase, Time } from '../stopwatch.ts';
import { PHASES, round, Stopwatch } from '../stopwatch.ts';

export type TickLoad = {
  readonly scene: LevelId;
  /** Cubes of the scene `grid`; other scenes have their own. */
  readonly cubes: readonly number[];
  readonly guests: readonly number[];
  readonly seed: number;
};

/** The cost of a tick for one peer of a room in play. */
export type TickTimes = {
  readonly cubes: number;
  readonly guests: number;
  readonly peer: 'host' | 'guest';
  readonly ms: Readonly<Record<Phase, Time>>;
};

/** The result for a room in play. */
export type TickRoom = {
  readonly cubes: number;
  readonly guests: number;
  /** Bodies that are awake in the host's engine: the mean. */
  readonly awake: number;
  /** The host's median tick divided by the median step of its own engine, in the room's process. */
  readonly hostTickPerStep: number;
  /** The same for the host alone in its process, in the ticks in which about 200 bodies move; null if there is none. */
  readonly aloneTickPerStep: number | null;
  /** How many ticks these are. */
  readonly aloneTicks: number;
  /** Bodies that move in the host's engine: the mean. */
  readonly moving: number;
  /**
   * Writing a packet for one guest and reading it there, together, in steps of the engine's plain build. Medians
   * of a room that runs on that build; the mean of CODING_ROOMS, of this seed and the next, because moving
   * bodies differ much from room to room. Null for rooms in which that would take too long.
   */
  readonly codingPerPlainStep: number | null;
  /** kbit/s to the guest that gets most: the mean, and the worst second. */
  readonly toGuest: { readonly mean: number; readonly worstSecond: number };
} & Agreement;

export type TickFigures = {
  readonly scene: LevelId;
  readonly seed: number;
  /** The Rapier build that ran. */
  readonly engine: Build;
  readonly times: readonly TickTimes[];
  readonly rooms: readonly TickRoom[];
  readonly bytes: readonly TickBytes[];
};

/** Ticks before the first counted one: the drop is over, and the code is compiled. */
const WARM_TICKS = 360;
const TICKS = 360;
/** Rooms whose coding is timed for each load. */
const CODING_ROOMS = 3;
/** The most cubes for which the plain build runs. */
const MOST_PLAIN_CUBES = 256;
const HOST = 0 as Slot;
const CONDITIONS = { latencyMs: 50, jitterMs: 50, loss: 0.05 } as const;
const ROUND_TRIP_MS = 2 * (CONDITIONS.latencyMs + CONDITIONS.jitterMs);

type Load = {
  readonly scene: LevelId;
  readonly cubes: number;
  readonly guests: number;
  readonly seed: number;
};

/** Runs rooms of real peers with bots that grab and throw, over a network with 50 ms of latency and of jitter. */
export async function benchTick({ scene, cubes, guests, seed }: TickLoad): Promise<TickFigures> {
  const counts = scene === 'grid' ? cubes : cubes.slice(0, 1);
  const loads = counts.flatMap((count) =>
    guests.map((others) => ({ scene, cubes: count, guests: others, seed })),
  );
  await loadBuild(fastestBuild());
  const bytes = measureBytes(counts);
  // Without this, the first room would pay for the compiler. The plain build is slow with many cubes.
  await timeCoding({ ...loads[0], cubes: Math.min(loads[0].cubes, MOST_PLAIN_CUBES) }, 1);
  const times: TickTimes[] = [];
  const rooms: TickRoom[] = [];
  for (const load of loads) {
    const coding = load.cubes <= MOST_PLAIN_CUBES ? await timeCoding(load, CODING_ROOMS) : null;
    await loadBuild(fastestBuild());
    const found = timeRoom(load);
    times.push(...found.times);
    rooms.push({ ...found.room, codingPerPlainStep: coding });
  }
  return { scene, seed, engine: fastestBuild(), times, rooms, bytes };
}

/** A room that plays for a number of ticks, and then keeps still. @param recorder records the host. */
function createRoom(
  { scene, cubes, guests, seed }: Load,
  recorder?: Recorder,
): { room: RoomHarness; hostsEngine: Simulation } {
  const engines: Simulation[] = [];
  const room = new RoomHarness(
    {
      players: guests + 1,
      scene: { id: scene, seed, count: cubes },
      bots: 'chaos',
      seed,
      conditions: CONDITIONS,
      quietFrom: WARM_TICKS + TICKS,
      recorded: [HOST],
      ...(recorder === undefined ? {} : { recorder }),
    },
    (level) => {
      const engine = createRapierSimulation(level);
      engines.push(engine);
      return engine;
    },
  );
  return { room, hostsEngine: engines[0] };
}

/** The same room, with stopwatches. */
class TimedRoom {
  readonly room: RoomHarness;
  readonly #hostsEngine: Simulation;
  readonly host: Stopwatch;
  readonly guest: Stopwatch;

  constructor(load: Load) {
    const { room, hostsEngine } = createRoom(load);
    this.room = room;
    this.#hostsEngine = hostsEngine;
    this.host = new Stopwatch(this.room.peers[0]);
    this.guest = new Stopwatch(this.room.peers[1]);
  }

  /** Bodies that are awake in the host's engine. */
  countAwake(): number {
    let awake = 0;
    for (let body = 0; body < this.#hostsEngine.count; body++) {
      if (!this.#hostsEngine.isAsleep(body as BodyId)) awake++;
    }
    return awake;
  }

  /** Plays. It calls `counted` after each tick that counts. */
  play(counted: () => void = () => undefined): void {
    for (let tick = 0; tick < WARM_TICKS + TICKS; tick++) {
      const counts = tick >= WARM_TICKS;
      this.host.begin(counts);
      this.guest.begin(counts);
      this.room.step();
      this.host.end();
      this.guest.end();
      if (counts) counted();
    }
  }
}

async function timeCoding(load: Load, rooms: number): Promise<number> {
  await loadBuild('plain');
  let total = 0;
  for (let room = 0; room < rooms; room++) total += timeCodingOf({ ...load, seed: load.seed + room });
  return round(total / rooms);
}

function timeCodingOf(load: Load): number {
  const timed = new TimedRoom(load);
  timed.play();
  timed.room.dispose();
  const { encode, step } = timed.host.result();
  return (encode.median / load.guests + timed.guest.perPacket()) / step.median;
}

function timeRoom(load: Load): { times: TickTimes[]; room: Omit<TickRoom, 'codingPerPlainStep'> } {
  const { guests } = load;
  const timed = new TimedRoom(load);
  const { room } = timed;
  const cubes = room.level.bodies.length;
  const sent = room.peers.slice(1).map((): number[] => []);
  let awake = 0;
  timed.play(() => {
    awake += timed.countAwake();
    sent.forEach((bytes, i) => bytes.push(room.peers[0].traffic((i + 1) as Slot).bytesSent));
  });
  room.dispose();
  const host = timed.host.result();
  const { recording, agreement } = playUntimed(load);
  const alone = timeHostAlone(recording, HOST, WARM_TICKS);
  return {
    times: [
      { cubes, guests, peer: 'host', ms: host },
      { cubes, guests, peer: 'guest', ms: timed.guest.result() },
    ],
    room: {
      cubes,
      guests,
      awake: Math.round(awake / TICKS),
      hostTickPerStep: round(host.tick.median / host.step.median),
      aloneTickPerStep: alone.ms === null ? null : round(alone.ms.tick.median / alone.ms.step.median),
      aloneTicks: alone.ticks,
      moving: alone.moving,
      toGuest: greatestRate(sent),
      ...agreement,
    },
  };
}

/** Plays the same room once more, so that the recording takes none of the measured time. */
function playUntimed(load: Load): { recording: Uint8Array; agreement: Agreement } {
  const recorder = new Recorder();
  const { room, hostsEngine } = createRoom(load, recorder);
  for (let tick = 0; tick < WARM_TICKS + TICKS; tick++) room.step();
  const recording = recorder.finish();
  const agreement = measureAgreement(room, hostsEngine, ROUND_TRIP_MS);
  room.dispose();
  return { recording, agreement };
}

/** From counters of bytes, tick by tick: kbit/s of the one that grew most, and of the worst second of any. */
function greatestRate(counts: readonly (readonly number[])[]): TickRoom['toGuest'] {
  const kbits = (bytes: number, ticks: number): number => (bytes * 8 * TICK_RATE) / ticks / 1000;
  const means = counts.map((bytes) => kbits(bytes[bytes.length - 1] - bytes[0], bytes.length - 1));
  const seconds = counts.flatMap((bytes) =>
    bytes.slice(TICK_RATE).map((until, i) => kbits(until - bytes[i], TICK_RATE)),
  );
  return { mean: round(Math.max(...means)), worstSecond: round(Math.max(...seconds)) };
}

/** The figures as tables for a reader. */
export function describeTick({ scene, seed, engine, times, rooms, bytes }: TickFigures): string {
  const number = (value: number): string => value.toFixed(2).padStart(7);
  const rows = times.map(({ cubes, guests, peer, ms }) => {
    const cells = PHASES.map((phase) => `${number(ms[phase].median)}${number(ms[phase].p99)}`);
    return `${String(cubes).padStart(5)}${String(guests).padStart(7)}  ${peer.padEnd(5)}${cells.join(' ')}`;
  });
  const wide = (values: readonly (number | string)[]): string =>
    values.map((value) => String(value).padStart(13)).join('');
  return [
    `Scene ${scene}, seed ${seed}, everybody throws. Milliseconds of a tick, median and 99th percentile; Rapier's ${engine} build`,
    `cubes guests  peer ${PHASES.map((phase) => phase.padStart(14)).join(' ')}`,
    ...rows,
    '',
    `Bodies awake in the host's engine, and bodies faster than ${LEAST_SPEED * 100} cm/s, the means; the host's tick in its own steps, beside its guests in`,
    `all ticks, and alone in the process in the ticks in which ${LEAST_MOVING} to ${MOST_MOVING} bodies move, and how many ticks these are; a packet written and`,
    `read, in steps of the plain build, the mean of seeds ${seed} to ${seed + CODING_ROOMS - 1}; kbit/s to a guest, mean and worst second; seconds after the last`,
    `throw until nothing is faster than ${STILL_SPEED * 100} cm/s in the host's engine, and until all agree`,
    wide([
      'cubes',
      'guests',
      'awake',
      'moving',
      'tick/step',
      'alone',
      'ticks',
      'coding/plain',
      'mean',
      'worst',
      'moves',
      'agree',
    ]),
    ...rooms.map((room) =>
      wide([
        room.cubes,
        room.guests,
        room.awake,
        room.moving,
        room.hostTickPerStep,
        room.aloneTickPerStep ?? '-',
        room.aloneTicks,
        room.codingPerPlainStep ?? '-',
        room.toGuest.mean,
        room.toGuest.worstSecond,
        room.movesUntil ?? 'never',
        room.agreesAfter ?? 'never',
      ]),
    ),
    '',
    'Bytes that a tick allocates: own code (mean of host and guest) while every cube moves, and while 200 do; and the wrapper of Rapier',
    wide(['cubes', 'own', 'own, 200', 'step', 'capture', 'write', 'look']),
    ...bytes.map(({ cubes, own, ownOfFew, wrapper }) =>
      wide([cubes, own, ownOfFew ?? '-', wrapper.step, wrapper.capture, wrapper.write, wrapper.look]),
    ),
    '',
  ].join('\n');
}
