import { expect, it } from 'vitest';
import { ActingHands } from '../../../src/lab/game/acting-hands.ts';
import type { Hand } from '../../../src/lab/game/hand.ts';
import { goOn } from '../../../src/lab/game/hand.ts';
import { HandTrack } from '../../../src/lab/game/hand-exchange.ts';

const hand = (x: number): Hand => ({ x, y: 90, z: -x });

it('a hand that is not known goes on as it moved, for 100 ms', () => {
  expect(goOn(hand(10), hand(13), 2)).toEqual(hand(19));
  expect(goOn(hand(10), hand(16), 1, 3)).toEqual(hand(18));
  expect(goOn(hand(10), hand(13), 60)).toEqual(goOn(hand(10), hand(13), 6));
  expect(goOn(hand(10), hand(10), 60)).toEqual(hand(10));
});

it('rollback guesses so, and the hand of a player who is gone stands', () => {
  const track = new HandTrack(hand(0), 0);
  for (let tick = 1; tick <= 4; tick++) track.put(tick, hand(tick * 5));
  expect([track.guess(4), track.guess(6), track.at(6)]).toEqual([hand(20), hand(30), hand(20)]);
});

it('at a server that goes back, and its clients, it goes on for four ticks', () => {
  const acting = new ActingHands(hand(0), 100);
  for (const tick of [3, 4]) acting.put(tick, hand(tick * 10));
  expect([5, 8, 30].map((tick) => acting.at(tick))).toEqual([hand(50), hand(80), hand(80)]);
  expect(acting.at(2)).toEqual(hand(0));
});
