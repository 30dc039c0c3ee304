import { describe, expect, test } from 'vitest';
import { MAX_NAME_BYTES, MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import { decodeName, encodeName } from '../../../../src/core/base/text.ts';
import { MAX_MESSAGE_LENGTH } from '../../../../src/core/room/fields.ts';
import { RemovedPlayers } from '../../../../src/core/room/host/admission.ts';
import type { Roster } from '../../../../src/core/room/messages.ts';
import { readHostMessage, writeMessage } from '../../../../src/core/room/messages.ts';
import { isPageId, MAX_ID_LENGTH } from '../../../../src/core/room/page-id.ts';
import { HostDesk } from './host-desk.ts';
import { keyOf } from '../../../support/keys.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { ROSTER, slot, speaks } from '../samples.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';

/** The longest id that a page may have, another for each line. */
function longId(line: number): string {
  return `${line}`.padStart(MAX_ID_LENGTH, 'x');
}

/** True if every guest of the room can read the host's present roster. */
function isReadable(roster: Roster): boolean {
  return readHostMessage(writeMessage({ kind: 'roster', roster })) !== null;
}

describe('[F1.5] the id of a page', () => {
  test.each(['4f0c5f0e-2c70-4ad6-9d6c-0f3a6a1b2c3d', 'handover-KQXMT', 'a', 'a_b c-d', longId(7)])(
    'may be %s',
    (id) => expect(isPageId(id)).toBe(true),
  );

  test.each([
    '',
    '-a',
    'a-',
    'a--b',
    'ä',
    'a\u0000',
    'a"b',
    'a/b',
    'a\nb',
    `${longId(7)}x`,
    'x'.repeat(9000),
  ])('may not be %j', (id) => {
    expect(isPageId(id)).toBe(false);
    const players = ROSTER.players.map((player, i) => (i === 0 ? { ...player, id } : player));
    expect(readHostMessage(JSON.stringify({ kind: 'roster', roster: { ...ROSTER, players } }))).toBeNull();
  });

  test('that is very long takes no time to refuse', () => {
    expect(isPageId(`${'a '.repeat(1 << 22)}!`)).toBe(false);
  });
});

describe('[F1.6] a host can write what pages make it write', () => {
  /** The name that takes the most characters in JSON. */
  const name = '"'.repeat(MAX_NAME_BYTES);

  test('the longest name in JSON has two characters for each byte', () => {
    let most = 0;
    for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 61) {
      const bytes = encodeName(`a${String.fromCodePoint(code)}a`);
      const written = JSON.stringify(decodeName(bytes)).length - '"aa"'.length;
      if (bytes.length > 2) most = Math.max(most, written / (bytes.length - 2));
    }
    expect(most).toBe(2);
  });

  test('a room full of the longest names and ids', () => {
    const desk = new HostDesk({ capacity: MAX_ROOM_PLAYERS, profile: newProfile(name), id: longId(0) });
    for (let line = 1; line < MAX_ROOM_PLAYERS; line++) {
      expect(desk.admit(line, { name }, { page: longId(line) }).slot).toBe(line);
      desk.send(line, {
        kind: 'profile',
        ...newProfile(name),
        voice: 'muted',
        hands: 'controllers',
        wantsReset: true,
      });
    }
    desk.roundTripMs = 65_535;
    desk.run(2000);
    const { roster } = desk.room;
    expect(roster.players.map((player) => [player.name, player.id])).toEqual(
      Array.from({ length: MAX_ROOM_PLAYERS }, (_, line) => [name, longId(line)]),
    );
    expect(isReadable(roster)).toBe(true);
    expect(JSON.stringify(roster).length).toBeLessThan(MAX_MESSAGE_LENGTH / 2);
    expect(desk.sent(1).at(-1)).toEqual({ kind: 'roster', roster });
  });

  test('also if a hostile host before it has left it out of its roster, which was full', () => {
    const players = [0, 1, 2, 3].map((i) => ({
      ...ROSTER.players[0],
      slot: slot(i),
      id: `page ${i}`,
      key: keyOf(`page ${i}`),
    }));
    const inherits = { ...ROSTER, host: slot(0), capacity: 4, players };
    const desk = new HostDesk({ slot: slot(4), capacity: 4, inherits });
    expect(isReadable(desk.room.roster)).toBe(true);
    expect(desk.room.roster.players).toHaveLength(5);
  });

  test.each([NaN, -5, -Infinity, Infinity, 1e300])('with a round trip of %d ms', (roundTripMs) => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.roundTripMs = roundTripMs;
    desk.run(3000);
    expect(isReadable(desk.room.roster)).toBe(true);
  });
});

describe('[F1.7] a guest that changes its profile in every message', () => {
  /** Rosters that another guest gets within ten seconds, while this one sends 18 voices a second. */
  function rostersIn10s(voices: readonly ('on' | 'muted')[]): number {
    const desk = new HostDesk();
    desk.admit(1);
    desk.admit(2);
    desk.run(1000);
    desk.sent(2);
    for (let i = 0; i < 180; i++) {
      desk.send(1, speaks(voices[i % voices.length]));
      desk.run(1000 / 18);
    }
    expect(desk.presence(1)).toBe('here');
    return desk.sent(2).filter(({ kind }) => kind === 'roster').length;
  }

  test('makes at most ten rosters a second', () => {
    const rosters = rostersIn10s(['on', 'muted']);
    expect(rosters).toBeGreaterThan(50);
    expect(rosters).toBeLessThanOrEqual(100);
  });

  test('makes one if it always says the same', () => {
    expect(rostersIn10s(['on'])).toBe(1);
  });

  test('is still heard of: its last voice is in the roster soon', () => {
    const desk = new HostDesk();
    desk.admit(1);
    for (const voice of ['on', 'muted', 'on', 'muted'] as const) desk.send(1, speaks(voice));
    desk.run(150);
    expect(desk.room.roster.players[1].voice).toBe('muted');
  });
});

describe('[P1] a page has one seat, whatever keys it has', () => {
  test('also while the seat of its first key waits for it', () => {
    const desk = new HostDesk({ capacity: MAX_ROOM_PLAYERS });
    const seated: string[] = [];
    for (let line = 1; line < 5; line++) {
      const answer = desk.greet(line, {}, { page: 'Eve', key: keyOf(`Eve ${line}`) });
      if (answer?.kind === 'welcome') seated.push(`Eve ${line}`);
      desk.room.lineClosed(line as LineId);
      desk.tick();
    }
    expect(seated).toEqual(['Eve 1']);
    expect(desk.room.roster.players).toHaveLength(2);
    expect(desk.room.rejected).toEqual({ 'second seat': 3 });
    expect(desk.admit(6, {}, { page: 'Eve', key: keyOf('Eve 1') }).slot).toBe(1);
  });

  test('and takes no seat of a page that is away by having its id', () => {
    const desk = new HostDesk();
    desk.admit(1, {}, { page: 'Ada', key: keyOf('Ada') });
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    expect(desk.greet(2, {}, { page: 'Ada', key: keyOf('Eve') })).toBeUndefined();
    expect(desk.admit(3, {}, { page: 'Ada again', key: keyOf('Ada') }).slot).toBe(1);
  });
});

describe('[F1.1] what a host keeps of pages that come and go', () => {
  test('is no more than 1,024 removals', () => {
    const removed = new RemovedPlayers();
    for (let i = 0; i < 5000; i++) removed.add(keyOf(`${i}`));
    expect(removed.has(keyOf('4999'))).toBe(true);
    expect(removed.has(keyOf('3976'))).toBe(true);
    expect(removed.has(keyOf('3975'))).toBe(false);
  });
});
