import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_BODIES, MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { Recorder } from '../../../../src/core/peer/recording/recorder.ts';
import { readRecording } from '../../../../src/core/peer/recording/recording.ts';
import type { SavedWorld } from '../../../../src/core/wire/files/saved-world.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import type { LevelReference, LevelSource } from '../../../../src/core/world/level-reference.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';

const HOST = 0 as Slot;

/** A level of one ball, whose place is the seed, and of so many ids in all. */
function levelOf(seed: number, ids: number): Level {
  const template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } } as const;
  const start = { position: vector(seed / 100, 1, 0), rotation: quaternion() };
  const level = flatLevel('balls', [{ template, start }]);
  return {
    ...level,
    spawning: {
      slots: MAX_ROOM_PLAYERS,
      perPlayer: (ids - 1) / MAX_ROOM_PLAYERS,
      perSecond: 1,
      templates: [template],
    },
  };
}

/** Makes the levels of a recording, and counts how many were made. */
class Source {
  made = 0;
  readonly #ids: number;

  constructor(ids: number) {
    this.#ids = ids;
  }

  readonly levels: LevelSource = ({ seed }) => {
    this.made++;
    return levelOf(seed, this.#ids);
  };

  reference(seed: number): LevelReference {
    return referTo({ id: 'balls', seed }, levelOf(seed, this.#ids));
  }
}

function begin(recorder: Recorder, slot: number, level: LevelReference) {
  return recorder.begin({ slot: slot as Slot, host: HOST, name: '', level });
}

/** The start of a world of so many ids. */
function startOf(level: LevelReference, ids: number): SavedWorld {
  const state = new Int32Array(ids * STRIDE);
  state[1] = 4096;
  state[STATE.largest] = 3;
  const resting = new Uint8Array(ids).fill(1).fill(0, 0, 1);
  return { level, savedAt: 1, existence: new Uint16Array(ids), resting, state };
}

describe('[F1.11] a reader of a recording', () => {
  test.each([
    [4089, 17],
    [9, 256],
  ])('opens no more levels of %d ids than %d', (ids, most) => {
    expect(ids).toBeLessThanOrEqual(MAX_BODIES);
    for (const count of [most, most + 1]) {
      const source = new Source(ids);
      const recorder = new Recorder();
      for (let level = 0; level < count; level++) begin(recorder, 0, source.reference(level));
      recorder.at(0);
      const read = readRecording(recorder.finish(), source.levels);
      if (count === most) expect(read).toBeTypeOf('object');
      else expect(read).toBe('other level');
      expect(source.made).toBe(most);
    }
  });

  test('keeps the level of each slot, and no other', () => {
    const source = new Source(9);
    const [one, other] = [source.reference(1), source.reference(2)];
    const recorder = new Recorder();
    for (const slot of [0, 1, 0]) begin(recorder, slot, one);
    for (const slot of [0, 1, 0]) begin(recorder, slot, other);
    begin(recorder, 0, one);
    recorder.at(0);
    expect(readRecording(recorder.finish(), source.levels)).toBeTypeOf('object');
    expect(source.made).toBe(3);
  });

  test('opens no level for a saved world, which must be of the same content', () => {
    const source = new Source(9);
    const level = source.reference(1);
    for (const saved of [level, { ...level, hash: level.hash.replace(/./g, '0') }, source.reference(2)]) {
      source.made = 0;
      const recorder = new Recorder();
      const peer = begin(recorder, 0, level);
      for (let time = 0; time < 5; time++) {
        recorder.at(time);
        peer.reset(startOf(saved, 9));
      }
      const read = readRecording(recorder.finish(), source.levels);
      if (saved === level) expect(read).toBeTypeOf('object');
      else expect(read).toBe('damaged');
      expect(source.made).toBe(1);
    }
  });
});
