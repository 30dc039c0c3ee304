import { describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH } from '../../../src/core/room/fields.ts';
import {
  DEDICATED_SLOT,
  MAX_PLAYERS,
  MAX_ROOM_PLAYERS,
  MAX_SERVER_ROOM_PLAYERS,
} from '../../../src/core/base/constants.ts';
import type { GuestMessage, HostMessage } from '../../../src/core/room/messages.ts';
import {
  readGuestMessage,
  readHostMessage,
  readLevelRecipe,
  writeMessage,
} from '../../../src/core/room/messages.ts';
import { GUEST_MESSAGES, HOST_MESSAGES, JOIN, ROSTER, slot, speaks } from './samples.ts';
import { faultsOf } from './simulated/soundness.ts';

const [WELCOME, REFUSE, , SCENE] = HOST_MESSAGES;
const [, AWAY] = ROSTER.players;

function readGuest(message: object): GuestMessage | null {
  return readGuestMessage(JSON.stringify(message));
}

function readHost(message: object): HostMessage | null {
  return readHostMessage(JSON.stringify(message));
}

describe('[W1] a room message', () => {
  test.each(GUEST_MESSAGES)('of a guest is read as it was written: $kind', (message) => {
    expect(readGuestMessage(writeMessage(message))).toEqual(message);
    expect(faultsOf(message)).toEqual([]);
  });

  test.each(HOST_MESSAGES)('of a host is read as it was written: $kind', (message) => {
    expect(readHostMessage(writeMessage(message))).toEqual(message);
    expect(faultsOf(message)).toEqual([]);
  });

  test('of the wrong side is rejected', () => {
    for (const message of HOST_MESSAGES.filter(({ kind }) => !['bye', 'standing'].includes(kind)))
      expect(readGuest(message)).toBeNull();
    for (const message of GUEST_MESSAGES.filter(({ kind }) => kind !== 'standing'))
      expect(readHost(message)).toBeNull();
  });

  test('with every field at its longest is read', () => {
    const players = Array.from({ length: MAX_ROOM_PLAYERS }, (_, i) => ({
      ...AWAY,
      slot: slot(i),
      name: '"'.repeat(32),
      id: 'x'.repeat(64),
    }));
    const roster = { ...ROSTER, capacity: MAX_ROOM_PLAYERS, players };
    const welcome = { ...WELCOME, door: 'x'.repeat(64), roster } as HostMessage;
    expect(writeMessage(welcome).length).toBeLessThan(MAX_MESSAGE_LENGTH);
    expect(readHostMessage(writeMessage(welcome))).toEqual(welcome);
  });

  test('[N8.1] is read of a large room, with every field at its longest', () => {
    const players = Array.from({ length: MAX_PLAYERS }, (_, i) => ({
      ...AWAY,
      slot: slot(i),
      name: '"'.repeat(32),
      id: 'x'.repeat(64),
    }));
    const roster = { ...ROSTER, host: slot(DEDICATED_SLOT), capacity: MAX_SERVER_ROOM_PLAYERS, players };
    const welcome = { ...WELCOME, door: 'x'.repeat(64), roster } as HostMessage;
    expect(writeMessage(welcome).length).toBeLessThan(MAX_MESSAGE_LENGTH);
    expect(readHostMessage(writeMessage(welcome))).toEqual(welcome);
    const under = (changed: object): unknown =>
      readHost({ kind: 'roster', roster: { ...roster, ...changed } });
    expect(under({})).not.toBeNull();
    expect(under({ host: 0 }), 'a person is its host').toBeNull();
    expect(under({ capacity: MAX_PLAYERS }), 'more than there are slots').toBeNull();
    expect(under({ capacity: 30 }), 'more than its capacity').toBeNull();
    expect(
      readHost({ ...welcome, slot: slot(20), roster: { ...roster, players: players.slice(-1) } }),
    ).not.toBeNull();
    const room = { ...roster, capacity: 8, players: players.slice(-1) };
    expect(
      readHost({ ...welcome, slot: slot(20), roster: room }),
      'a seat that a small room has not',
    ).toBeNull();
    const small = [players[DEDICATED_SLOT], players[8]];
    expect(under({ capacity: 8, players: small }), 'a slot of large rooms in a small one').toBeNull();
    expect(under({ capacity: 9, players: small })).not.toBeNull();
  });

  test('that is too long to be read is not written', () => {
    expect(() => writeMessage({ ...JOIN, name: 'x'.repeat(MAX_MESSAGE_LENGTH) })).toThrow(/characters/);
  });

  test.each(['Ada\u202e', ' Ada\n', 'A\u0000da', 'Ada\ud800', '\u200bAda'])(
    'has names as they may be shown: %j',
    (name) => {
      expect(readGuest({ ...JOIN, name })).toMatchObject({ name: 'Ada' });
    },
  );

  test('is read with defaults where optional fields make no sense', () => {
    expect(readGuest({ ...JOIN, colour: 32 })).toMatchObject({ colour: null });
    for (const keeps of [undefined, [], 7, { ...JOIN.keeps, connection: -1 }, { ...JOIN.keeps, term: 65536 }])
      expect(readGuest({ ...JOIN, keeps })).toMatchObject({ keeps: null });
    expect(readHost({ kind: 'roster', roster: { ...ROSTER, locked: 1 } })).toMatchObject({
      roster: { locked: false },
    });
    for (const why of [undefined, 7, 'another reason'])
      expect(readHost({ ...SCENE, why })).toEqual({ ...SCENE, why: 'choice' });
  });
});

