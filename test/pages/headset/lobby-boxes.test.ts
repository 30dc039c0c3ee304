import { describe, expect, test } from 'vitest';
import { MAX_NAME_BYTES } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { readRoomCode, ROOM_CODE_LENGTH } from '../../../src/core/room/code.ts';
import type { JoinProgress, JoinStep } from '../../../src/core/room/line.ts';
import { LEVEL_IDS, chooseLevel } from '../../../src/levels/levels.ts';
import type { LobbyChoice, LobbyPanelModel } from '../../../src/pages/headset/panel/lobby-boxes.ts';
import { LOBBY_UNITS, lobbyBoxes } from '../../../src/pages/headset/panel/lobby-boxes.ts';
import type { BusyStep, Failure } from '../../../src/pages/room/sentences.ts';
import { FAILURES, JOIN_STEPS } from '../../../src/pages/room/sentences.ts';
import { faultsOf, press, reachable, wordsOf } from './boxes.ts';

const IDLE: LobbyPanelModel = {
  profile: { name: 'W'.repeat(MAX_NAME_BYTES), colour: 4 as Slot },
  code: '',
  state: { kind: 'idle' },
  lastWorld: null,
  leftRoom: null,
};
const LAST_WORLD = { level: chooseLevel({ id: 'tower', seed: 1 }), savedAt: 0, cubes: 20 } as const;
const LEFT_ROOM = { code: 'WWWWW' as RoomCode };
const CHOICE: LobbyChoice = { scene: 'tower', code: '' };
const steps = Object.keys(JOIN_STEPS) as JoinStep[];
const failures = Object.keys(FAILURES) as Failure[];

function failed(failure: Failure): LobbyPanelModel {
  return { ...IDLE, code: 'KQXMT', state: { kind: 'failed', failure } };
}

function busy(step: BusyStep, progress: JoinProgress | null = null): LobbyPanelModel {
  return { ...IDLE, code: 'KQXMT', state: { kind: 'busy', step, progress } };
}

