import { describe, expect, test } from 'vitest';
import { MAX_NAME_BYTES } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../src/core/room/identity/key.ts';
import { wristBoxes } from '../../../src/pages/headset/panel/wrist-boxes.ts';
import type { Tab, WristState } from '../../../src/pages/headset/panel/wrist-layout.ts';
import { TABS, WRIST_UNITS } from '../../../src/pages/headset/panel/wrist-layout.ts';
import type { OwnVoice, RoomModel, RoomPlayer } from '../../../src/pages/room/model.ts';
import { USUAL_COMFORT } from '../../../src/input/headset/comfort.ts';
import { UNREACHABLE } from '../../../src/pages/room/sentences.ts';
import { faultsOf, press, reachable, wordsOf } from './boxes.ts';

const HOST = 0 as Slot;
const GUEST = 1 as Slot;

function player(slot: number, part: Partial<RoomPlayer> = {}): RoomPlayer {
  const name = 'W'.repeat(MAX_NAME_BYTES);
  return {
    slot: slot as Slot,
    name,
    presence: 'here',
    voice: 'on',
    roundTripMs: 124,
    level: 0.5,
    mutedHere: false,
    key: '' as PublicKey,
    ...part,
  };
}

const EIGHT = [
  player(0),
  player(1),
  player(2, { mutedHere: true }),
  player(3, { voice: 'muted' }),
  player(4, { presence: 'lost' }),
  player(5, { presence: 'away', voice: 'off' }),
  player(6, { voice: 'off', mutedHere: true }),
  player(7, { name: '', roundTripMs: 0, voice: 'off' }),
];

function room(part: Partial<RoomModel> = {}): RoomModel {
  return {
    code: 'WMWMW',
    link: '',
    ownCertificate: false,
    you: HOST,
    host: HOST,
    capacity: 8,
    locked: false,
    players: EIGHT,
    watching: null,
    scene: 'pyramid',
    voice: { kind: 'off' },
    connection: 'good',
    progress: null,
    reachable: true,
    move: 'impossible',
    reset: null,
    adding: null,
    isPractice: false,
    recording: { kind: 'off', seconds: 0 },
    refusals: {},
    figures: {
      roundTrip: 42,
      playoutDelay: 100,
      payloadUp: 61.2,
      payloadDown: 84,
      socketUp: 112,
      socketDown: NaN,
      skipped: 0,
      path: 'direct',
      tickRate: 60,
    },
    ...part,
  };
}

function state(tab: Tab, part: Partial<WristState> = {}): WristState {
  return {
    tab,
    asked: null,
    writing: null,
    comfort: USUAL_COMFORT,
    microphoneGranted: false,
    bareHands: false,
    ...part,
  };
}

const VOICES: readonly OwnVoice[] = [
  { kind: 'connecting' },
  { kind: 'off' },
  { kind: 'asking' },
  { kind: 'on' },
  { kind: 'muted' },
  { kind: 'failed', failure: 'insecure' },
];
const ASKED: readonly WristState['asked'][] = [
  null,
  { kind: 'reset' },
  { kind: 'scene', scene: 'tower' },
  { kind: 'leave room' },
  { kind: 'remove', slot: GUEST },
];

/** The menu in each of its states. */
const ADDING = { names: ['Ball', 'Cube', 'Plank', 'Drum', 'Cone', 'Table'], out: 1, most: 16, last: 0 };

const ALL = [HOST, GUEST].flatMap((you) =>
  TABS.flatMap((tab) =>
    VOICES.flatMap((voice) =>
      ASKED.flatMap((asked) =>
        [true, false].map((yes) =>
          wristBoxes(
            room({
              you,
              voice,
              locked: yes,
              reachable: !yes,
              connection: yes ? 'lost' : 'good',
              adding: yes ? ADDING : null,
              reset: yes ? { wishes: 12, needed: 16, isYours: voice.kind === 'on' } : null,
            }),
            state(tab, { asked, microphoneGranted: yes, bareHands: yes }),
          ),
        ),
      ),
    ),
  ),
);

