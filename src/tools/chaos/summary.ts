import type { ChaosReport } from '../../harness/chaos/run-chaos.ts';

/** Grabs below which a room counts as idle: it shows little. */
const IDLE = 3;

/** The line of a failed seed: place, fault, and how much happened. */
export function describeFailure(report: ChaosReport): string {
  const happened = Object.entries(report.events)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
  const { sent, lost, longest } = report.packets;
  return [
    `Seed ${report.seed}: ${report.room}, ${report.seconds} s`,
    ...report.faults.map((fault) => `  ${fault}`),
    `  ${happened}; ${lost} of ${sent} packets lost, the longest ${longest} bytes`,
  ].join('\n');
}

/** The result of all rooms, and the time until they agreed. */
export function summarise(reports: readonly ChaosReport[]): string {
  const sum = (kind: keyof ChaosReport['events']): number =>
    reports.reduce((total, { events }) => total + (events[kind] ?? 0), 0);
  const packets = (what: 'sent' | 'lost'): number =>
    reports.reduce((total, report) => total + report.packets[what], 0);
  const idle = reports.filter(({ events }) => (events.grab ?? 0) < IDLE).map(({ seed }) => seed);
  const restless = reports.filter((report) => report.restless.length > 0).map(({ seed }) => seed);
  const failed = reports.filter(({ faults }) => faults.length > 0).map(({ seed }) => seed);
  return [
    `${reports.length} seeds, ${failed.length} failed${failed.length > 0 ? `: ${ascending(failed).join(', ')}` : ''}`,
    `Hands       ${sum('grab')} grabs, ${sum('throw')} throws, ${sum('give')} times given, ${sum('take')} takes of authority`,
    `Conflicts   ${sum('refuse')} refused claims, ${sum('override')} overrides, ${sum('lose')} lost, ${sum('free')} fell free`,
    `Players     ${sum('leave')} left, ${sum('come') + sum('reload')} came, ${sum('lose line')} dropped, ${sum('admit')} came back, ${sum('stall')} stalled`,
    `Resets      ${sum('reset')} heard of`,
    `Packets     ${packets('lost')} of ${packets('sent')} lost`,
    `Restless    ${restless.length === 0 ? 'none' : `${restless.length}, in which a machine trembled on, alike for all: ${ascending(restless).join(', ')}`}`,
    `Idle        ${idle.length === 0 ? 'none' : `${idle.length}: ${ascending(idle).slice(0, 20).join(', ')}`}`,
    `Converged   ${describeTimes(reports.flatMap(({ convergedAfterMs }) => convergedAfterMs ?? []))}`,
  ].join('\n');
}

function describeTimes(times: readonly number[]): string {
  const sorted = ascending(times);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return `ms after rest, and after loss stopped: ${at(0.5)} median, ${at(0.9)} p90, ${at(0.99)} p99, ${at(1)} max`;
}

function ascending(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}
