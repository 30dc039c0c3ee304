import { encode } from 'uqr';
import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import { leadsHere, qrPath } from '../../../src/pages/room/screen/invite.ts';
import { describeRecording } from '../../../src/pages/room/menu/menu-keep.ts';
import { describePlayer } from '../../../src/pages/room/menu/menu-players.ts';
import { describeVoice } from '../../../src/pages/room/menu/menu-voice.ts';
import type { OwnVoice, RoomPlayer } from '../../../src/pages/room/model.ts';
import { calledBy } from '../../../src/pages/room/model.ts';
import { describeRoom } from '../../../src/pages/room/screen/status.ts';

const HOST = 0 as Slot;
const YOU = 1 as Slot;
const OTHER = 2 as Slot;

function player(slot: Slot, part: Partial<RoomPlayer> = {}): RoomPlayer {
  return {
    slot,
    name: 'Ada',
    presence: 'here',
    voice: 'off',
    roundTripMs: 24.4,
    level: 0,
    mutedHere: false,
    key: '' as PublicKey,
    ...part,
  };
}

describe('the line about a player', () => {
  const roles = { you: YOU, host: HOST };
  test.each([
    ['you', player(YOU)],
    ['host', player(HOST)],
    ['24 ms', player(OTHER)],
    // 0: the round trip is not known yet.
    ['', player(OTHER, { roundTripMs: 0 })],
    ['24 ms · muted', player(OTHER, { voice: 'muted' })],
    ['24 ms · muted for you', player(OTHER, { voice: 'on', mutedHere: true })],
    ['connection lost', player(OTHER, { presence: 'lost', voice: 'muted' })],
    ['away, place kept', player(OTHER, { presence: 'away' })],
    ['host · connection lost', player(HOST, { presence: 'lost' })],
  ])('%s', (said, who) => {
    expect(describePlayer(who, roles)).toBe(said);
  });

  test('says both for a player that is the host itself', () => {
    expect(describePlayer(player(HOST), { you: HOST, host: HOST })).toBe('you · host');
  });

  test('calls a player without a name by its colour', () => {
    expect(calledBy(player(OTHER))).toBe('Ada');
    expect(calledBy(player(OTHER, { name: '' }))).toBe('Green');
  });
});

test('[F5.1] a microphone that can’t be used: the menu says why, and what to do', () => {
  expect(describeVoice({ kind: 'failed', failure: 'missing' })).toBe(
    'No microphone found. Plug one in, then try again.',
  );
});

test('the bar spells the room’s code, and says how many players are there', () => {
  const lost = [player(YOU, { presence: 'lost' }), player(3 as Slot, { presence: 'lost' })];
  const players = [player(HOST), ...lost, player(OTHER, { presence: 'away' })];
  expect(describeRoom({ code: 'KQXMT', locked: true, capacity: 4, players, watching: null })).toBe(
    'Room K Q X M T, locked, 3 of 4 players: open the menu',
  );
  const watching = { link: '', count: 12 };
  expect(describeRoom({ code: 'KQXMT', locked: false, capacity: 4, players, watching })).toBe(
    'Room K Q X M T, 3 of 4 players, 12 watching: open the menu',
  );
});

test.each([
  ['on', 0.9, '0:00'],
  ['on', 65.2, '1:05'],
  ['on', 3600, '60:00'],
  ['starting', 0, 'Starting…'],
] as const)('a recording that is %s for %f s reads %s', (kind, seconds, said) => {
  expect(describeRecording({ kind, seconds })).toBe(said);
});

test.each<[OwnVoice['kind'] & ('off' | 'asking' | 'on' | 'muted'), string]>([
  ['off', 'Your voice is off. Turn it on, and friends hear you.'],
  ['asking', 'Allow the microphone in your browser.'],
  ['on', 'Friends hear you.'],
  ['muted', 'You are muted. Press Unmute, and friends hear you.'],
])('a voice that is %s: the menu says so, and what to do', (kind, said) => {
  expect(describeVoice({ kind })).toBe(said);
});

test.each([
  ['http://localhost:5173/?room=KQXMT', true],
  ['http://127.0.0.1:5173/', true],
  ['http://127.9.8.7/', true],
  ['http://[::1]:80/', true],
  ['http://play.localhost/', true],
  ['https://192.168.1.7:5174/?room=KQXMT', false],
  ['https://localhost.example.org/', false],
  ['https://handover.example.org/', false],
])('the link %s leads other devices to themselves: %s', (link, here) => {
  expect(leadsHere(link)).toBe(here);
});

describe('the QR code', () => {
  const link = 'https://handover.example.org/?room=KQXMT';

  test('has the dark modules of the link, inside four white modules', () => {
    const { path, size } = qrPath(link);
    const plain = encode(link, { ecc: 'M', border: 0 });
    expect(size).toBe(plain.size + 8);
    expect(filled(path, size)).toEqual(
      Array.from({ length: size }, (_, y) =>
        Array.from({ length: size }, (_, x) => plain.data[y - 4]?.[x - 4] ?? false),
      ),
    );
  });

  /** The modules that the path's rectangles cover. */
  function filled(path: string, size: number): boolean[][] {
    const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
    const pieces = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)];
    expect(pieces.map(([piece]) => piece).join('')).toBe(path);
    for (const [, x, y, width, back] of pieces) {
      expect(back).toBe(x);
      modules[Number(y)].fill(true, Number(x), Number(x) + Number(width));
    }
    return modules;
  }
});
