import { expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { Action } from './actions.ts';
import { actionsWith } from './actions.ts';
import { digest } from './digest.ts';
import { STEPS_A_SECOND } from './network.ts';
import { Room } from './room.ts';

/** The liar, the random ways, the steps of each, and for how long two rooms of one state are compared. */
const LIAR = 1;
const WAYS = 40;
const WAY_STEPS = 60 * STEPS_A_SECOND;
const COMPARED_STEPS = 15 * STEPS_A_SECOND;

/** An action and the step of its way in which it happens. */
type Turn = { readonly at: number; readonly action: Action };
/** A moment on a way. */
type Moment = { readonly turns: readonly Turn[]; readonly at: number };

function roomAt({ turns, at }: Moment): Room {
  const room = new Room(LIAR);
  for (let step = 0; step < at; step++) {
    for (const { action } of turns.filter((turn) => turn.at === step)) action.perform(room);
    room.tick();
  }
  return room;
}

/** Both rooms take the same action, and go on. @returns the first step in which they differ; -1: they don't. */
function partedAt(one: Room, other: Room, action: Action): number {
  for (const room of [one, other]) if (action.can?.(room) !== false) action.perform(room);
  for (let step = 0; step < COMPARED_STEPS; step++) {
    if (digest(one) !== digest(other)) return step;
    one.tick();
    other.tick();
  }
  return -1;
}

test('rooms that look alike to the check go on alike, whatever happens next', () => {
  const random = new Random(5);
  const actions = actionsWith(LIAR, 'few');
  const known = new Map<string, Moment>();
  let compared = 0;
  for (let way = 0; way < WAYS; way++) {
    const turns = [0, 1].map(() => ({
      at: random.below(8 * STEPS_A_SECOND),
      action: actions[random.below(actions.length)],
    }));
    const room = new Room(LIAR);
    for (let at = 0; at < WAY_STEPS; at++) {
      for (const { action } of turns.filter((turn) => turn.at === at)) action.perform(room);
      if (at > turns[0].at && at > turns[1].at) {
        const text = digest(room);
        const before = known.get(text);
        if (before !== undefined && before.turns !== turns) {
          const action = actions[random.below(actions.length)];
          const parted = partedAt(roomAt(before), roomAt({ turns, at }), action);
          const told = [...before.turns, ...turns].map((turn) => `${turn.at}: ${turn.action.words}`).join('\n');
          expect(parted, `${told}\nthen ${action.words}`).toBe(-1);
          compared++;
          break;
        }
        known.set(text, { turns, at });
      }
      room.tick();
    }
  }
  console.log(`${compared} pairs of rooms compared`);
  expect(compared).toBeGreaterThan(WAYS / 8);
});
