import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { Roster } from '../../../src/core/room/messages.ts';
import type { VoiceState } from '../../../src/core/room/profile.ts';
import type { VoiceSpace } from '../../../src/sound/voice-space.ts';
import type { CallEvents } from '../../../src/transport/webrtc/calls.ts';
import { Voices } from '../../../src/pages/room/network/voices.ts';
import type { GameSession } from '../../../src/pages/room/session/session.ts';
import { keyOf } from '../../support/keys.ts';

const CODE = 'KQXMT' as RoomCode;

/** A room of two, of which this page is the first, and what its voices ask for. */
function roomOf(capacity: number, voice: VoiceState, hasVoiceServer = true) {
  const players = [0, 1].map((slot) => ({
    slot: slot as Slot,
    id: `page ${slot}`,
    presence: 'here' as const,
    name: '',
    voice: slot === 1 ? voice : ('off' as const),
    hands: 'pointer' as const,
    roundTripMs: 0,
    key: keyOf(`page ${slot}`),
  }));
  const roster: Roster = {
    host: 31 as Slot,
    capacity,
    locked: false,
    players,
    term: 0,
    epoch: 0,
    signature: null,
  };
  const asked: { called: readonly string[]; wanted: unknown } = { called: [], wanted: undefined };
  const events: ((handlers: CallEvents) => void)[] = [];
  const poll = (handlers: CallEvents): void => events.splice(0).forEach((report) => report(handlers));
  const nothing = { poll: () => undefined, connections: () => [] };
  const session = {
    roster: roster as Roster | null,
    slot: 0 as Slot,
    code: CODE,
    station: {
      calls: { ...nothing, update: (_: unknown, ids: readonly string[]) => (asked.called = ids) },
      serverCalls: hasVoiceServer
        ? { ...nothing, poll, isSpeaking: false, update: (wanted: unknown) => (asked.wanted = wanted) }
        : null,
    },
  };
  const played: (MediaStream | undefined)[] = [];
  const space = {
    add: (slot: Slot, stream: MediaStream) => (played[slot] = stream),
    remove: (slot: Slot) => (played[slot] = undefined),
    setMuted: () => undefined,
  };
  const voices = new Voices(session as unknown as GameSession, space as unknown as VoiceSpace);
  voices.tick(1000);
  /** The page in slot 1 has another id, as after a reload. */
  const rename = (id: string): void => {
    session.roster = { ...roster, players: [players[0], { ...players[1], id }] };
  };
  return { asked, voices, events, played, rename };
}

test('[N8.5] pages of a room for eight call one another, and those of a large one call nobody', () => {
  expect(roomOf(8, 'on').asked).toEqual({ called: ['page 1'], wanted: null });
  expect(roomOf(9, 'on').asked).toEqual({ called: [], wanted: { code: CODE, stream: null } });
});

test('[N8.7] a page asks for the voices of a large room only while somebody’s voice is on or muted', () => {
  expect(roomOf(9, 'muted').asked.wanted).toEqual({ code: CODE, stream: null });
  expect(roomOf(9, 'off').asked.wanted).toBeNull();
});

test('[N8.5] without a voice server a large room has no voice, and its pages say so at once', async () => {
  const { asked, voices } = roomOf(9, 'on', false);
  expect(asked.called).toEqual([]);
  expect(voices.own).toEqual({ kind: 'failed', failure: 'large room' });
  await voices.turnOn();
  expect(voices.isOn).toBe(false);
  expect(roomOf(8, 'on', false).voices.own).toEqual({ kind: 'off' });
});

describe('a player whose page has another id', () => {
  const [before, after] = ['before', 'after'] as unknown as readonly MediaStream[];

  test('is heard by its new voice, though that came before the roster', () => {
    const { voices, events, played, rename } = roomOf(9, 'on');
    events.push(({ started }) => started('another page', after));
    voices.tick(1016);
    expect(played[1]).toBeUndefined();
    rename('another page');
    voices.tick(1032);
    expect(played[1]).toBe(after);
  });

  test('is heard no more by its old voice, whose line may carry another player’s soon', () => {
    const { voices, events, played, rename } = roomOf(9, 'on');
    events.push(({ started }) => started('page 1', before));
    voices.tick(1016);
    expect(played[1]).toBe(before);
    rename('another page');
    voices.tick(1032);
    expect(played[1]).toBeUndefined();
    events.push(({ ended }) => ended('page 1'));
    events.push(({ started }) => started('another page', after));
    voices.tick(1048);
    expect(played[1]).toBe(after);
  });
});
