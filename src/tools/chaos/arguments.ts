import { availableParallelism } from 'node:os';
import { readWords, UsageError } from '../words.ts';

export type ChaosArguments = {
  readonly first: number;
  readonly last: number;
  /** Processes that play. */
  readonly workers: number;
  readonly json: boolean;
};

export const CHAOS_USAGE = `Usage: npm run sim -- --chaos [options]
  --seeds A..B    each plays a whole room of its own kind, cruelly treated (1..100)
  --workers N     processes that play (as many as there are cores)
  --json          one JSON object for each seed, a line each, instead of text`;

const OPTIONS = {
  chaos: { type: 'boolean', default: true },
  seeds: { type: 'string', default: '1..100' },
  workers: { type: 'string', default: String(availableParallelism()) },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line of `sim --chaos`; null if help was asked for.
 * @throws UsageError with one sentence.
 */
export function parseChaosArguments(words: readonly string[]): ChaosArguments | null {
  const { seeds, workers, json, help } = readWords(words, OPTIONS, '--chaos --help');
  if (help) return null;
  const [, first, last = first] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(seeds) ?? [];
  if (first === undefined || Number(last) < Number(first))
    throw new UsageError(`--seeds is two whole numbers like 1..1000, or one, not "${seeds}".`);
  if (!/^[1-9]\d?$/.test(workers))
    throw new UsageError(`--workers is a whole number from 1 to 99, not "${workers}".`);
  return { first: Number(first), last: Number(last), workers: Number(workers), json };
}