describe('the boxes of the menu over the wrist', () => {
  test('fit, for eight players with the longest names', () => {
    expect(ALL.flatMap((boxes) => faultsOf(boxes, WRIST_UNITS))).toEqual([]);
  });

  test('[N8.1] have the own row and a count for more players than there is room for', () => {
    const players = Array.from({ length: 31 }, (_, slot) => player(slot));
    const boxes = wristBoxes(
      room({ players, capacity: 31, you: 20 as Slot, host: 31 as Slot }),
      state('Players'),
    );
    expect(faultsOf(boxes, WRIST_UNITS)).toEqual([]);
    const badges = boxes.flatMap((box) => (box.kind === 'badge' ? [box.slot] : []));
    expect(badges).toEqual([20, 0, 1, 2, 3, 4, 5]);
    expect(wordsOf(boxes)).toContain('and 24 more');
    expect(reachable(boxes, WRIST_UNITS).filter(({ kind }) => kind === 'mute')).toHaveLength(6);
  });

  test('[N8.5] mute nobody in a room that has no voices', () => {
    const voice = { kind: 'failed', failure: 'large room' } as const;
    const boxes = wristBoxes(room({ voice }), state('Players'));
    expect(reachable(boxes, WRIST_UNITS).some(({ kind }) => kind === 'mute')).toBe(false);
  });

  test('lead to every action by some point', () => {
    const found = new Set(
      ALL.flatMap((boxes) => reachable(boxes, WRIST_UNITS)).map((each) => JSON.stringify(each)),
    );
    const wanted: unknown[] = [
      ...TABS.map((tab) => ({ kind: 'tab', tab })),
      { kind: 'close' },
      { kind: 'keep' },
      ...[1, 3, 4].map((slot) => ({ kind: 'mute', slot, muted: true })),
      ...[2, 6].map((slot) => ({ kind: 'mute', slot, muted: false })),
      ...['pile', 'tower', 'wall', 'grid'].map((scene) => ({ kind: 'ask', about: { kind: 'scene', scene } })),
      { kind: 'scene', scene: 'tower' },
      { kind: 'ask', about: { kind: 'reset' } },
      { kind: 'reset' },
      { kind: 'lock', locked: true },
      { kind: 'lock', locked: false },
      ...['on', 'mute', 'unmute'].map((wish) => ({ kind: 'voice', wish })),
      ...[
        { smoothWalking: true },
        { snapDegrees: 30 },
        { snapDegrees: 90 },
        { smoothTurn: true },
        { vignette: false },
        { seated: true },
      ].map((change) => ({ kind: 'comfort', comfort: { ...USUAL_COMFORT, ...change } })),
      ...ADDING.names.map((_, body) => ({ kind: 'add', body })),
      { kind: 'remove last' },
      { kind: 'remove all' },
      { kind: 'leave headset' },
      { kind: 'back' },
      { kind: 'wave' },
      ...[1, 4, 7].map((slot) => ({ kind: 'ask', about: { kind: 'remove', slot } })),
      { kind: 'remove', slot: 1 },
      { kind: 'ask', about: { kind: 'leave room' } },
      { kind: 'leave room' },
    ];
    expect(wanted.map((each) => JSON.stringify(each)).filter((each) => !found.has(each))).toEqual([]);
  });

  test.each(TABS)('show the code and the ways out beside %s', (tab) => {
    const boxes = wristBoxes(room(), state(tab));
    expect(wordsOf(boxes)).toContain('W M W M W');
    expect(press(boxes, 'Leave the headset')).toEqual({ kind: 'leave headset' });
    expect(press(boxes, 'Leave the room')).toEqual({ kind: 'ask', about: { kind: 'leave room' } });
  });

  test("show the network's figures with units, and a dash for unknown figures", () => {
    const words = wordsOf(wristBoxes(room(), state('Network')));
    for (const figure of ['42 ms', '100 ms', '61 kbit/s', '0.0 /s', '60.0 /s', '–'])
      expect(words).toContain(figure);
  });

  test('offer nobody to mute itself', () => {
    const mutes = reachable(wristBoxes(room({ you: GUEST }), state('Players')), WRIST_UNITS);
    expect(mutes.filter((each) => each.kind === 'mute').map((each) => each.slot)).toEqual([
      0, 2, 3, 4, 5, 6, 7,
    ]);
  });

  test('let the host remove others, after a question, and a guest nobody', () => {
    const asks = (you: Slot): unknown[] =>
      reachable(wristBoxes(room({ you }), state('Players')), WRIST_UNITS).flatMap((each) =>
        each.kind === 'ask' && each.about.kind === 'remove' ? [each.about.slot] : [],
      );
    expect(asks(HOST)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(asks(GUEST)).toEqual([]);
    const asked = state('Players', { asked: { kind: 'remove', slot: 7 as Slot } });
    expect(wordsOf(wristBoxes(room(), asked))).toContain('Remove Pink from the room?');
    expect(press(wristBoxes(room(), asked), 'Remove')).toEqual({ kind: 'remove', slot: 7 });
    expect(press(wristBoxes(room(), asked), 'Cancel')).toEqual({ kind: 'keep' });
    // The list is back when that player has left, or this one is no host any more.
    for (const part of [{ players: EIGHT.slice(0, 7) }, { you: GUEST }])
      expect(wordsOf(wristBoxes(room(part), asked))).not.toContain('from the room?');
  });

  test('let the host make another the host that is here, after a question', () => {
    const away = player(2, { presence: 'away' });
    const asks = (you: Slot): unknown[] =>
      reachable(
        wristBoxes(room({ you, players: [...EIGHT.slice(0, 2), away] }), state('Players')),
        WRIST_UNITS,
      )
        .filter((each) => each.kind === 'ask')
        .flatMap(({ about }) => (about.kind === 'make host' ? [about.slot] : []));
    expect(asks(HOST)).toEqual([1]);
    expect(asks(GUEST)).toEqual([]);
    const asked = state('Players', { asked: { kind: 'make host', slot: 7 as Slot } });
    expect(wordsOf(wristBoxes(room(), asked))).toContain('Make Pink the host? You stay in the room.');
    expect(press(wristBoxes(room(), asked), 'Make host')).toEqual({ kind: 'make host', slot: 7 });
    for (const part of [{ you: GUEST }, { players: [...EIGHT.slice(0, 7), player(7, { presence: 'away' })] }])
      expect(wordsOf(wristBoxes(room(part), asked))).not.toContain('Make Pink the host?');
  });

  test('have letters for a name, whose words begin with large ones', () => {
    const board = (writing: string) => wristBoxes(room(), state('Players', { writing }));
    expect(
      press(wristBoxes(room({ players: [player(0, { name: 'Bo' })] }), state('Players')), 'Rename'),
    ).toEqual({
      kind: 'write',
      name: 'Bo',
    });
    for (const writing of ['', 'Ada', 'Ada ', 'W'.repeat(14)])
      expect(faultsOf(board(writing), WRIST_UNITS)).toEqual([]);
    const write = (name: string) => ({ kind: 'write', name });
    expect(press(board(''), 'A')).toEqual(write('A'));
    expect(press(board('Ad'), 'A')).toEqual(write('Ada'));
    expect(press(board('Ada'), 'Space')).toEqual(write('Ada '));
    expect(press(board('Ada '), 'L')).toEqual(write('Ada L'));
    expect(press(board('Zoë'), 'Delete')).toEqual(write('Zo'));
    expect(press(board('Ada '), 'Save')).toEqual({ kind: 'name', name: 'Ada' });
    expect(press(board('Ada'), 'Cancel')).toEqual({ kind: 'keep' });
    const felt = reachable(board('A'.repeat(14)), WRIST_UNITS).filter(({ kind }) => kind === 'write');
    expect(felt).toEqual([write('A'.repeat(13))]);
  });

  test('mark one choice of each comfort setting', () => {
    const chosen = (part: object): string[] =>
      wristBoxes(room(), state('Comfort', { comfort: { ...USUAL_COMFORT, ...part } })).flatMap((box) =>
        box.kind === 'button' && box.look === 'chosen' && box.label !== 'Comfort' ? [box.label] : [],
      );
    expect(chosen({})).toEqual(['Teleport', '45°', 'On', 'Standing']);
    expect(chosen({ smoothTurn: true, seated: true, vignette: false })).toEqual([
      'Teleport',
      'Smooth',
      'Off',
      'Sitting',
    ]);
  });

  test('help with the hands that the player has', () => {
    expect(wordsOf(wristBoxes(room(), state('Help')))).toContain('Trigger');
    const bare = wordsOf(wristBoxes(room(), state('Help', { bareHands: true })));
    expect(bare).toContain('Pinch at the floor');
    expect(bare).not.toContain('Trigger');
    for (const words of [wordsOf(wristBoxes(room(), state('Help'))), bare]) {
      expect(words).toContain('Wave');
      expect(words).toContain('Kick what you point at, up to 4 m away.');
    }
  });

  test('[S5] add bodies where the level allows it, and remove this player’s; elsewhere there is no such tab', () => {
    const adding = ADDING;
    const boxes = wristBoxes(room({ adding }), state('Add'));
    expect(press(boxes, 'Plank')).toEqual({ kind: 'add', body: 2 });
    expect(press(boxes, 'Remove all')).toEqual({ kind: 'remove all' });
    expect(wordsOf(boxes)).toContain('You have added 1 of 16.');
    const none = wristBoxes(room({ adding: { ...adding, out: 0 } }), state('Add'));
    expect(reachable(none, WRIST_UNITS).map(({ kind }) => kind)).not.toContain('remove last');
    expect(wordsOf(wristBoxes(room(), state('Add')))).toEqual(wordsOf(wristBoxes(room(), state('Players'))));
  });

  test('show in practice nothing that needs a room: no names, no removal, no lock', () => {
    const practice = (tab: Tab): ReturnType<typeof wristBoxes> =>
      wristBoxes(room({ isPractice: true }), state(tab));
    const kinds = TABS.flatMap((tab) => reachable(practice(tab), WRIST_UNITS)).map((each) =>
      each.kind === 'ask' ? each.about.kind : each.kind,
    );
    for (const needless of ['write', 'remove', 'lock', 'voice']) expect(kinds).not.toContain(needless);
    expect(kinds).toContain('scene');
    expect(wordsOf(practice('Room'))).not.toContain('join');
    expect(wordsOf(practice('Room'))).not.toContain('Leave the room');
    expect(press(practice('Room'), 'Back to the lobby')).toEqual({
      kind: 'ask',
      about: { kind: 'leave room' },
    });
  });

  test('let a guest change neither scene nor lock, even with an open question from its time as host', () => {
    for (const asked of ASKED.slice(0, 3)) {
      const boxes = wristBoxes(room({ you: GUEST, locked: true }), state('Room', { asked }));
      const kinds = reachable(boxes, WRIST_UNITS).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(['close', 'tab', 'back', 'wave', 'leave headset', 'ask']));
      expect(wordsOf(boxes)).toContain('Pyramid. The host can change it.');
      expect(wordsOf(boxes)).toContain('Nobody new can join');
    }
  });

  test('[F5.1] say why no new player can come in', () => {
    expect(wordsOf(wristBoxes(room({ reachable: false }), state('Room')))).toContain(UNREACHABLE);
  });

  test('offer no microphone if the browser would have to ask', () => {
    const wishes = (microphoneGranted: boolean): unknown[] =>
      reachable(wristBoxes(room(), state('Players', { microphoneGranted })), WRIST_UNITS).filter(
        ({ kind }) => kind === 'voice',
      );
    expect(wishes(false)).toEqual([]);
    expect(wishes(true)).toEqual([{ kind: 'voice', wish: 'on' }]);
    expect(wordsOf(wristBoxes(room(), state('Players')))).toContain('outside the headset');
  });
});