describe('the lobby in a headset', () => {
  test('fits, in each of its states', () => {
    const models = [
      IDLE,
      { ...IDLE, lastWorld: LAST_WORLD },
      { ...IDLE, leftRoom: LEFT_ROOM },
      { ...busy('looking'), leftRoom: LEFT_ROOM },
      busy('opening'),
      busy('looking'),
      ...steps.flatMap((step) => [
        busy('looking', { step, forMs: 29_999 }),
        busy('ordering', { step, forMs: 29_999 }),
      ]),
      busy('loading'),
      ...failures.map(failed),
    ];
    const all = models.flatMap((model) =>
      ['', 'KQ', 'KQXMT', 'BILOS'].map((code) => lobbyBoxes(model, { ...CHOICE, code })),
    );
    expect(all.flatMap((boxes) => faultsOf(boxes, LOBBY_UNITS))).toEqual([]);
  });

  test('starts a room with any of the scenes', () => {
    const boxes = lobbyBoxes(IDLE, CHOICE);
    expect(press(boxes, 'Start a room')).toEqual({ kind: 'start', scene: 'tower' });
    const scenes = reachable(boxes, LOBBY_UNITS).flatMap((each) =>
      each.kind === 'scene' ? [each.scene] : [],
    );
    expect(scenes.sort()).toEqual([...LEVEL_IDS].sort());
  });

  test('continues the last world, if there is one', () => {
    const boxes = lobbyBoxes({ ...IDLE, lastWorld: LAST_WORLD }, CHOICE);
    expect(press(boxes, 'Continue')).toEqual({ kind: 'continue' });
    expect(press(boxes, 'Start a room')).toEqual({ kind: 'start', scene: 'tower' });
    expect(wordsOf(lobbyBoxes(IDLE, CHOICE))).not.toContain('Continue');
  });

  test('leads back to the room that was left, if there is one', () => {
    expect(press(lobbyBoxes({ ...IDLE, leftRoom: LEFT_ROOM }, CHOICE), 'Back to room WWWWW')).toEqual({
      kind: 'back',
    });
    expect(wordsOf(lobbyBoxes(IDLE, CHOICE))).not.toContain('Back to');
    expect(wordsOf(lobbyBoxes({ ...busy('looking'), leftRoom: LEFT_ROOM }, CHOICE))).not.toContain('Back to');
  });

  test('writes any code, letter by letter, and joins', () => {
    const keys = reachable(lobbyBoxes(IDLE, CHOICE), LOBBY_UNITS).flatMap((each) =>
      each.kind === 'letter' ? [each.letter] : [],
    );
    // The letters that codes can have: a code of five times the same letter is valid for each of them.
    const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ').filter(
      (letter) => readRoomCode(letter.repeat(ROOM_CODE_LENGTH)) !== null,
    );
    expect(keys.sort()).toEqual(letters);
    expect(press(lobbyBoxes(IDLE, { ...CHOICE, code: 'KQXM' }), 'Join')).toBeNull();
    const full = lobbyBoxes(IDLE, { ...CHOICE, code: 'KQXMT' });
    expect(press(full, 'Join')).toEqual({ kind: 'join', code: 'KQXMT' });
    expect(press(full, 'A')).toBeNull();
    expect(press(full, 'Delete')).toEqual({ kind: 'erase' });
    expect(press(lobbyBoxes(IDLE, CHOICE), 'Delete')).toBeNull();
  });

  test('does not join with an invalid code from a link', () => {
    expect(press(lobbyBoxes(IDLE, { ...CHOICE, code: 'BILOS' }), 'Join')).toBeNull();
  });

  test('says what keeps it busy, and can cancel it', () => {
    expect(wordsOf(lobbyBoxes(busy('looking'), CHOICE))).toContain('Looking for room K Q X M T…');
    for (const step of ['opening', 'ordering', 'looking', 'loading'] as const) {
      expect(press(lobbyBoxes(busy(step), CHOICE), 'Cancel')).toEqual({ kind: 'cancel' });
    }
  });

  test.each(steps)('[F5.2] says what it tries to come in, and for how long, and can stop: %s', (step) => {
    const boxes = lobbyBoxes(busy('looking', { step, forMs: 7900 }), CHOICE);
    expect(wordsOf(boxes)).toContain(JOIN_STEPS[step]);
    expect(wordsOf(boxes)).toContain('Trying for 7\u00a0s, and for 30\u00a0s at most.');
    expect(press(boxes, 'Cancel')).toEqual({ kind: 'cancel' });
  });

  test.each(failures)('[F5.1] says what happened and what to do: %s', (failure) => {
    const boxes = lobbyBoxes(failed(failure), CHOICE);
    expect(wordsOf(boxes)).toContain('Room K Q X M T');
    expect(wordsOf(lobbyBoxes({ ...failed(failure), code: '' }, CHOICE))).not.toContain('Room K');
    const { title, text, remedy } = FAILURES[failure];
    expect(wordsOf(boxes)).toContain(title);
    expect(wordsOf(boxes)).toContain(text);
    expect(press(boxes, 'Back')).toEqual({ kind: 'cancel' });
    const again = reachable(boxes, LOBBY_UNITS).some(({ kind }) => kind === 'retry');
    expect(again).toBe(remedy !== 'none');
  });

  test('always lets the player leave the headset, and try it alone unless it is busy', () => {
    for (const model of [IDLE, busy('loading'), failed('lost')]) {
      const boxes = lobbyBoxes(model, CHOICE);
      expect(press(boxes, 'Leave the headset')).toEqual({ kind: 'exit' });
      const isAlone = reachable(boxes, LOBBY_UNITS).some(({ kind }) => kind === 'practise');
      expect(isAlone).toBe(model.state.kind !== 'busy');
    }
  });
});
