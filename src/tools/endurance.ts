import { MAX_PLAYERS, TICK_RATE } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { Level } from '../core/world/level.ts';
import type { Simulation } from '../core/world/simulation.ts';
import { collectGarbage } from './bench/allocation.ts';
import type { SimArguments } from './arguments.ts';
import type { Violation } from '../harness/referee/violation.ts';
import { Referee } from '../harness/referee/referee.ts';
import { RoomHarness } from '../harness/room.ts';

/** Ticks between two checks: a minute. */
const MINUTE = 60 * TICK_RATE;
/** Ticks between two resets: cubes thrown out of reach come back. */
const RESET = 3 * MINUTE;
/** The difference between the slowest and the fastest clock: 200 in a million, as with cheap machines. */
const CLOCKS_APART = 2e-4;
/** The share at the start that counts as settling, and the change allowed by the end. */
const SETTLING = 0.1;
const MEGABYTES_GROWN = 3;
const METRES_GROWN = 0.005;
const TICKS_GROWN = 1;

/** The figures of a minute. */
export type Minute = {
  /** Bytes of the whole process, after a collection. */
  readonly heapMegabytes: number;
  /** Metres between shown and true positions of awake bodies on guests at that time: the 95th percentile. */
  readonly shownError: number;
  /** [T2] Ticks, a mean over all guests and authors. */
  readonly playoutDelay: number;
};

export type EnduranceReport = {
  readonly seed: number;
  readonly players: number;
  readonly minutes: readonly Minute[];
  readonly grabs: number;
  readonly violations: readonly Violation[];
  /** Figures that have crept; empty if all is flat. */
  readonly drifts: readonly string[];
};

/** Plays for hours of simulated time, and checks everything that might creep once a minute. */
export function endure(
  options: SimArguments,
  hours: number,
  createSimulation: (level: Level) => Simulation,
  progress: (minute: Minute) => void = () => undefined,
): EnduranceReport {
  const { players, seed, scene, count, bots } = options;
  const room = new RoomHarness(
    {
      players,
      seed,
      bots,
      scene: { id: scene, seed, count },
      conditions: { latencyMs: options.latency, jitterMs: options.jitter, loss: options.loss / 100 },
      quietFrom: Infinity,
      clocks: Array.from({ length: players }, (_, i) => 1 + CLOCKS_APART * (i / (players - 1) - 0.5)),
    },
    createSimulation,
  );
  const referee = new Referee(room, 2 * (options.latency + options.jitter), options.loss > 0);
  const minutes: Minute[] = [];
  const ticks = Math.round(hours * 60 * MINUTE);
  while (room.steps < ticks) {
    room.step((peer) => {
      referee.afterReceive(peer);
    });
    referee.observe();
    referee.nowErrors.length = 0;
    if (room.steps % RESET === 0) room.peers[0].reset();
    if (room.steps % MINUTE !== 0) continue;
    minutes.push(look(room, referee));
    progress(minutes[minutes.length - 1]);
  }
  const grabs = room.peers.reduce((sum, { diagnostics }) => sum + diagnostics.events.counts.grab, 0);
  room.dispose();
  return { seed, players, minutes, grabs, violations: referee.violations, drifts: driftsOf(minutes) };
}

function look(room: RoomHarness, referee: Referee): Minute {
  const errors = Float64Array.from(referee.shownErrors).sort();
  referee.shownErrors.length = 0;
  collectGarbage();
  return {
    heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20,
    shownError: errors[Math.floor(0.95 * errors.length)] ?? 0,
    playoutDelay: meanDelay(room.peers.slice(1)),
  };
}

function meanDelay(guests: readonly Peer[]): number {
  let [sum, clocks] = [0, 0];
  for (const { diagnostics } of guests) {
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const clock = diagnostics.playout(slot as Slot);
      if (slot === diagnostics.slot || !clock.running) continue;
      sum += clock.delay;
      clocks++;
    }
  }
  return sum / Math.max(1, clocks);
}

/** Figures that were greater in the last third than in the first, without the settling. */
export function driftsOf(minutes: readonly Minute[]): string[] {
  const settled = minutes.slice(Math.ceil(SETTLING * minutes.length));
  const third = Math.ceil(settled.length / 3);
  const grown = (what: keyof Minute): number =>
    medianOf(settled.slice(-third), what) - medianOf(settled.slice(0, third), what);
  const drifts: string[] = [];
  const heap = grown('heapMegabytes');
  if (heap > MEGABYTES_GROWN) drifts.push(`the heap has grown by ${heap.toFixed(1)} MB`);
  const error = grown('shownError');
  if (error > METRES_GROWN) drifts.push(`the error shown has grown by ${(error * 1000).toFixed(1)} mm`);
  const delay = grown('playoutDelay');
  if (Math.abs(delay) > TICKS_GROWN) drifts.push(`the playout delay has moved by ${delay.toFixed(1)} ticks`);
  return drifts;
}

function medianOf(minutes: readonly Minute[], what: keyof Minute): number {
  const sorted = minutes.map((minute) => minute[what]).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

/** A line of a minute. */
export function describeMinute({ heapMegabytes, shownError, playoutDelay }: Minute): string {
  return `heap ${heapMegabytes.toFixed(1)} MB, error shown ${(shownError * 1000).toFixed(1)} mm p95, playout delay ${playoutDelay.toFixed(2)} ticks`;
}

/** The minutes of a run as a table, and a sentence for each figure that has crept. */
export function describeEndurance(report: EnduranceReport): string {
  const { minutes, drifts, violations, players, seed, grabs } = report;
  return [
    `${players} players for ${minutes.length} minutes, seed ${seed}, ${grabs} grabs`,
    ...minutes.map((minute, i) => `  ${String(i + 1).padStart(3)}  ${describeMinute(minute)}`),
    `Drifts      ${drifts.join('; ') || 'none'}`,
    `Violations  ${violations.length === 0 ? 'none' : violations.map(({ mark, step, body, what }) => `[${mark}] step ${step}, body ${body}: ${what}`).join('; ')}`,
  ].join('\n');
}
