import { expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { Action } from './actions.ts';
import { actionsWith } from './actions.ts';
import { digest } from './digest.ts';
import { STEPS_A_SECOND } from './network.ts';
import { Room } from './room.ts';

const LIAR = 1;
/** Ways that are tried, the longest time until both look alike, and the time for which they are compared then. */
const WAYS = 80;
const ALIKE_WITHIN = 60 * STEPS_A_SECOND;
const COMPARED_STEPS = 15 * STEPS_A_SECOND;

const actions = actionsWith(LIAR, 'many');
/** Actions that a room may get over, so that nothing is left of them. */
const passing = actions.filter(({ words }) => !/from now on|takes itself|crashes|leaves/.test(words));

function perform(room: Room, action: Action): void {
  if (action.can?.(room) !== false) action.perform(room);
}

function run(rooms: readonly Room[], steps: number): void {
  for (let step = 0; step < steps; step++) for (const room of rooms) room.tick();
}

/** Steps until two rooms look alike; -1 if they don't in time. */
function alikeAfter(one: Room, other: Room): number {
  for (let step = 0; step < ALIKE_WITHIN; step++) {
    if (digest(one) === digest(other)) return step;
    run([one, other], 1);
  }
  return -1;
}

test('rooms that look alike to the check go on alike, whatever happens next', () => {
  const random = new Random(5);
  const pick = (from: readonly Action[]): Action => from[random.below(from.length)];
  let compared = 0;
  for (let way = 0; way < WAYS; way++) {
    const [one, other] = [new Room(LIAR), new Room(LIAR)];
    const [first, second, third] = [pick(passing), pick(actions), pick(actions)];
    // One of the two rooms has had one action more.
    perform(one, first);
    run([one, other], 1 + random.below(12 * STEPS_A_SECOND));
    for (const room of [one, other]) perform(room, second);
    const alike = alikeAfter(one, other);
    if (alike < 0) continue;
    compared++;
    for (const room of [one, other]) perform(room, third);
    for (let step = 0; step < COMPARED_STEPS; step++) {
      const told = `${first.words}; ${second.words}; alike after ${alike}; ${third.words}; step ${step}`;
      expect(digest(one), told).toBe(digest(other));
      run([one, other], 1);
    }
  }
  console.log(`${compared} pairs of rooms compared`);
  expect(compared).toBeGreaterThan(WAYS / 10);
});
