import { Buffer } from 'node:buffer';
import { seenStates } from '../seen-states.ts';
import type { Action, Alphabet } from './actions.ts';
import { actionsWith } from './actions.ts';
import { digest } from './digest.ts';
import { AGREED_WITHIN, Judge } from './judge.ts';
import { STEPS_A_SECOND } from './network.ts';
import { Room } from './room.ts';

export type CheckOptions = {
  /** The player that lies, 1 to 3; -1: all are honest. */
  readonly liar: number;
  readonly alphabet: Alphabet;
  /** The most actions. */
  readonly actions: number;
  /** Steps between two moments at which something may happen. */
  readonly every: number;
  /** Steps after an action in which the next may happen. */
  readonly within: number;
  /** Goes on after a fault, and gathers the first of each kind. */
  readonly gathers?: boolean;
};

/** A fault and the shortest way to it that was found. */
export type Fault = { readonly what: string; readonly trace: readonly string[] };

export type CheckResult = {
  readonly states: number;
  readonly runs: number;
  readonly steps: number;
  /** The number of actions up to which every state was visited. */
  readonly depth: number;
  readonly faults: readonly Fault[];
  /** The longest time from when all was quiet until all agreed, in steps. */
  readonly slowest: number;
};

/** An action, and how many steps after the one before it happens. */
type Turn = { readonly action: Action; readonly after: number };

/** A state, by the way to it: its actions, and the steps after the last. */
type State = { readonly turns: readonly Turn[]; readonly then: number };

type Search = {
  readonly options: CheckOptions;
  readonly seen: ReturnType<typeof seenStates>;
  readonly faults: Fault[];
  readonly kinds: Set<string>;
  runs: number;
  steps: number;
  slowest: number;
};

/**
 * Visits the states of a room that some actions lead to, at any of the moments given. Members can't be copied, so
 * each way is played from the beginning. Goes layer by layer, so a trace has as few actions as possible. After the
 * last action of a way everything is given time to become whole, and then all honest players must agree.
 */
export function check(options: CheckOptions): CheckResult {
  const search: Search = {
    options,
    seen: seenStates(),
    faults: [],
    kinds: new Set(),
    runs: 0,
    steps: 0,
    slowest: 0,
  };
  const actions = actionsWith(options.liar, options.alphabet);
  let layer = explore(search, []);
  let depth = 0;
  while (depth < options.actions && !isOver(search)) {
    const next: State[] = [];
    for (const { turns, then } of layer) {
      for (const action of actions) {
        if (isOver(search)) break;
        next.push(...explore(search, [...turns, { action, after: then }]));
      }
    }
    layer = next;
    depth++;
  }
  const { seen, runs, steps, faults, slowest } = search;
  return { states: seen.count, runs, steps, depth, faults, slowest };
}

function isOver({ faults, options }: Search): boolean {
  return faults.length > 0 && options.gathers !== true;
}

/** Plays a way, and goes on until its states are known or all agree. @returns the new states on it. */
function explore(search: Search, turns: readonly Turn[]): State[] {
  const { options, seen } = search;
  const room = new Room(options.liar);
  const judge = new Judge(room);
  search.runs++;
  const step = (): string | null => {
    room.tick();
    search.steps++;
    return judge.step();
  };
  for (const { action, after } of turns) {
    for (let i = 0; i < after; i++) step();
    if (action.can?.(room) === false) return [];
    action.perform(room);
  }
  const found: State[] = [];
  const own = new Set<string>();
  let disagreedAt = 0;
  for (let then = 1; ; then++) {
    const fault = step();
    const sinceQuiet = room.network.now - room.quietAt;
    const isLate = sinceQuiet >= AGREED_WITHIN && then >= AGREED_WITHIN;
    const disagreement = isLate ? judge.disagreement() : null;
    if (fault !== null || disagreement !== null) {
      note(
        search,
        turns,
        then,
        fault ?? `all is quiet for ${AGREED_WITHIN / STEPS_A_SECOND} s, but ${disagreement}`,
      );
      return found;
    }
    if (judge.disagreement() !== null) disagreedAt = Math.max(sinceQuiet, 0);
    if (isLate) {
      search.slowest = Math.max(search.slowest, disagreedAt);
      return found;
    }
    if (then % options.every !== 0) continue;
    const text = digest(room);
    const isNew = seen.add(Buffer.from(text));
    // A way that comes back to its own states goes on: it must end in agreement.
    if (!isNew && !own.has(text)) {
      search.slowest = Math.max(search.slowest, disagreedAt);
      return found;
    }
    own.add(text);
    if (isNew && then <= options.within) found.push({ turns, then });
  }
}

function note(search: Search, turns: readonly Turn[], then: number, what: string): void {
  const kind = what.replace(/\d+/g, '#').replace(/\b(G#|L)\b/g, 'P');
  if (search.kinds.has(kind)) return;
  search.kinds.add(kind);
  let at = 0;
  const trace = turns.map(({ action, after }) => {
    at += after;
    return `${seconds(at)}: ${action.words}`;
  });
  search.faults.push({ what: `${what}, at ${seconds(at + then)}`, trace });
}

function seconds(steps: number): string {
  return `${(steps / STEPS_A_SECOND).toFixed(2)} s`;
}
