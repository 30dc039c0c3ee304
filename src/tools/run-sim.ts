import { performance } from 'node:perf_hooks';
import type { Slot } from '../core/base/ids.ts';
import { TICK_RATE } from '../core/base/constants.ts';
import type { LinkConditions } from '../netsim/network-simulator.ts';
import type { EventKind } from '../core/peer/diagnostics/event-log.ts';
import type { Peer } from '../core/peer/peer.ts';
import type { Level } from '../core/world/level.ts';
import type { Simulation } from '../core/world/simulation.ts';
import type { SimArguments } from './arguments.ts';
import type { Violation } from '../harness/referee/violation.ts';
import { Referee } from '../harness/referee/referee.ts';
import { RoomHarness } from '../harness/room.ts';
import type { Bandwidth } from '../core/peer/diagnostics/traffic-meter.ts';
import { TrafficMeter } from '../core/peer/diagnostics/traffic-meter.ts';

/** Seconds at the end with still hands: a quarter of the run, but at least this. */
const QUIET_SECONDS = 8;

export type Spread = { readonly p50: number; readonly p95: number; readonly max: number };

export type SimReport = {
  readonly seed: number;
  readonly players: number;
  readonly bodies: number;
  readonly ticks: number;
  readonly events: {
    readonly grabs: number;
    readonly throws: number;
    readonly takes: number;
    readonly refusedClaims: number;
    readonly hardCollisions: number;
  };
  readonly converged: boolean;
  readonly convergedAfterMs: number | null;
  readonly violations: readonly Violation[];
  /** Metres. */
  readonly error: { readonly shown: Spread; readonly now: Spread };
  readonly perGuest: readonly { readonly slot: number; readonly down: Bandwidth; readonly up: Bandwidth }[];
  readonly tickMs: { readonly p50: number; readonly p99: number };
  readonly rejected: Readonly<Record<string, number>>;
};

/** Ticks with still hands at the end of a run. */
export function quietTicks(seconds: number): number {
  const ticks = Math.round(seconds * TICK_RATE);
  return Math.min(ticks, Math.max(ticks / 4, QUIET_SECONDS * TICK_RATE));
}

/** Runs a room from a command line's arguments, and calls `progress` ten times a run. */
export function runSim(
  options: SimArguments,
  createSimulation: (level: Level) => Simulation,
  progress: (share: number) => void = () => undefined,
  watch: (room: RoomHarness) => void = () => undefined,
): SimReport {
  const ticks = Math.round(options.seconds * TICK_RATE);
  const room = new RoomHarness(
    {
      players: options.players,
      scene: { id: options.scene, seed: options.seed, count: options.count },
      bots: options.bots,
      seed: options.seed,
      conditions: conditionsOf(options),
      quietFrom: ticks - quietTicks(options.seconds),
    },
    createSimulation,
  );
  for (const peer of room.peers) peer.sendEvery = TICK_RATE / options.rate;
  const referee = new Referee(room, 2 * (options.latency + options.jitter), options.loss > 0);
  const meters = room.peers.slice(1).map((guest) => ({
    slot: guest.diagnostics.slot,
    down: new TrafficMeter(room.peers[0].traffic(guest.diagnostics.slot), TICK_RATE),
    up: new TrafficMeter(guest.traffic(0 as Slot), TICK_RATE),
  }));
  const tickMs: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    const begun = performance.now();
    room.step((peer) => referee.afterReceive(peer));
    tickMs.push((performance.now() - begun) / options.players);
    referee.observe();
    for (const meter of meters) {
      meter.down.tick();
      meter.up.tick();
    }
    watch(room);
    if (tick % Math.ceil(ticks / 10) === 0) progress(tick / ticks);
  }
  const end = referee.finish();
  const report: SimReport = {
    seed: options.seed,
    players: options.players,
    bodies: room.level.bodies.length,
    ticks,
    events: countEvents(room.peers),
    converged: end.converged,
    convergedAfterMs: end.convergedAfterMs,
    violations: referee.violations,
    error: { shown: spread(referee.shownErrors), now: spread(referee.nowErrors) },
    perGuest: meters.map(({ slot, down, up }) => ({ slot, down: down.result(), up: up.result() })),
    tickMs: { p50: percentile(tickMs.sort(ascending), 0.5), p99: percentile(tickMs, 0.99) },
    rejected: sumRejections(room.peers),
  };
  room.dispose();
  return report;
}

function conditionsOf(options: SimArguments): Partial<LinkConditions> {
  return {
    latencyMs: options.latency,
    jitterMs: options.jitter,
    loss: options.loss / 100,
    duplicate: options.duplicate / 100,
    channel: options.channel,
  };
}

function countEvents(peers: readonly Peer[]): SimReport['events'] {
  const sum = (kind: EventKind): number =>
    peers.reduce((total, peer) => total + peer.diagnostics.events.counts[kind], 0);
  return {
    grabs: sum('grab'),
    throws: sum('throw'),
    takes: sum('take'),
    refusedClaims: sum('refuse'),
    hardCollisions: sum('collide'),
  };
}

function sumRejections(peers: readonly Peer[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const peer of peers) {
    for (const [reason, count] of Object.entries(peer.diagnostics.rejections)) {
      total[reason] = (total[reason] ?? 0) + count;
    }
  }
  return total;
}

function spread(values: number[]): Spread {
  values.sort(ascending);
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95), max: percentile(values, 1) };
}

/** A percentile of sorted values; 0 if there are none. */
function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return Number(value.toPrecision(4));
}

function ascending(a: number, b: number): number {
  return a - b;
}
