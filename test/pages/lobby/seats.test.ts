import { expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readRoomCode } from '../../../src/core/room/code.ts';
import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import type { Roster, RosterPlayer } from '../../../src/core/room/messages.ts';
import { describeLeftRoom } from '../../../src/pages/lobby/last-world.ts';
import { lookingFor, roomWithout } from '../../../src/pages/lobby/seats.ts';
import type { GameSession } from '../../../src/pages/room/session/session.ts';

const YOU = 1 as Slot;

function player(slot: number, name: string, presence: RosterPlayer['presence'] = 'here'): RosterPlayer {
  const key = `key ${slot}` as PublicKey;
  return { slot: slot as Slot, name, id: '', presence, voice: 'off', hands: 'pointer', roundTripMs: 0, key };
}

function sessionWith(
  players: readonly RosterPlayer[],
  code = readRoomCode('KQXMT'),
  host = YOU,
): GameSession {
  const roster: Partial<Roster> = { players, host };
  const session: Partial<GameSession> = { code, room: null, slot: YOU, roster: roster as Roster };
  return session as GameSession;
}

test('a room can be gone back to as long as somebody else is in it', () => {
  const you = player(YOU, 'Eve');
  expect(roomWithout(sessionWith([you]))).toBeNull();
  expect(roomWithout(sessionWith([you, player(2, 'Ben', 'away')]))).toBeNull();
  expect(roomWithout(sessionWith([player(0, ''), you, player(2, 'Ben')]))).toEqual({
    code: 'KQXMT',
    room: null,
    players: ['Blue', 'Ben'],
  });
});

test('[N1] a room on the server can be gone back to, though nobody is in it', () => {
  const alone = sessionWith([player(YOU, 'Eve')], undefined, DEDICATED_SLOT as Slot);
  expect(roomWithout(alone)).toEqual({ code: 'KQXMT', room: null, players: [] });
});

test('practice is no room to go back to', () => {
  expect(roomWithout(sessionWith([player(YOU, ''), player(2, 'Robo')], null))).toBeNull();
});

test.each([
  [[], 'on the server, which keeps it for a few minutes'],
  [['Ada'], 'Ada was there'],
  [['Ada', 'Ben'], 'Ada and Ben were there'],
  [['Ada', 'Ben', 'Red'], 'Ada, Ben and Red were there'],
])('the lobby names who was there: %j', (players, said) => {
  expect(describeLeftRoom({ players })).toBe(said);
});

test('[F3.12] a player who has just left a room looks for it longer, and for no other', () => {
  const entry = { role: 'guest', returns: false, room: null, orElse: null } as const;
  const left = { code: 'KQXMT' as RoomCode, room: null, players: [] };
  expect(lookingFor(left.code, entry, left)).toEqual({ ...entry, returns: true });
  expect(lookingFor('ACDEF' as RoomCode, entry, left)).toBe(entry);
  expect(lookingFor(left.code, entry, null)).toBe(entry);
});
