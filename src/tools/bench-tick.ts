import { performance } from 'node:perf_hooks';
import { STRIDE } from '../core/base/state.ts';
import type { BodyId } from '../core/base/ids.ts';
import { vector } from '../core/base/math.ts';
import type { Peer } from '../core/peer/peer.ts';
import { createScene } from '../core/world/scene.ts';
import type { Simulation } from '../core/world/simulation.ts';
import { fastestBuild } from '../physics/engine.ts';
import { createRapierSimulation, loadPhysics } from '../physics/rapier-simulation.ts';
import { bytesPerCall } from './allocation.ts';
import { LeanRoom } from './lean-room.ts';
import { Room } from './room.ts';

export type TickLoad = {
  readonly cubes: readonly number[];
  readonly guests: readonly number[];
  readonly seed: number;
};

/** The parts of a tick that are timed; `tick` is all of it: what is received, the tick itself, and what is sent. */
const PHASES = ['tick', 'step', 'capture', 'authority', 'apply', 'write', 'encode', 'decode'] as const;
type Phase = (typeof PHASES)[number];

/** Milliseconds. */
export type Time = { readonly median: number; readonly p99: number };

/** What a tick costs one peer of a room in play. */
export type TickTimes = {
  readonly cubes: number;
  readonly guests: number;
  readonly peer: 'host' | 'guest';
  readonly ms: Readonly<Record<Phase, Time>>;
};

/** Bytes on the JavaScript heap that a tick in the steady state takes, of so many cubes that all move. */
export type TickBytes = {
  readonly cubes: number;
  /** A peer's own code, with an engine that allocates nothing; the mean of a host and a guest. */
  readonly own: number;
  /** Rapier's wrapper: the step, reading every body, writing every body, and a look for what a hand is near to. */
  readonly wrapper: {
    readonly step: number;
    readonly capture: number;
    readonly write: number;
    readonly look: number;
  };
};

export type TickFigures = {
  /** Which of Rapier's builds ran. */
  readonly engine: string;
  readonly times: readonly TickTimes[];
  readonly bytes: readonly TickBytes[];
};

/** Ticks before the first that counts: what drops has come down, and the code is compiled. */
const WARM_TICKS = 360;
const TICKS = 360;

/** Runs rooms of real peers with bots that grab and throw, over a network with 50 ms of latency and of jitter. */
export async function benchTick({ cubes, guests, seed }: TickLoad): Promise<TickFigures> {
  await loadPhysics();
  return {
    engine: fastestBuild(),
    times: cubes.flatMap((count) => guests.flatMap((others) => timeRoom(count, others, seed))),
    bytes: cubes.map(measureBytes),
  };
}

function timeRoom(cubes: number, guests: number, seed: number): TickTimes[] {
  const conditions = { latencyMs: 50, jitterMs: 50, loss: 0.05 };
  const scene = { name: 'grid', seed, count: cubes } as const;
  const room = new Room(
    { players: guests + 1, scene, bots: 'chaos', seed, conditions, quietFrom: Infinity },
    createRapierSimulation,
  );
  const watched = [new Stopwatch(room.peers[0]), new Stopwatch(room.peers[1])];
  for (let tick = 0; tick < WARM_TICKS + TICKS; tick++) {
    room.step();
    for (const watch of watched) watch.tick(tick >= WARM_TICKS);
  }
  room.dispose();
  return watched.map((watch, i) => ({ cubes, guests, peer: i === 0 ? 'host' : 'guest', ms: watch.result() }));
}

/** Times the parts of one peer's ticks. */
class Stopwatch {
  readonly #spent = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
  readonly #samples = new Map<Phase, number[]>(PHASES.map((phase) => [phase, []]));

  /** The methods of the peer and of its parts are replaced by ones that look at the clock. */
  constructor(peer: Peer) {
    const { bodies, authors } = peer.state;
    const { simulation } = bodies;
    simulation.step = this.#timed('step', simulation.step.bind(simulation));
    simulation.capture = this.#timed('capture', simulation.capture.bind(simulation));
    bodies.recordOwn = this.#timed('capture', bodies.recordOwn.bind(bodies));
    peer.spread.run = this.#timed('authority', peer.spread.run.bind(peer.spread));
    bodies.updateRest = this.#timed('authority', bodies.updateRest.bind(bodies));
    for (const { stream } of authors) stream.advance = this.#timed('apply', stream.advance.bind(stream));
    bodies.writeReceived = this.#timed('apply', bodies.writeReceived.bind(bodies));
    bodies.showReceived = this.#timed('apply', bodies.showReceived.bind(bodies));
    bodies.writeBack = this.#timed('write', bodies.writeBack.bind(bodies));
    peer.receive = this.#timed('tick', this.#timed('decode', peer.receive.bind(peer)));
    peer.poll = this.#timed('tick', this.#timed('encode', peer.poll.bind(peer)));
    peer.tick = this.#timed('tick', peer.tick.bind(peer));
  }

