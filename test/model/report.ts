import type { CheckResult } from './checker.ts';

/** The extent of a check; and for a fault, the fault and the shortest way to it. */
export function report(name: string, { states, steps, depth, broken }: CheckResult): string {
  const head = `${name}: ${states} states, ${steps} steps, ${depth} actions deep`;
  if (broken === null) return `${head}; nothing broken`;
  return [`${head}; broken: ${broken.what}`, ...broken.trace.map((line, i) => `${i + 1}. ${line}`)].join(
    '\n',
  );
}
