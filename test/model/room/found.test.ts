import { expect, test } from 'vitest';
import { actionsWith } from './actions.ts';
import { AGREED_WITHIN, Judge } from './judge.ts';
import { STEPS_A_SECOND } from './network.ts';
import { Room } from './room.ts';

/** The liar has the first slot. */
const LIAR = 1;

type Turn = readonly [seconds: number, words: string];

/** Plays a way until long after all is quiet. @returns the first fault; null if there is none, and all agree. */
function play(turns: readonly Turn[]): string | null {
  const actions = actionsWith(LIAR, 'many');
  const room = new Room(LIAR);
  const judge = new Judge(room);
  const begin = room.network.now;
  while (room.network.now < Math.max(room.quietAt, begin) + AGREED_WITHIN) {
    for (const [seconds, words] of turns) {
      if (room.network.now !== begin + seconds * STEPS_A_SECOND) continue;
      const action = actions.find((one) => one.words === words);
      if (action === undefined) throw new Error(`nothing is called: ${words}`);
      action.perform(room);
    }
    room.tick();
    const fault = judge.step();
    if (fault !== null) return fault;
  }
  return judge.disagreement();
}

/** Ways that room-model.long.test.ts has found. */
test.each<[string, readonly Turn[]]>([
  [
    'a guest becomes host while its line to the door opens, where the liar is',
    [
      [1, 'H stands still for 5 s'],
      [2, 'L takes itself for the host'],
      [3, 'H crashes'],
    ],
  ],
  [
    'a guest asks the former host to come in, whose door it has called before it turned to the next host',
    [
      [1, 'H stands still for 5 s'],
      [3, 'G2 is cut off for 12 s'],
    ],
  ],
  [
    'a line to the former host opens while a guest waits for the welcome of the next host',
    [
      [1, 'H stands still for 5 s'],
      [2, 'G2 is cut off for 12 s'],
      [3, 'G2 is cut off for 12 s'],
    ],
  ],
  [
    'guests wait for the welcome of a liar that they have elected, and hear their host again',
    [
      [1, 'H stands still for 5 s'],
      [3, 'L says to H, G2, G3 from now on: L is host, newer term, heard'],
    ],
  ],
  [
    'the liar names a candidate as host before it is host, so that another asks it too early to come in',
    [
      [1, 'H stands still for 5 s'],
      [3, 'L says to H, G2, G3 from now on: G2 is host, newer term, heard'],
      [5, 'L says to H, G2, G3 from now on: H is host, same term, heard'],
    ],
  ],
  [
    'the liar has the door, and names a candidate as host before it is host',
    [
      [1, 'L says to H, G2, G3 from now on: G2 is host, newer term, heard'],
      [3, 'L takes itself for the host'],
      [5, 'H crashes'],
    ],
  ],
])('[F4] all honest players have one host in the end: %s', (_, turns) => {
  expect(play(turns)).toBeNull();
});