  #timed<Rest extends unknown[]>(phase: Phase, method: (...rest: Rest) => void): (...rest: Rest) => void {
    return (...rest) => {
      const begun = performance.now();
      method(...rest);
      this.#spent.set(phase, (this.#spent.get(phase) ?? 0) + performance.now() - begun);
    };
  }

  /** A tick is over. */
  tick(counts: boolean): void {
    for (const [phase, spent] of this.#spent) {
      if (counts) this.#samples.get(phase)?.push(spent);
      this.#spent.set(phase, 0);
    }
  }

  result(): Record<Phase, Time> {
    const times = [...this.#samples].map(([phase, samples]) => [phase, timeOf(samples)]);
    return Object.fromEntries(times) as Record<Phase, Time>;
  }
}

function timeOf(samples: number[]): Time {
  samples.sort((a, b) => a - b);
  const at = (share: number): number =>
    Number(samples[Math.floor(share * (samples.length - 1))].toPrecision(3));
  return { median: at(0.5), p99: at(0.99) };
}

/** Ticks of a lean room until its code is compiled, and in a batch that is measured. */
const WARM_LEAN_TICKS = 3000;
const BATCH_TICKS = 60;

function measureBytes(cubes: number): TickBytes {
  const room = new LeanRoom(cubes);
  for (let tick = 0; tick < WARM_LEAN_TICKS; tick++) room.step();
  const own = bytesPerCall(() => room.step(), BATCH_TICKS) / room.peers.length;
  return { cubes, own: Math.round(own), wrapper: measureWrapper(cubes) };
}

function measureWrapper(cubes: number): TickBytes['wrapper'] {
  const simulation = createRapierSimulation(createScene({ name: 'grid', seed: 1, count: cubes }));
  const motion = new Float32Array(cubes * STRIDE);
  const parts = {
    capture: () => simulation.capture(motion),
    write: () => writeAll(simulation, motion),
    look: () => look(simulation),
    step: () => simulation.step(),
  };
  for (let tick = 0; tick < WARM_TICKS; tick++) for (const part of Object.values(parts)) part();
  const bytes = (part: () => void): number => Math.round(bytesPerCall(part, 20));
  const wrapper = {
    step: bytes(parts.step),
    capture: bytes(parts.capture),
    write: bytes(parts.write),
    look: bytes(parts.look),
  };
  simulation.dispose();
  return wrapper;
}

function writeAll(simulation: Simulation, motion: Float32Array): void {
  for (let body = 0; body < simulation.count; body++) simulation.write(body as BodyId, motion);
}

function look(simulation: Simulation): void {
  simulation.overlapSphere(HAND, 0.1);
}

const HAND = vector(0.3, 0.6, 0.2);

/** The figures as tables for a reader. */
export function describeTick({ engine, times, bytes }: TickFigures): string {
  const number = (value: number): string => value.toFixed(2).padStart(7);
  const rows = times.map(({ cubes, guests, peer, ms }) => {
    const cells = PHASES.map((phase) => `${number(ms[phase].median)}${number(ms[phase].p99)}`);
    return `${String(cubes).padStart(5)}${String(guests).padStart(7)}  ${peer.padEnd(5)}${cells.join(' ')}`;
  });
  const memory = bytes.map(({ cubes, own, wrapper }) =>
    [cubes, own, wrapper.step, wrapper.capture, wrapper.write, wrapper.look]
      .map((value) => String(value).padStart(9))
      .join(''),
  );
  return [
    `Milliseconds of a tick, median and 99th percentile; Rapier's ${engine} build`,
    `cubes guests  peer ${PHASES.map((phase) => phase.padStart(14)).join(' ')}`,
    ...rows,
    '',
    'Bytes that a tick allocates while every cube moves: own code (mean of host and guest), and the wrapper of Rapier',
    ['cubes', 'own', 'step', 'capture', 'write', 'look'].map((name) => name.padStart(9)).join(''),
    ...memory,
    '',
  ].join('\n');
}
