import { expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Newcomer } from '../../../../src/pages/room/news/greeting.ts';
import { greetingOf } from '../../../../src/pages/room/news/greeting.ts';

const [BLUE, RED] = [0, 1] as Slot[];
const BY_LINK = { role: 'guest', returns: false, room: 'the room of the link' } as const;
const BY_CODE = { ...BY_LINK, room: null };
const NOBODY: Newcomer = { name: '', colour: BLUE, hasChosen: false, entry: BY_LINK };
const ADA: Newcomer = { ...NOBODY, name: 'Ada', hasChosen: true };

test.each<[string, Newcomer, Slot, string | null]>([
  ['by a link for the first time', NOBODY, RED, 'You are Red.'],
  ['by a link, with its own name and colour', ADA, BLUE, null],
  ['by a link, with a colour and no name', { ...ADA, name: '' }, BLUE, 'You are Blue.'],
  ['by a link, with a name that its browser did not keep', { ...ADA, hasChosen: false }, BLUE, null],
  ['by a link, so, with another colour', { ...ADA, hasChosen: false }, RED, 'Blue is taken. You are red.'],
  ['by a link, with another colour', ADA, RED, 'Blue is taken. You are red.'],
  ['by a code, with another colour', { ...ADA, entry: BY_CODE }, RED, 'Blue is taken. You are red.'],
  ['by a code, with the colour that it likes', { ...ADA, entry: BY_CODE }, BLUE, null],
  ['again, after a reload', { ...ADA, entry: { ...BY_LINK, returns: true } }, RED, null],
  ['as host', { ...ADA, entry: { role: 'host' } }, BLUE, null],
])('who comes in %s reads: %4$s', (_, newcomer, slot, sentence) => {
  expect(greetingOf(newcomer, slot)).toBe(sentence);
});
