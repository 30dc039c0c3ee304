import { expect, test } from 'vitest';
import { watchingSentence } from '../../../src/pages/room/menu/menu-watch.ts';
import { countSentence } from '../../../src/pages/watch/watch-bar.ts';

test.each([
  [0, 1, 'Nobody is playing, 1 watching'],
  [1, 1, '1 player, 1 watching'],
  [2, 0, '2 players'],
  [2, 14, '2 players, 14 watching'],
])('the bar of a watcher: %i players, %i watchers', (players, watchers, sentence) => {
  expect(countSentence(players, watchers)).toBe(sentence);
});

test.each([
  [0, ''],
  [1, ' 1 person watches now.'],
  [12, ' 12 people watch now.'],
])('[N5.7] the menu of a player: %i watch', (count, sentence) => {
  expect(watchingSentence(count)).toBe(
    `With this link people can see the room, but can’t touch anything.${sentence}`,
  );
});
