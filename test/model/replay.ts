import { expect } from 'vitest';
import type { Random } from '../../src/core/base/random.ts';
import { REAL } from './moves/actor.ts';
import type { Layout } from './state/layout.ts';
import { startOf } from './state/layout.ts';
import type { Move } from './moves/moves.ts';
import { actionsIn, freeMovesIn } from './moves/moves.ts';
import { beliefsIn, realRoom } from './real-room.ts';
import { stepper } from './moves/step.ts';
import { inWords } from './state/words.ts';

/** Moves of a trace, without the grabs that follow a reach. */
export const TRACE_MOVES = 16;

/**
 * A move that can be done with real peers. Where several reach, all are equally near, so the lowest slot gets
 * the body.
 */
function nextMove(layout: Layout, cells: Uint8Array, random: Random): Move {
  const actions = actionsIn(layout, cells).filter(({ kind }) => kind !== 'touch');
  const moves = random.chance(0.4) ? actions : freeMovesIn(layout, cells);
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

function reachedIn(layout: Layout, cells: Uint8Array): Move | undefined {
  return freeMovesIn(layout, cells).find(({ kind }) => kind === 'reached');
}

/**
 * One random way through the model, done by real peers, which must believe the same after every move.
 * @returns the number of moves that changed something.
 */
export function replay(layout: Layout, random: Random, rules = REAL): number {
  const step = stepper(layout, rules);
  const room = realRoom(layout);
  let cells = startOf(layout);
  const told: string[] = [];
  const names = { guests: [1, 2, 3], bodies: [0, 1] };
  let changes = 0;
  const perform = (move: Move): void => {
    step.at(cells);
    const [next] = step.perform(move);
    const before = beliefsIn(layout, cells).join();
    // A body that the host has not confirmed would be given back the moment that it is confirmed.
    if (move.kind === 'return' && beliefsIn(layout, next).join() === before) return;
    told.push(inWords(layout, move, names));
    room.perform(move, next);
    cells = next;
    if (beliefsIn(layout, cells).join() !== before) changes++;
  };
  for (let i = 0; i < TRACE_MOVES; i++) {
    perform(nextMove(layout, cells, random));
    // A hand grabs the body that it reached for as soon as it can.
    for (let move = reachedIn(layout, cells); move !== undefined; move = reachedIn(layout, cells))
      perform(move);
    expect(room.beliefs(), told.join('\n')).toEqual(beliefsIn(layout, cells));
  }
  return changes;
}
