import type { SimReport } from '../../src/tools/run-sim.ts';
import { runSim } from '../../src/tools/run-sim.ts';
import { parseSimArguments } from '../../src/tools/arguments.ts';
import type { RoomHarness } from '../../src/harness/room.ts';
import { createRapierSimulation } from '../../src/physics/rapier-simulation.ts';

/** Runs a room as `npm run sim -- words` would; `watch` sees it after each step. */
export function runRoom(words: string, watch?: (room: RoomHarness) => void): SimReport {
  const options = parseSimArguments(words.split(' ').filter((word) => word !== ''));
  if (options === null) throw new Error('asked for help');
  return runSim(options, createRapierSimulation, undefined, watch);
}

/** The conditions under which rooms are judged, by name. */
export const CONDITIONS = [
  ['two players', ''],
  ['four players', '--players 4'],
  ['a fight over the same cubes', '--bots fight'],
  ['a bad network', '--latency 125 --jitter 60 --loss 10'],
] as const;

/** The faults of a run, or '', so that a failure names its seed and all faults. */
export function faultsOf(report: SimReport, bots: 'chaos' | 'fight'): string {
  const { events, error, converged, convergedAfterMs, violations } = report;
  const faults: string[] = [];
  if (!converged) faults.push('did not converge');
  else if ((convergedAfterMs ?? 0) > 2000) faults.push(`converged after ${convergedAfterMs} ms`);
  for (const { mark, what, body } of violations) faults.push(`[${mark}] body ${body}: ${what}`);
  if (error.shown.p95 >= 0.02) faults.push(`shown error ${error.shown.p95} m`);
  if (events.throws < 8) faults.push(`${events.throws} throws`);
  if (events.takes < 20) faults.push(`${events.takes} takes`);
  if (bots === 'fight' && events.refusedClaims < 10) faults.push(`${events.refusedClaims} refused claims`);
  return faults.length === 0 ? '' : `seed ${report.seed}: ${faults.join('; ')}`;
}
