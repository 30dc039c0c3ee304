import type { Slot } from '../../core/base/ids.ts';
import { TICK_RATE } from '../../core/base/constants.ts';
import type { Traffic } from '../../core/peer/diagnostics/traffic.ts';
import type { LevelId } from '../../levels/levels.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { quietTicks, runSim } from '../run-sim.ts';

/** The least and the most bytes that a message costs beyond its payload: SCTP, DTLS, UDP and IP. */
const DATAGRAM_BYTES = { least: 80, most: 100 } as const;
/** Seconds at the end in which all is still by any measure. */
const STILL_SECONDS = 2;

type LiveOptions = {
  readonly scene: LevelId;
  /** Cubes of the scene grid. */
  readonly count: number;
  readonly seeds: readonly number[];
  readonly players: readonly number[];
  /** Part of a run: it starts with the drop, and at its end hands are still, as in `npm run sim`. */
  readonly seconds: number;
};

/** kbit/s of payload: the mean of the whole run, the mean in play, and the worst second of any run. */
type LiveRate = { readonly mean: number; readonly play: number; readonly worstSecond: number };

/** The traffic of a room's real peers. For guests: the mean over all, and the worst second of any. */
type LiveRow = {
  readonly players: number;
  /** To one guest. */
  readonly bodies: LiveRate;
  readonly avatars: LiveRate;
  /** Acks and headers. */
  readonly headers: LiveRate;
  readonly down: LiveRate;
  /** From one guest. */
  readonly up: LiveRate;
  /** From the host to all guests together. */
  readonly uplink: LiveRate;
  /**
   * Packets a second that the host sends to all, and the least and the most that datagrams add to the uplink.
   */
  readonly packets: { readonly mean: number; readonly still: number };
  readonly datagrams: readonly [number, number];
  /** Metres: the 95th percentile of the error of shown positions. */
  readonly shownErrorP95: number;
  readonly converged: boolean;
};

export type LiveReport = {
  readonly scene: LevelId;
  readonly seeds: readonly number[];
  readonly network: { readonly latencyMs: number; readonly jitterMs: number; readonly lossPercent: number };
  readonly seconds: number;
  readonly playSeconds: number;
  readonly rows: readonly LiveRow[];
};

const NETWORK = { latencyMs: 50, jitterMs: 50, lossPercent: 5 } as const;

/** Rooms of real peers, with bots that throw and move cubes, over a network that delays and loses. */
export async function benchLive(options: LiveOptions): Promise<LiveReport> {
  await loadPhysics();
  const { scene, seeds, players, seconds } = options;
  const rows = players.map((many) => rowOf(many, options));
  return { scene, seeds, network: NETWORK, seconds, playSeconds: playSecondsOf(seconds), rows };
}

function playSecondsOf(seconds: number): number {
  return seconds - quietTicks(seconds) / TICK_RATE;
}

/** A counter of some directions, tick by tick. */
type Series = Float64Array[];
const COUNTED = ['bodies', 'avatars', 'headers', 'packetsSent'] as const;
type Counted = (typeof COUNTED)[number];
type Run = {
  readonly down: Readonly<Record<Counted, Series>>;
  readonly up: Readonly<Record<Counted, Series>>;
  readonly error: number;
  readonly converged: boolean;
};

function rowOf(players: number, options: LiveOptions): LiveRow {
  const { seeds, seconds } = options;
  const runs = seeds.map((seed) => measure(players, seed, options));
  const each = (series: (run: Run) => Series): LiveRate => rateOf(runs.flatMap(series), seconds);
  const packets = runs.map(({ down }) => sumOf(down.packetsSent));
  const packetsIn = (from: number, to: number): number =>
    1000 * average(packets.map((series) => mean(series, from, to)));
  const perSecond = packetsIn(0, seconds);
  return {
    players,
    bodies: each(({ down }) => down.bodies),
    avatars: each(({ down }) => down.avatars),
    headers: each(({ down }) => down.headers),
    down: each(({ down }) => totals(down)),
    up: each(({ up }) => totals(up)),
    uplink: rateOf(
      runs.map(({ down }) => sumOf(totals(down))),
      seconds,
    ),
    packets: { mean: round(perSecond), still: round(packetsIn(seconds - STILL_SECONDS, seconds)) },
    datagrams: [datagramsOf(perSecond, DATAGRAM_BYTES.least), datagramsOf(perSecond, DATAGRAM_BYTES.most)],
    shownErrorP95: Math.max(...runs.map(({ error }) => error)),
    converged: runs.every(({ converged }) => converged),
  };
}

