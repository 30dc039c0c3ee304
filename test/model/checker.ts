import type { Rules } from './moves/actor.ts';
import { REAL } from './moves/actor.ts';
import { canonical } from './state/canonical.ts';
import type { Order } from './state/orders.ts';
import type { Layout, Size } from './state/layout.ts';
import { createLayout, startOf } from './state/layout.ts';
import type { Move } from './moves/moves.ts';
import { actionsIn, freeMovesIn } from './moves/moves.ts';
import { disagreement, settleOnce } from './moves/settle.ts';
import { seenStates } from './seen-states.ts';
import type { Stepper } from './moves/step.ts';
import { stepper } from './moves/step.ts';
import { inWords, named, renumbered } from './state/words.ts';

export type CheckOptions = Size & {
  /** The most actions of players and lines. Moves that happen by themselves do not count. */
  readonly actions: number;
  readonly rules?: Rules;
  /** The check ends, undecided, at this many states. */
  readonly mostStates?: number;
};

export type CheckResult = {
  readonly states: number;
  readonly steps: number;
  /** The number of actions up to which every state was visited. */
  readonly depth: number;
  /** The fault and the way to it; or null. */
  readonly broken: { readonly what: string; readonly trace: readonly string[] } | null;
};

/** Rounds after which a state has settled, if it ever does. */
const MOST_ROUNDS = 40;

type Search = {
  readonly layout: Layout;
  readonly step: Stepper;
  readonly bring: (cells: Uint8Array) => Order;
  readonly seen: ReturnType<typeof seenStates>;
  readonly settled: ReturnType<typeof seenStates>;
  /** For each state its predecessor, and its number among the predecessor's successors. */
  readonly parents: number[];
  readonly ordinals: number[];
  steps: number;
  broken: CheckResult['broken'];
};

type Layer = { readonly cells: Uint8Array[]; readonly ids: number[] };

/**
 * Visits every state that some actions can lead to. In each it checks the invariants, and the agreement once all
 * is quiet. It goes layer by layer: first everything that happens by itself, then one action more. So a trace
 * has as few actions as possible.
 */
export function check(options: CheckOptions): CheckResult {
  const search = startSearch(options);
  const { layout, seen } = search;
  let layer: Layer = { cells: [], ids: [] };
  const start = startOf(layout);
  search.bring(start);
  visit(search, layer, start, -1, 0);
  let depth = 0;
  for (; ; depth++) {
    const next: Layer = { cells: [], ids: [] };
    // Memory is freed where nothing follows.
    const isLast = depth === options.actions;
    for (let i = 0; i < layer.cells.length && search.broken === null; i++) {
      const what = settle(search, layer.cells[i]);
      if (what !== null) search.broken = tell(search, what, layer.ids[i]);
      else expand(search, layer, layer.cells[i], layer.ids[i], freeMovesIn(layout, layer.cells[i]), 0);
      if (isLast) layer.cells[i] = NOTHING;
      if (seen.count > (options.mostStates ?? Infinity)) return result(search, depth - 1);
    }
    if (isLast || search.broken !== null) break;
    for (let i = 0; i < layer.cells.length && search.broken === null; i++) {
      expand(search, next, layer.cells[i], layer.ids[i], actionsIn(layout, layer.cells[i]), AFTER_FREE);
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
  const layout = createLayout(options);
  return {
    layout,
    step: stepper(layout, options.rules ?? REAL),
    bring: canonical(layout).bring,
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
      if (isIdle(search.layout, cells, next)) {
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
function isIdle(layout: Layout, cells: Uint8Array, next: Uint8Array): boolean {
  const counters = layout.tick(0);
  const end = counters + 2 * layout.peers;
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

// --- Settling ---

/**
 * Every state settles in the end, and then all agree. A state through which many others settle is followed once.
 */
function settle(search: Search, cells: Uint8Array): string | null {
  const { layout, step, settled } = search;
  const context = cells.slice();
  let numbers = firstNumbers(layout);
  const bring = (state: Uint8Array): void => {
    numbers = follow(numbers, search.bring(state));
  };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = context.slice();
    const numbered = numbers;
    const broken = settleOnce(layout, step, context, bring);
    if (broken !== null) return renumbered(broken, numbered);
    if (context.every((cell, i) => cell === before[i])) {
      const differs = disagreement(layout, context);
      return differs === null ? null : renumbered(differs, numbers);
    }
    if (!settled.add(context)) return null;
  }
  return '[I1] it never comes to an end';
}

// --- The way to a fault ---

/**
 * The fault, and the way to it.
 * @param ordinal the move that caused it; without it, it happened as all became quiet.
 */
function tell(search: Search, what: string, last: number, ordinal?: number): CheckResult['broken'] {
  const { layout, bring } = search;
  const path = ordinal === undefined ? [] : [ordinal];
  for (let id = last; search.parents[id] >= 0; id = search.parents[id]) path.unshift(search.ordinals[id]);
  let cells = startOf(layout);
  bring(cells);
  const trace: string[] = [];
  let names = firstNumbers(layout);
  path.forEach((each, i) => {
    const { move, next } = successor(search, cells, each);
    trace.push(inWords(layout, move, names));
    // The last move's fault is told of the state before it was brought to its form.
    if (i === path.length - 1 && ordinal !== undefined) return;
    cells = next;
    names = follow(names, bring(cells));
  });
  if (ordinal === undefined) trace.push('all is quiet');
  return { what: named(layout, what, names), trace };
}

function firstNumbers(layout: Layout): Order {
  return { guests: range(layout.guests, 1), bodies: range(layout.bodies, 0) };
}

/** The first numbers of the guests and bodies, after one more change of their order. */
function follow(first: Order, order: Order): Order {
  return {
    guests: order.guests.map((was) => first.guests[was - 1]),
    bodies: order.bodies.map((was) => first.bodies[was]),
  };
}

/** The successor of a state with this ordinal, and the move that leads there. */
function successor(
  { layout, step }: Search,
  cells: Uint8Array,
  ordinal: number,
): { move: Move; next: Uint8Array } {
  const isAction = ordinal >= AFTER_FREE;
  let at = isAction ? AFTER_FREE : 0;
  step.at(cells);
  for (const move of isAction ? actionsIn(layout, cells) : freeMovesIn(layout, cells)) {
    const results = step.perform(move);
    if (ordinal < at + results.length) return { move, next: results[ordinal - at] };
    at += results.length;
  }
  throw new Error(`no successor ${ordinal}`);
}

function range(count: number, first: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
