import { expect } from 'vitest';
import type { Random } from '../../src/core/base/random.ts';
import { REAL } from './actor.ts';
import type { Layout } from './layout.ts';
import { startOf } from './layout.ts';
import type { Move } from './moves.ts';
import { actionsIn, freeMovesIn } from './moves.ts';
import { beliefsIn, realRoom } from './real-room.ts';
import { stepper } from './step.ts';
import { inWords } from './words.ts';

/** Moves of a trace, not counting what a hand takes that it reached for. */
export const TRACE_MOVES = 16;

/** A move that can be done with real peers. Where several reach, all are equally near: the lowest slot's gets it. */
function nextMove(l: Layout, cells: Uint8Array, random: Random): Move {
  const actions = actionsIn(l, cells).filter(({ kind }) => kind !== 'touch');
  const moves = random.chance(0.4) ? actions : freeMovesIn(l, cells);
  const move = moves[random.below(moves.length)];
  return 'nearest' in move
    ? { ...move, nearest: 'peer' in move ? lowest(actions, move) : lowest(moves, move) }
    : move;
}

function lowest(moves: readonly Move[], move: Move): number {
  const same = moves.flatMap((other) => {
    if (!('nearest' in other)) return [];
    if (other.kind === 'release' && move.kind === 'release')
      return other.peer === move.peer && other.side === move.side ? [other.nearest] : [];
    if (other.kind === 'arrive' && move.kind === 'arrive')
      return other.guest === move.guest && other.way === move.way ? [other.nearest] : [];
    return [];
  });
  return Math.min(...same);
}

function reachedIn(l: Layout, cells: Uint8Array): Move | undefined {
  return freeMovesIn(l, cells).find(({ kind }) => kind === 'reached');
}

/**
 * One random way through the model, done by real peers, which must believe the same after every move.
 * @returns how many moves changed something.
 */
export function replay(l: Layout, random: Random, rules = REAL): number {
  const step = stepper(l, rules);
  const room = realRoom(l);
  let cells = startOf(l);
  const told: string[] = [];
  const names = { guests: [1, 2, 3], bodies: [0, 1] };
  let changes = 0;
  const perform = (move: Move): void => {
    step.at(cells);
    const [next] = step.perform(move);
    const before = beliefsIn(l, cells).join();
    // What the host has not confirmed would be given back the moment that it does.
    if (move.kind === 'return' && beliefsIn(l, next).join() === before) return;
    told.push(inWords(l, move, names));
    room.perform(move, next);
    cells = next;
    if (beliefsIn(l, cells).join() !== before) changes++;
  };
  for (let i = 0; i < TRACE_MOVES; i++) {
    perform(nextMove(l, cells, random));
    // What a hand reached for it takes as soon as it can.
    for (let move = reachedIn(l, cells); move !== undefined; move = reachedIn(l, cells)) perform(move);
    expect(room.beliefs(), told.join('\n')).toEqual(beliefsIn(l, cells));
  }
  return changes;
}
