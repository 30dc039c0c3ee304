import { createRapierSimulation, loadPhysics } from '../physics/rapier-simulation.ts';
import type { SimArguments } from './arguments.ts';
import { parseSimArguments, SIM_USAGE } from './arguments.ts';
import { ProgressLine } from './progress.ts';
import { UsageError } from './words.ts';
import type { SimReport } from './run-sim.ts';
import { runSim } from './run-sim.ts';
import { describeEndurance, describeMinute, endure } from './endurance.ts';
import { chaosMain } from './chaos/main.ts';
import type { Bandwidth } from '../core/peer/diagnostics/traffic-meter.ts';

/** `npm run sim`: a room of real peers and real Rapier, without a page. */
async function main(): Promise<number> {
  let options: SimArguments | null;
  try {
    options = parseSimArguments(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (options === null) {
    process.stdout.write(`${SIM_USAGE}\n`);
    return 0;
  }
  await loadPhysics();
  const quiet = options.json;
  const { hours = null } = options;
  if (hours !== null) return endureAndTell(options, hours);
  const progress = new ProgressLine();
  const report = runSim(options, createRapierSimulation, (share) => {
    if (!quiet) progress.show(`${Math.round(share * 100)} % of ${options.seconds} s simulated`);
  });
  if (!quiet) progress.show(`${options.seconds} s simulated`);
  progress.end();
  process.stdout.write(quiet ? `${JSON.stringify(report)}\n` : describe(report));
  return 0;
}

function endureAndTell(options: SimArguments, hours: number): number {
  const progress = new ProgressLine();
  let minutes = 0;
  const report = endure(options, hours, createRapierSimulation, (minute) => {
    if (!options.json) progress.show(`minute ${++minutes}: ${describeMinute(minute)}`);
  });
  progress.end();
  process.stdout.write(`${options.json ? JSON.stringify(report) : describeEndurance(report)}\n`);
  return report.drifts.length + report.violations.length > 0 ? 1 : 0;
}

function describe(report: SimReport): string {
  const { events, error, tickMs } = report;
  const centimetres = (metres: number): string => `${(metres * 100).toFixed(2)} cm`;
  const lines = [
    `${report.players} players, ${report.bodies} bodies, ${report.ticks} ticks, seed ${report.seed}`,
    `Events      ${events.grabs} grabs, ${events.throws} throws, ${events.takes} takes of authority, ` +
      `${events.refusedClaims} refused claims, ${events.hardCollisions} hard collisions`,
    report.converged
      ? `Converged   ${report.convergedAfterMs} ms after the last body came to rest`
      : 'Converged   no',
    `Violations  ${report.violations.length === 0 ? 'none' : ''}`,
    ...report.violations.map(
      (v) => `  [${v.mark}] step ${v.step}, peer ${v.peer}, body ${v.body}: ${v.what}`,
    ),
    `Error shown ${centimetres(error.shown.p50)} median, ${centimetres(error.shown.p95)} p95, ${centimetres(error.shown.max)} max`,
    `Error now   ${centimetres(error.now.p50)} median, ${centimetres(error.now.p95)} p95, ${centimetres(error.now.max)} max`,
    ...report.perGuest.flatMap((guest) => [
      `Guest ${guest.slot}     down ${direction(guest.down)}`,
      `            up   ${direction(guest.up)}`,
    ]),
    `Tick        ${tickMs.p50} ms median, ${tickMs.p99} ms p99, each peer`,
    `Rejected    ${
      Object.entries(report.rejected)
        .map(([reason, count]) => `${count} ${reason}`)
        .join(', ') || 'nothing'
    }`,
  ];
  return `${lines.join('\n')}\n`;
}

function direction(b: Bandwidth): string {
  const rate = (name: string, r: { mean: number; peak1s: number }): string =>
    `${name} ${r.mean} (worst second ${r.peak1s})`;
  return (
    `kbit/s: ${rate('bodies', b.bodiesKbps)}, ${rate('avatars', b.avatarsKbps)}, ${rate('headers', b.headersKbps)}; ` +
    `packets ${b.packetBytes.mean} bytes, longest ${b.packetBytes.max}`
  );
}

const words = process.argv.slice(2);
process.exitCode = words.includes('--chaos') ? await chaosMain(words) : await main();
