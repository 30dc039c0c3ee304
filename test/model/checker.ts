import type { Rules } from './actor.ts';
import { REAL } from './actor.ts';
import { canonical } from './canonical.ts';
import type { Order } from './orders.ts';
import type { Layout, Size } from './layout.ts';
import { layout, startOf } from './layout.ts';
import type { Move } from './moves.ts';
import { actionsIn, freeMovesIn } from './moves.ts';
import { disagreement, settleOnce } from './settle.ts';
import { seenStates } from './seen-states.ts';
import type { Stepper } from './step.ts';
import { stepper } from './step.ts';
import { inWords, named, renumbered } from './words.ts';

export type CheckOptions = Size & {
  /** How many things players and lines may do; what happens by itself is not counted. */
  readonly actions: number;
  readonly rules?: Rules;
  /** The check ends, undecided, at so many states. */
  readonly mostStates?: number;
};

export type CheckResult = {
  readonly states: number;
  readonly steps: number;
  /** Actions up to which every state was visited. */
  readonly depth: number;
  /** What was broken, and how it came about; or null. */
  readonly broken: { readonly what: string; readonly trace: readonly string[] } | null;
};

/** Rounds after which a state has settled, if it ever does. */
const MOST_ROUNDS = 40;

type Search = {
  readonly l: Layout;
  readonly step: Stepper;
  readonly bring: (cells: Uint8Array) => Order;
  readonly seen: ReturnType<typeof seenStates>;
  readonly settled: ReturnType<typeof seenStates>;
  /** For each state that from which it came, and which of its successors it is. */
  readonly parents: number[];
  readonly ordinals: number[];
  steps: number;
  broken: CheckResult['broken'];
};

type Layer = { readonly cells: Uint8Array[]; readonly ids: number[] };

/**
 * Visits every state that some actions can lead to, and in each checks what must always hold, and what must hold
 * once all is quiet. Layer by layer: first all that happens by itself, then one action more. So a trace has as few
 * actions as can be.
 */
export function check(options: CheckOptions): CheckResult {
  const search = startSearch(options);
  const { l, seen } = search;
  let layer: Layer = { cells: [], ids: [] };
  const start = startOf(l);
  search.bring(start);
  visit(search, layer, start, -1, 0);
  let depth = 0;
  for (; ; depth++) {
    const next: Layer = { cells: [], ids: [] };
    // Freed as it goes where nothing follows.
    const isLast = depth === options.actions;
    for (let i = 0; i < layer.cells.length && search.broken === null; i++) {
      const what = settle(search, layer.cells[i]);
      if (what !== null) search.broken = tell(search, what, layer.ids[i]);
      else expand(search, layer, layer.cells[i], layer.ids[i], freeMovesIn(l, layer.cells[i]), 0);
      if (isLast) layer.cells[i] = NOTHING;
      if (seen.count > (options.mostStates ?? Infinity)) return result(search, depth - 1);
    }
    if (isLast || search.broken !== null) break;
    for (let i = 0; i < layer.cells.length && search.broken === null; i++) {
      expand(search, next, layer.cells[i], layer.ids[i], actionsIn(l, layer.cells[i]), AFTER_FREE);
      layer.cells[i] = NOTHING;
      if (seen.count > (options.mostStates ?? Infinity)) return result(search, depth);
    }
    layer = next;
  }
  return result(search, depth);
}

const NOTHING = new Uint8Array(0);
/** Ordinals of successors by actions begin here. */
const AFTER_FREE = 0x8000;

function startSearch(options: CheckOptions): Search {
  const l = layout(options);
  return {
    l,
    step: stepper(l, options.rules ?? REAL),
    bring: canonical(l).bring,
    seen: seenStates(),
    settled: seenStates(),
    parents: [],
    ordinals: [],
    steps: 0,
    broken: null,
  };
}

function result(search: Search, depth: number): CheckResult {
  return { states: search.seen.count, steps: search.steps, depth, broken: search.broken };
}

