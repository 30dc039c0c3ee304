import { TICK_RATE } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import { SEND_LIMITS } from '../../core/link/send-budget.ts';
import { Referee } from '../../harness/referee/referee.ts';
import { RoomHarness } from '../../harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';

/** kbit/s to each guest, at most: [W9.1] has 256. The last one never binds. */
const LIMITS = [96, 128, 160, 192, 224, SEND_LIMITS.eachKbps, 320, 1000] as const;
/** Seconds from the drop on: the fall, the heap's settling, and throws into it. */
const SECONDS = 8;
const GUEST = 1 as Slot;
/** The network of the bench `wire`. */
const NETWORK = { latencyMs: 50, jitterMs: 50, loss: 0.05 } as const;

/** The picture of a guest under a limit. Errors are in metres, of awake bodies, over all rooms. */
export type LimitRow = {
  readonly eachKbps: number;
  /** kbit/s to the guest in the worst second: the mean over the rooms, and of any. */
  readonly worstMean: number;
  readonly worstSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

/**
 * Plays the drop of a pile before a guest, under several limits of what the host may send.
 * @param limits kbit/s to each guest.
 */
export async function benchLimits(
  seeds: readonly number[],
  limits: readonly number[] = LIMITS,
): Promise<LimitRow[]> {
  await loadPhysics();
  return limits.map((eachKbps) => {
    const runs = seeds.map((seed) => play(seed, eachKbps));
    const worsts = runs.map(({ worst }) => worst);
    const errors = Float64Array.from(runs.flatMap((run) => run.errors)).sort();
    const share = (part: number): number => errors[Math.ceil(part * errors.length) - 1];
    return {
      eachKbps,
      worstMean: worsts.reduce((sum, worst) => sum + worst, 0) / worsts.length,
      worstSecond: Math.max(...worsts),
      p50: share(0.5),
      p95: share(0.95),
      p99: share(0.99),
    };
  });
}

function play(
  seed: number,
  eachKbps: number,
): { readonly worst: number; readonly errors: readonly number[] } {
  const room = new RoomHarness(
    {
      players: 2,
      scene: { id: 'pile', seed },
      bots: 'chaos',
      seed,
      conditions: NETWORK,
      quietFrom: SECONDS * TICK_RATE,
      limits: { eachKbps },
    },
    createRapierSimulation,
  );
  const referee = new Referee(room, 2 * (NETWORK.latencyMs + NETWORK.jitterMs), true);
  const sent: number[] = [0];
  let worst = 0;
  for (let tick = 1; tick <= SECONDS * TICK_RATE; tick++) {
    room.step((peer) => referee.afterReceive(peer));
    referee.observe();
    const { bodies, avatars, headers } = room.peers[0].traffic(GUEST);
    sent.push(bodies + avatars + headers);
    worst = Math.max(worst, sent[tick] - sent[Math.max(0, tick - TICK_RATE)]);
  }
  room.dispose();
  return { worst: worst / 1000, errors: referee.shownErrors };
}

/** The figures as a table. */
export function describeLimits(rows: readonly LimitRow[], seeds: readonly number[]): string {
  const centimetres = (metres: number): string => (metres * 100).toFixed(2).padStart(9);
  return [
    `A pile drops before a guest, ${SECONDS} s, seeds ${seeds.join(' ')}; kbit/s to the guest, and its error in cm`,
    '    limit   worst second: mean   of any      p50      p95      p99',
    ...rows.map(
      ({ eachKbps, worstMean, worstSecond, p50, p95, p99 }) =>
        `${String(eachKbps).padStart(9)}${worstMean.toFixed(0).padStart(21)}${worstSecond.toFixed(0).padStart(9)}` +
        [p50, p95, p99].map(centimetres).join(''),
    ),
    '',
  ].join('\n');
}
