import { availableParallelism } from 'node:os';
import { MAX_ROOM_PLAYERS, MAX_TICK_RATE, MIN_TICK_RATE, TICK_RATE } from '../../core/base/constants.ts';
import type { Court } from '../../harness/chaos/mix.ts';
import { isLevelId, LEVEL_IDS } from '../../levels/levels.ts';
import { readWhole, readWords, UsageError } from '../words.ts';

export type ChaosArguments = {
  readonly first: number;
  readonly last: number;
  /** Processes that play. */
  readonly workers: number;
  readonly json: boolean;
  /** The level, the players and the rate of all rooms; null: each seed has its own level and players, at the usual rate. */
  readonly court: Court | null;
};

/** The task of a process: a seed to play. */
export type ChaosTask = { readonly seed: number; readonly court: Court | null };

export const CHAOS_USAGE = `Usage: npm run sim -- --chaos [options]
  --seeds A..B    each plays a whole room of its own kind, cruelly treated (1..100)
  --workers N     processes that play (as many as there are cores)
  --scene NAME    plays all rooms in this level: ${LEVEL_IDS.join(', ')}
  --players N     and so many play there, 2 to ${MAX_ROOM_PLAYERS} (each seed draws it)
  --rate N        ticks a second, ${MIN_TICK_RATE} to ${MAX_TICK_RATE} (${TICK_RATE})
  --joints        joints go in all rooms; in a level without any they tie its first bodies
  --json          one JSON object for each seed, a line each, instead of text`;

const OPTIONS = {
  chaos: { type: 'boolean', default: true },
  seeds: { type: 'string', default: '1..100' },
  workers: { type: 'string', default: String(availableParallelism()) },
  scene: { type: 'string' },
  players: { type: 'string' },
  rate: { type: 'string', default: String(TICK_RATE) },
  joints: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line of `sim --chaos`; null if help was asked for.
 * @throws UsageError with one sentence.
 */
export function parseChaosArguments(words: readonly string[]): ChaosArguments | null {
  const { seeds, workers, scene, players, rate, joints, json, help } = readWords(
    words,
    OPTIONS,
    '--chaos --help',
  );
  if (help) return null;
  const [, first, last = first] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(seeds) ?? [];
  if (first === undefined || Number(last) < Number(first))
    throw new UsageError(`--seeds is two whole numbers like 1..1000, or one, not "${seeds}".`);
  if (!/^[1-9]\d?$/.test(workers))
    throw new UsageError(`--workers is a whole number from 1 to 99, not "${workers}".`);
  if (scene !== undefined && !isLevelId(scene))
    throw new UsageError(`There is no scene "${scene}"; there are ${LEVEL_IDS.join(', ')}.`);
  const many = players === undefined ? null : readWhole('players', players, 2, MAX_ROOM_PLAYERS);
  const ticks = readWhole('rate', rate, MIN_TICK_RATE, MAX_TICK_RATE);
  const own = {
    ...(scene === undefined ? {} : { scene: { id: scene, seed: 1 } }),
    ...(many === null ? {} : { players: many }),
    ...(ticks === TICK_RATE ? {} : { rate: ticks }),
    ...(joints ? { jointsGo: true } : {}),
  };
  const court = Object.keys(own).length === 0 ? null : own;
  return { first: Number(first), last: Number(last), workers: Number(workers), json, court };
}