function expand(
  search: Search,
  into: Layer,
  cells: Uint8Array,
  id: number,
  moves: readonly Move[],
  first: number,
): void {
  const { step } = search;
  let ordinal = first;
  step.at(cells);
  for (const move of moves) {
    for (const next of step.perform(move)) {
      search.steps++;
      const broken = step.broken();
      if (broken !== null) {
        search.broken = tell(search, broken, id, ordinal);
        return;
      }
      if (isIdle(search.l, cells, next)) {
        ordinal++;
        continue;
      }
      search.bring(next);
      visit(search, into, next, id, ordinal);
      if (search.broken !== null) return;
      ordinal++;
    }
  }
}

/** True if only numbers were used up. */
function isIdle(l: Layout, cells: Uint8Array, next: Uint8Array): boolean {
  const counters = l.tick(0);
  const end = counters + 2 * l.peers;
  for (let i = 0; i < cells.length; i++) {
    if (i === counters) i = end;
    if (cells[i] !== next[i]) return false;
  }
  return true;
}

function visit(search: Search, into: Layer, cells: Uint8Array, parent: number, ordinal: number): void {
  if (!search.seen.add(cells)) return;
  const id = search.parents.length;
  search.parents.push(parent);
  search.ordinals.push(ordinal);
  into.cells.push(cells);
  into.ids.push(id);
}

// --- What settles ---

/** Every state settles in the end, and then all agree. What many states settle through is followed once. */
function settle(search: Search, cells: Uint8Array): string | null {
  const { l, step, settled } = search;
  const work = cells.slice();
  let numbers = firstNumbers(l);
  const bring = (state: Uint8Array): void => {
    numbers = follow(numbers, search.bring(state));
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = work.slice();
    const numbered = numbers;
    const broken = settleOnce(l, step, work, bring);
    if (broken !== null) return renumbered(broken, numbered);
    if (work.every((cell, i) => cell === before[i])) {
      const differs = disagreement(l, work);
      return differs === null ? null : renumbered(differs, numbers);
    }
    if (!settled.add(work)) return null;
  }
  return '[I1] it never comes to an end';
}

// --- What led there ---

/**
 * What was broken, and the way there.
 * @param ordinal the move that broke it; none: it broke as all had become quiet.
 */
function tell(search: Search, what: string, last: number, ordinal?: number): CheckResult['broken'] {
  const { l, bring } = search;
  const path = ordinal === undefined ? [] : [ordinal];
  for (let id = last; search.parents[id] >= 0; id = search.parents[id]) path.unshift(search.ordinals[id]);
  let cells = startOf(l);
  bring(cells);
  const trace: string[] = [];
  let names = firstNumbers(l);
  path.forEach((each, i) => {
    const { move, next } = successor(search, cells, each);
    trace.push(inWords(l, move, names));
    // What the last move broke is said of the state before it was brought to its form.
    if (i === path.length - 1 && ordinal !== undefined) return;
    cells = next;
    names = follow(names, bring(cells));
  });
  if (ordinal === undefined) trace.push('all is quiet');
  return { what: named(l, what, names), trace };
}

function firstNumbers(l: Layout): Order {
  return { guests: range(l.guests, 1), bodies: range(l.bodies, 0) };
}

/** What the guests and bodies were first, after one more change of their order. */
function follow(first: Order, order: Order): Order {
  return {
    guests: order.guests.map((was) => first.guests[was - 1]),
    bodies: order.bodies.map((was) => first.bodies[was]),
  };
}

/** The successor of a state that has this ordinal, and the move that leads there. */
function successor(
  { l, step }: Search,
  cells: Uint8Array,
  ordinal: number,
): { move: Move; next: Uint8Array } {
  const isAction = ordinal >= AFTER_FREE;
  let at = isAction ? AFTER_FREE : 0;
  step.at(cells);
  for (const move of isAction ? actionsIn(l, cells) : freeMovesIn(l, cells)) {
    const results = step.perform(move);
    if (ordinal < at + results.length) return { move, next: results[ordinal - at] };
    at += results.length;
  }
  throw new Error(`no successor ${ordinal}`);
}

function range(count: number, first: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
