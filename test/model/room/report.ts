import type { CheckResult } from './checker.ts';
import { STEP_MS } from './network.ts';

/** The extent of a check; and for each fault, the fault and the shortest way to it. */
export function report(name: string, { states, runs, steps, depth, faults, slowest }: CheckResult): string {
  const agreed = `agreed within ${(slowest * STEP_MS) / 1000} s`;
  const head = `${name}: ${states} states, ${runs} runs, ${steps} steps, ${depth} actions deep, ${agreed}`;
  if (faults.length === 0) return `${head}; nothing broken`;
  const told = faults.flatMap(({ what, trace }) => [`broken: ${what}`, ...trace.map((line) => `  ${line}`)]);
  return [head, ...told].join('\n');
}
