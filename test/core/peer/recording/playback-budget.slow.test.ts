import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_BODIES, MAX_PLAYERS } from '../../../../src/core/base/constants.ts';
import { inspect } from '../../../../src/core/peer/diagnostics/inspect.ts';
import { Playback } from '../../../../src/core/peer/recording/playback.ts';
import { EVENTS, Recorder, SLOT_STEP } from '../../../../src/core/peer/recording/recorder.ts';
import type { Recording } from '../../../../src/core/peer/recording/recording.ts';
import { readRecording } from '../../../../src/core/peer/recording/recording.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { wrapFile } from '../../../../src/core/wire/files/file.ts';
import { chooseLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { RoomHarness } from '../../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { ByteWriter } from '../../../../src/core/wire/files/bytes.ts';
import { codeReference } from '../../../../src/core/wire/files/saved-world.ts';

const HOST = 0 as Slot;
/** Beginnings of the greatest worlds in one step of the hostile file. */
const BEGINNINGS = 20;
/** Milliseconds that it may take on a busy machine. */
const PATIENCE = 120_000;

beforeAll(loadPhysics);

/** A recording of one moment with these events. */
function fileOf(events: readonly number[]): Uint8Array {
  const moment = [EVENTS.time, 0, 0, 0, 0, 0, 0, 0, 0];
  return wrapFile('recording', Uint8Array.from([PROTOCOL_VERSION, 0, ...events, ...moment]));
}

/** The event that begins a peer in a world of so many cubes. */
function begun(count: number): number[] {
  const writer = new ByteWriter();
  codeReference(writer, chooseLevel({ id: 'grid', seed: 1, count }));
  return [EVENTS.begin, 0, 0, 1, ...writer.finish()];
}

function opened(file: Uint8Array): Recording {
  const recording = readRecording(file, gameLevels);
  if (typeof recording === 'string') throw new Error(recording);
  return recording;
}

describe('[F1.8] a playback', () => {
  test(
    'of 1,300 bytes that begin 20 worlds of 4,096 cubes begins one at a time',
    { timeout: PATIENCE },
    () => {
      const file = fileOf(Array.from({ length: BEGINNINGS }, () => begun(MAX_BODIES)).flat());
      expect(file.length).toBeLessThan(1300);
      let made = 0;
      const playback = new Playback(opened(file), (level) => {
        made++;
        return createRapierSimulation(level);
      });
      onTestFinished(() => playback.dispose());
      for (let call = 1; call <= BEGINNINGS; call++) {
        expect(playback.step(() => false)).toBe(true);
        expect(made).toBe(call);
        expect([playback.isWithinStep, playback.steps]).toEqual([true, 0]);
      }
      expect(playback.step(() => false)).toBe(true);
      expect([playback.isWithinStep, playback.steps, made]).toEqual([false, 1, BEGINNINGS]);
      expect(playback.step(() => false)).toBe(false);
      expect(playback.played.size).toBe(1);
    },
  );

  test('that stops after every event comes to the same, bit for bit', () => {
    const recorder = new Recorder();
    const room = new RoomHarness(
      {
        players: 2,
        scene: chooseLevel({ id: 'grid', seed: 1, count: 6 }),
        bots: 'chaos',
        seed: 2,
        conditions: {},
        quietFrom: Infinity,
        recorder,
      },
      createRapierSimulation,
    );
    onTestFinished(() => room.dispose());
    for (let step = 0; step < 60; step++) room.step();
    const playback = new Playback(opened(recorder.finish()), createRapierSimulation);
    onTestFinished(() => playback.dispose());
    let calls = 0;
    while (playback.step(() => false)) calls++;
    expect(calls).toBeGreaterThan(4 * 60);
    expect([playback.steps, playback.partedAt]).toEqual([60, null]);
    const played = playback.played.get(HOST)?.peer;
    expect(played && inspect(played)).toEqual(inspect(room.peers[HOST]));
  });
});

describe('[F1.8] a recording', () => {
  const polled = [...begun(1), EVENTS.poll, 1];
  const [skipped, sent] = [
    [EVENTS.skip, 1],
    [EVENTS.sent, 1, 0, 0],
  ];
  const most = 2 * (MAX_PLAYERS - 1);

  test.each([skipped, sent])(
    'may have a poll with packets to all others, but no more: event %d',
    (...event) => {
      const repeated = (count: number): number[] => Array.from({ length: count }, () => event).flat();
      expect(readRecording(fileOf([...polled, ...repeated(most)]), gameLevels)).toBeTypeOf('object');
      expect(readRecording(fileOf([...polled, ...repeated(most + 1)]), gameLevels)).toBe('damaged');
      const twice = [...polled, ...repeated(most), EVENTS.poll, 1, ...repeated(most)];
      expect(readRecording(fileOf(twice), gameLevels)).toBeTypeOf('object');
    },
  );

  test('may have a poll of each peer', () => {
    const other = begun(1).with(0, EVENTS.begin + SLOT_STEP);
    expect(
      readRecording(fileOf([...polled, ...skipped, ...other, EVENTS.poll + SLOT_STEP, 1]), gameLevels),
    ).toBeTypeOf('object');
  });
});
