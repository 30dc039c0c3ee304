import { availableParallelism } from 'node:os';
import { readNumber, readWhole, readWords, UsageError } from '../../src/tools/words.ts';

export type FuzzArguments = {
  /** When it ends: after so many minutes, or packets, whichever comes first; null: not by that. */
  readonly minutes: number | null;
  readonly packets: number | null;
  readonly seed: number;
  readonly workers: number;
  /** Nothing is fuzzed: test/fuzz/corpus is made anew. */
  readonly corpus: boolean;
};

export const FUZZ_USAGE = `Usage: npm run fuzz -- --minutes N | --packets N | --corpus [options]
  --minutes N     how long, 0.1 to 10080
  --packets N     or until so many were given
  --corpus        makes test/fuzz/corpus anew instead
  --seed N        a whole number (1)
  --workers N     processes that do it (as many as there are cores)`;

const OPTIONS = {
  minutes: { type: 'string' },
  packets: { type: 'string' },
  seed: { type: 'string', default: '1' },
  workers: { type: 'string', default: String(availableParallelism()) },
  corpus: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line of `fuzz`; null if help was asked for.
 * @throws UsageError with one sentence.
 */
export function parseFuzzArguments(words: readonly string[]): FuzzArguments | null {
  const { minutes, packets, seed, workers, corpus, help } = readWords(words, OPTIONS);
  if (help) return null;
  if (minutes === undefined && packets === undefined && !corpus)
    throw new UsageError('--minutes or --packets says when it ends. See --help.');
  return {
    minutes: minutes === undefined ? null : readNumber('minutes', minutes, 0.1, 10_080),
    packets: packets === undefined ? null : readWhole('packets', packets, 1, 1e12),
    seed: readWhole('seed', seed, 0, 2 ** 32 - 1),
    workers: readWhole('workers', workers, 1, 99),
    corpus,
  };
}
