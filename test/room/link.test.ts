import { afterEach, expect, test, vi } from 'vitest';
import type { RoomCode } from '../../src/core/room/code.ts';
import type { RoomId } from '../../src/core/room/identity/key.ts';
import { readRoomLink, roomLink, roomQuery, showRoomAddress } from '../../src/room/link.ts';

afterEach(() => vi.unstubAllGlobals());

test('the address of a room is written once, however often it is shown', () => {
  const location = { search: '' };
  const replaceState = vi.fn((_: unknown, __: string, query: string) => void (location.search = query));
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { replaceState });
  for (let i = 0; i < 300; i++) showRoomAddress('ABCDE' as RoomCode, null);
  expect(location.search).toBe('?room=ABCDE');
  showRoomAddress('FGHJK' as RoomCode, null);
  expect(replaceState).toHaveBeenCalledTimes(2);
});

const CODE = 'KQXMT' as RoomCode;
const ROOM = 'a'.repeat(20) as RoomId;

test('a link leads back to its room, and keeps what else the page was asked', () => {
  const link = roomLink('https://example.org/game/?level=2&id=old#top', CODE, ROOM);
  expect(link).toBe(`https://example.org/game/?level=2&id=${ROOM}&room=KQXMT`);
  expect(readRoomLink(link)).toEqual({ code: CODE, room: ROOM });
  expect(readRoomLink(`https://example.org/${roomQuery(CODE, ROOM)}`)).toEqual({ code: CODE, room: ROOM });
  expect(readRoomLink(roomLink(link, CODE, null))).toEqual({ code: CODE, room: null });
});

test.each([
  ['a code as it is typed', 'kqx mt', null],
  ['a link with only a code', 'https://example.org/?room=KQXMT', null],
  ['a link behind a #', `https://example.org/a?b=c#room=KQXMT&id=${ROOM}`, ROOM],
  ['an id that is none', 'https://example.org/?room=KQXMT&id=1', null],
])('%s is read', (_, text, room) => {
  expect(readRoomLink(text)).toEqual({ code: CODE, room });
});

test.each([
  '',
  'https://example.org/',
  'https://example.org/?room=',
  'https://example.org/?room=BILOS',
  'KQXM',
])('%j is no link to a room', (text) => {
  expect(readRoomLink(text)).toBeNull();
});
