import type { CheckResult } from './checker.ts';

/** How far a check has gone; and if something was broken, what, and the shortest way there. */
export function report(name: string, { states, steps, depth, broken }: CheckResult): string {
  const head = `${name}: ${states} states, ${steps} steps, ${depth} actions deep`;
  if (broken === null) return `${head}; nothing broken`;
  return [`${head}; broken: ${broken.what}`, ...broken.trace.map((line, i) => `${i + 1}. ${line}`)].join(
    '\n',
  );
}
