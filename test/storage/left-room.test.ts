import { expect, test } from 'vitest';
import { loadLeftRoom, saveLeftRoom } from '../../src/storage/left-room.ts';
import { createStore } from '../../src/storage/store.ts';
import { loadVoiceWish, saveVoiceWish } from '../../src/storage/voice-wish.ts';
import type { RoomCode } from '../../src/core/room/code.ts';

const KEY = 'handover.left';

test('the room that was left is kept until there is none to go back to', () => {
  const store = createStore(null);
  expect(loadLeftRoom(store)).toBeNull();
  saveLeftRoom({ code: 'KQXMT' as RoomCode, room: null, players: ['Ada', 'Ben'] }, store);
  expect(loadLeftRoom(store)).toEqual({ code: 'KQXMT', room: null, players: ['Ada', 'Ben'] });
  saveLeftRoom(null, store);
  expect(loadLeftRoom(store)).toBeNull();
});

test.each([
  ['no JSON', '{', null],
  ['no code', '{"players":["Ada"]}', null],
  ['a code that there is not', '{"code":"BILOS","players":[]}', null],
  ['an id that there is not', '{"code":"KQXMT","room":7}', { code: 'KQXMT', room: null, players: [] }],
  [
    'names that no player has',
    `{"code":"KQXMT","players":[7,null,"Ada","${'W'.repeat(99)}"]}`,
    { code: 'KQXMT', room: null, players: ['Ada'] },
  ],
  [
    'more players than a room has',
    `{"code":"KQXMT","players":${JSON.stringify(Array.from({ length: 99 }, () => 'Ada'))}}`,
    { code: 'KQXMT', room: null, players: Array.from({ length: 8 }, () => 'Ada') },
  ],
])('what makes no sense is left out: %s', (_, text, kept) => {
  const store = createStore(null);
  store.write(KEY, text);
  expect(loadLeftRoom(store)).toEqual(kept);
});

test('the wish for voice is kept', () => {
  const store = createStore(null);
  expect(loadVoiceWish(store)).toBe(false);
  saveVoiceWish(true, store);
  expect(loadVoiceWish(store)).toBe(true);
  saveVoiceWish(false, store);
  expect(loadVoiceWish(store)).toBe(false);
});
