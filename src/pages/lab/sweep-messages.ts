import { isLabScene, PLAYER_COUNTS } from '../../lab/game/scenes.ts';
import { FIGURES } from '../../lab/judge/figures.ts';
import { modelOf } from '../../lab/models.ts';
import type { LabConditions, SweepOptions, SweepRow } from '../../lab/sweep/sweep.ts';
import { AXES } from '../../lab/sweep/sweep.ts';
import type { LabSwitches } from '../../lab/switches.ts';
import { GAPS, NEIGHBOURS, WINDOWS } from '../../lab/switches.ts';
import { CHANNELS } from '../settings.ts';

/**
 * The messages between the page and the worker that measures. The page sends one order to a new worker; the worker
 * answers with a row after each run, and then `done`, or `failed` if it cannot go on. The page stops a worker by
 * ending it.
 */

/** A sweep as plain data: models by their ids. */
export type SweepOrder = Pick<
  SweepOptions,
  'scene' | 'seeds' | 'seconds' | 'conditions' | 'axis' | 'values'
> & {
  readonly kind: 'measure';
  readonly models: readonly string[];
};

/** `no engine`: the physics engine could not be loaded. `fault`: anything else, a bug of our own. */
export type SweepFailure = 'no engine' | 'fault';

export type SweepReply =
  | { readonly kind: 'row'; readonly row: SweepRow }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly why: SweepFailure };

/** Reads a message from the page; null if it is not an order. Never throws. */
export function readOrder(data: unknown): SweepOrder | null {
  if (!isRecord(data) || data.kind !== 'measure') return null;
  const { scene, seeds, seconds, axis, values, models } = data;
  const conditions = readConditions(data.conditions);
  const knownAxis = AXES.find((name) => name === axis);
  if (typeof scene !== 'string' || !isLabScene(scene)) return null;
  if (conditions === null || knownAxis === undefined) return null;
  if (!isFiniteNumber(seconds) || seconds <= 0) return null;
  if (!isListOf(isFiniteNumber, seeds) || !isListOf(isFiniteNumber, values)) return null;
  if (!isListOf(isModelId, models)) return null;
  return { kind: 'measure', scene, seeds, seconds, conditions, axis: knownAxis, values, models };
}

/** Reads a message from the worker; null if it is none of its replies. Never throws. */
export function readReply(data: unknown): SweepReply | null {
  if (!isRecord(data)) return null;
  switch (data.kind) {
    case 'row': {
      const row = readRow(data.row);
      return row === null ? null : { kind: 'row', row };
    }
    case 'done':
      return { kind: 'done' };
    case 'failed':
      return { kind: 'failed', why: data.why === 'no engine' ? 'no engine' : 'fault' };
    default:
      return null;
  }
}

function readConditions(data: unknown): LabConditions | null {
  if (!isRecord(data)) return null;
  const { latency, jitter, loss, duplicate, rate } = data;
  const channel = CHANNELS.find((name) => name === data.channel);
  if (!isFiniteNumber(latency) || !isFiniteNumber(jitter)) return null;
  if (!isFiniteNumber(loss) || !isFiniteNumber(duplicate)) return null;
  if (channel === undefined || !(rate === null || isFiniteNumber(rate))) return null;
  const players = PLAYER_COUNTS.find((count) => count === data.players);
  const switches = readSwitches(data.switches);
  if (players === undefined || switches === null) return null;
  return { latency, jitter, loss, duplicate, rate, channel, players, switches };
}

function readSwitches(data: unknown): LabSwitches | null {
  if (!isRecord(data)) return null;
  const neighbours = NEIGHBOURS.find((name) => name === data.neighbours);
  const gap = GAPS.find((name) => name === data.gap);
  const window = WINDOWS.find((ms) => ms === data.window);
  const { easing } = data;
  if (neighbours === undefined || gap === undefined || window === undefined) return null;
  return typeof easing === 'boolean' ? { neighbours, easing, gap, window } : null;
}

function readRow(data: unknown): SweepRow | null {
  if (!isRecord(data)) return null;
  const { model, value, seed, figures } = data;
  if (!isModelId(model) || !isFiniteNumber(value) || !isFiniteNumber(seed) || !isFigures(figures))
    return null;
  return { model, value, seed, figures };
}

/** A figure without data is NaN, so it need not be finite. */
function isFigures(data: unknown): data is SweepRow['figures'] {
  return isRecord(data) && FIGURES.every(({ name }) => typeof data[name] === 'number');
}

function isModelId(data: unknown): data is string {
  return typeof data === 'string' && modelOf(data) !== undefined;
}

function isFiniteNumber(data: unknown): data is number {
  return Number.isFinite(data);
}

/** True for a list with at least one item. */
function isListOf<Item>(isItem: (data: unknown) => data is Item, data: unknown): data is Item[] {
  return Array.isArray(data) && data.length > 0 && data.every(isItem);
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null;
}