describe('[F1] a text that makes no sense is rejected', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['half of one', JSON.stringify(JOIN).slice(0, 40)],
    ['no JSON', '{kind: "bye"}'],
    ['a list', '[{"kind":"bye"}]'],
    ['a word', '"bye"'],
    ['null', 'null'],
    ['a number', '1e999'],
    ['no kind', '{}'],
    ['an unknown kind', '{"kind":"shout"}'],
    ['a kind that is no text', '{"kind":["bye"]}'],
    ['a kind that every object has', '{"kind":"constructor"}'],
    ['a kind in the prototype', '{"__proto__":{"kind":"bye","reason":"removed"}}'],
    ['one that is nested too deeply', '['.repeat(8000)],
    [
      'one that is too long',
      JSON.stringify({ kind: 'bye', reason: 'removed', more: 'x'.repeat(MAX_MESSAGE_LENGTH) }),
    ],
    ['a megabyte', JSON.stringify({ kind: 'bye', reason: 'removed', more: 'x'.repeat(1 << 20) })],
  ];
  test.each(texts)('%s', (_, text) => {
    expect(readGuestMessage(text)).toBeNull();
    expect(readHostMessage(text)).toBeNull();
  });

  const player = (change: object): object => ({
    roster: { ...ROSTER, players: [ROSTER.players[0], { ...AWAY, ...change }] },
  });
  const wrong: readonly (readonly [string, object, object])[] = [
    ['name', JOIN, { name: 'x'.repeat(33) }],
    ['name', JOIN, { name: 7 }],
    ['voice', speaks('on'), { voice: 'loud' }],
    ['voice', speaks('on'), { voice: 'toString' }],
    ['hands', speaks('on'), { hands: 'paws' }],
    ['name of a profile', speaks('on'), { name: 'x'.repeat(33) }],
    ['slot', WELCOME, { slot: 1.5 }],
    ["slot, which is the host's", WELCOME, { slot: ROSTER.host }],
    ['door', WELCOME, { door: {} }],
    ['door', { kind: 'door' }, { door: 'x'.repeat(65) }],
    ['lineage', WELCOME, { lineage: null }],
    ['lineage', { kind: 'elsewhere' }, { lineage: { founder: 'somebody' } }],
    ['connection', WELCOME, { connection: 2 ** 31 }],
    ['connection', WELCOME, { connection: null }],
    ['rate', SCENE, { level: { id: 'pile', seed: 1, hash: '0'.repeat(20), rate: 29 } }],
    ['rate', SCENE, { level: { id: 'pile', seed: 1, hash: '0'.repeat(20), rate: 60.5 } }],
    ['level', WELCOME, { level: { name: 'moon', seed: 1 } }],
    ['level', WELCOME, { level: { name: 'hasOwnProperty', seed: 1 } }],
    ['seed', SCENE, { level: { id: 'pile', seed: 2 ** 32 } }],
    ['count', SCENE, { level: { id: 'grid', seed: 1, count: 0 } }],
    ['count', SCENE, { level: { id: 'grid', seed: 1, count: 4097 } }],
    ['roster', WELCOME, { roster: null }],
    ['host', WELCOME, { roster: { ...ROSTER, host: 9 } }],
    ['host, who is not there', WELCOME, { roster: { ...ROSTER, host: 3 } }],
    ['capacity', WELCOME, { roster: { ...ROSTER, capacity: 9 } }],
    ['capacity for so many', WELCOME, { roster: { ...ROSTER, capacity: 1 } }],
    ['players', WELCOME, { roster: { ...ROSTER, players: {} } }],
    ['players, of whom two have one slot', WELCOME, player({ slot: 1 })],
    ['players in their thousands', WELCOME, { roster: { ...ROSTER, players: Array(2000).fill(0) } }],
    ["player's slot", WELCOME, player({ slot: -1 })],
    ["player's name", WELCOME, player({ name: null })],
    ["player's id", WELCOME, player({ id: 5 })],
    ["player's presence", WELCOME, player({ presence: 'gone' })],
    ["player's voice", WELCOME, player({ voice: true })],
    ["player's key", WELCOME, player({ key: 'x'.repeat(87) })],
    ['term of a roster', WELCOME, { roster: { ...ROSTER, term: 65536 } }],
    ['epoch of a roster', WELCOME, { roster: { ...ROSTER, epoch: -1 } }],
    ["player's round trip", WELCOME, player({ roundTripMs: 65536 })],
    ["player's round trip", WELCOME, player({ roundTripMs: 0.5 })],
    ['refusal', REFUSE, { reason: 'rude' }],
    ['refusal’s version', REFUSE, { version: 65536 }],
    ['ending', { kind: 'bye' }, { reason: 'over' }],
    ['return', { kind: 'bye' }, { returns: 'soon' }],
  ];
  test.each(wrong)('a wrong %s', (_, right, change) => {
    const text = JSON.stringify({ ...right, ...change });
    expect(readHostMessage(text)).toBeNull();
    expect(readGuestMessage(text)).toBeNull();
  });

  test('a level that can’t be built', () => {
    for (const level of [undefined, null, 'pile', {}, { name: 'pile' }, { id: 'pile', seed: '1' }]) {
      expect(readLevelRecipe(level)).toBeNull();
    }
  });
});
