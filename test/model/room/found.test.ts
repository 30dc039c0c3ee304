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

/** Ways of three actions that room-model.long.test.ts has found. */
test.each<[string, readonly Turn[]]>([
  [
    'a guest becomes host while its line to the door opens, where the liar is',
    [
      [1, 'H stands still for 5 s'],
      [2, 'L takes itself for the host'],
      [3, 'H crashes'],
    ],
  ],
])('[F4] all honest players have one host in the end: %s', (_, turns) => {
  expect(play(turns)).toBeNull();
});