function measure(players: number, seed: number, { scene, count, seconds }: LiveOptions): Run {
  const ticks = seconds * TICK_RATE;
  const record = (): Record<Counted, Series> => {
    const series = (): Series => Array.from({ length: players - 1 }, () => new Float64Array(ticks));
    return { bodies: series(), avatars: series(), headers: series(), packetsSent: series() };
  };
  const [down, up] = [record(), record()];
  const { latencyMs: latency, jitterMs: jitter, lossPercent: loss } = NETWORK;
  const network = { latency, jitter, loss, duplicate: 0, channel: 'datagram', rate: TICK_RATE } as const;
  const options = {
    scene,
    count,
    ...network,
    players,
    bots: 'chaos',
    seconds,
    hours: null,
    seed,
    json: true,
  } as const;
  const report = runSim(options, createRapierSimulation, undefined, ({ peers, steps }) => {
    for (let guest = 1; guest < players; guest++) {
      note(down, guest - 1, steps - 1, peers[0].traffic(guest as Slot));
      note(up, guest - 1, steps - 1, peers[guest].traffic(0 as Slot));
    }
  });
  for (const direction of [down, up]) for (const counted of COUNTED) direction[counted].forEach(toSteps);
  return { down, up, error: report.error.shown.p95, converged: report.converged };
}

function note(direction: Record<Counted, Series>, guest: number, tick: number, traffic: Traffic): void {
  for (const counted of COUNTED) direction[counted][guest][tick] = traffic[counted];
}

/** kbit/s. */
function datagramsOf(packets: number, bytes: number): number {
  return round((packets * bytes * 8) / 1000);
}

/** Turns counters from the beginning into amounts a tick. */
function toSteps(series: Float64Array): void {
  for (let tick = series.length - 1; tick > 0; tick--) series[tick] -= series[tick - 1];
}

/** All bits of each direction. */
function totals({ bodies, avatars, headers }: Readonly<Record<Counted, Series>>): Series {
  return bodies.map((_, i) => sumOf([bodies[i], avatars[i], headers[i]]));
}

function sumOf(series: Series): Float64Array {
  return series[0].map((_, tick) => series.reduce((sum, each) => sum + each[tick], 0));
}

function rateOf(series: Series, seconds: number): LiveRate {
  const over = (until: number): number => round(average(series.map((each) => mean(each, 0, until))));
  return {
    mean: over(seconds),
    play: over(playSecondsOf(seconds)),
    worstSecond: round(Math.max(...series.map(worst))),
  };
}

/** Thousands a second. */
function mean(series: Float64Array, from: number, to: number): number {
  const part = series.subarray(from * TICK_RATE, to * TICK_RATE);
  return part.reduce((a, b) => a + b, 0) / (to - from) / 1000;
}

/** Thousands in the worst second, wherever it begins. */
function worst(series: Float64Array): number {
  let second = 0;
  let most = 0;
  series.forEach((value, tick) => {
    second += value - (tick < TICK_RATE ? 0 : series[tick - TICK_RATE]);
    most = Math.max(most, second);
  });
  return most / 1000;
}

function average(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The figures as a table for a reader. */
export function describeLive(report: LiveReport): string {
  const { network, rows } = report;
  const cell = ({ mean: all, play, worstSecond }: LiveRate): string =>
    [all, play, worstSecond].map((value) => value.toFixed(0).padStart(5)).join('');
  const kinds = ['bodies', 'avatars', 'headers', 'down', 'up', 'uplink'] as const;
  return [
    `What live peers send: ${report.scene}, seeds ${report.seeds.join(' ')}, ${network.latencyMs} ms, ${network.jitterMs} ms of jitter, ${network.lossPercent} % lost`,
    `kbit/s of payload: mean of ${report.seconds} s, of the ${report.playSeconds} s in play, and the worst second; down and up of one guest, uplink of the host`,
    `players ${kinds.map((kind) => kind.padStart(15)).join(' ')}`,
    ...rows.map(
      (row) => `${String(row.players).padStart(7)} ${kinds.map((kind) => cell(row[kind])).join(' ')}`,
    ),
    ...rows.map(
      ({ players, packets, datagrams, shownErrorP95, converged }) =>
        `${players} players: the host sends ${packets.mean} packets a second, ${packets.still} when all is still; datagrams add ${datagrams.join(' to ')} kbit/s; ` +
        `shown within ${(shownErrorP95 * 100).toFixed(2)} cm in 95 of 100; ${converged ? 'all agree' : 'not all agree'}`,
    ),
    '',
  ].join('\n');
}
