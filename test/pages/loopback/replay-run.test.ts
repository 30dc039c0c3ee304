import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { TICK_RATE } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import { Playback } from '../../../src/core/peer/recording/playback.ts';
import { Recorder } from '../../../src/core/peer/recording/recorder.ts';
import type { Recording } from '../../../src/core/peer/recording/recording.ts';
import { readRecording } from '../../../src/core/peer/recording/recording.ts';
import { ReplayRun } from '../../../src/pages/loopback/replay-run.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { gameLevels } from '../../../src/levels/levels.ts';

const HOST = 0 as Slot;
const STEPS = 3 * TICK_RATE;
const ALWAYS = (): boolean => true;

let recording: Recording;
/** The host's tick and its complete inspection, after each step of the recorded room. */
const recorded: unknown[] = [null];
let run: ReplayRun;

beforeAll(async () => {
  await loadPhysics();
  const recorder = new Recorder();
  const scene = { id: 'grid', seed: 1, count: 6 } as const;
  const room = new RoomHarness(
    { players: 2, scene, bots: 'chaos', seed: 2, conditions: {}, quietFrom: Infinity, recorder },
    createRapierSimulation,
  );
  for (let step = 1; step <= STEPS; step++) {
    room.step();
    recorded.push(structuredClone(inspect(room.peers[HOST])));
  }
  room.dispose();
  const read = readRecording(recorder.finish(), gameLevels);
  if (typeof read === 'string') throw new Error(read);
  recording = read;
});

beforeEach(() => {
  run = new ReplayRun(recording.seconds, () => new Playback(recording, createRapierSimulation));
  onTestFinished(() => run.dispose());
});

function shown(): unknown {
  const played = run.playback.played.get(HOST);
  return played === undefined ? null : inspect(played.peer);
}

describe('a replayed recording', () => {
  test('starts paused at its first step', () => {
    run.advance(1, ALWAYS);
    expect(run.steps).toBe(STEPS);
    expect(run.place).toEqual({ at: 1, wanted: 1 });
    expect(run.isPlaying).toBe(false);
    expect(shown()).toEqual(recorded[1]);
  });

  test.each([
    ['on', [100]],
    ['back', [150, 20]],
    ['to and fro', [60, 59, 61, 1, STEPS]],
    ['before the start', [50, -5]],
    ['past the end', [STEPS + 100]],
  ])('goes %s, and shows what was there', (_, steps) => {
    for (const step of steps) {
      run.seek(step);
      run.advance(0, ALWAYS);
      expect(shown()).toEqual(recorded[Math.min(STEPS, Math.max(1, step))]);
    }
  });

  test('takes several frames for a long way, and shows its progress', () => {
    run.seek(90);
    run.advance(0, () => run.place.at < 30);
    expect(run.place).toEqual({ at: 30, wanted: 90 });
    run.advance(0, ALWAYS);
    expect(run.place).toEqual({ at: 90, wanted: 90 });
  });

  test('takes several frames for a long step, and has nothing to draw within it', () => {
    let frames = 0;
    for (; run.place.at < 1; frames++) {
      expect(run.isReady).toBe(false);
      run.advance(0, () => false);
    }
    expect(frames).toBeGreaterThan(3);
    expect(run.isReady).toBe(true);
    expect(shown()).toEqual(recorded[1]);
  });

  test('plays at the speed of the recording, drawn between two steps, and stops at its end', () => {
    run.seek(10);
    run.advance(0, ALWAYS);
    expect(run.alpha).toBe(1);
    run.play();
    // 60 ticks and a half.
    run.advance(60.5 / TICK_RATE, ALWAYS);
    expect(run.place).toEqual({ at: 71, wanted: 71 });
    expect(run.alpha).toBeCloseTo(0.5);
    run.pause();
    expect(run.alpha).toBe(1);
    run.play();
    run.advance(10, ALWAYS);
    expect(run.place.at).toBe(STEPS);
    expect(run.isPlaying).toBe(false);
    expect(shown()).toEqual(recorded[STEPS]);
    run.play();
    run.advance(0, ALWAYS);
    expect(run.place.at).toBe(1);
    expect(run.isPlaying).toBe(true);
  });

  test('does not get ahead of the steps on a slow machine', () => {
    run.advance(0, ALWAYS);
    run.play();
    run.advance(0.5, () => false);
    const { wanted } = run.place;
    for (let frame = 0; frame < 10; frame++) run.advance(0.1, () => false);
    expect(run.place.wanted).toBe(wanted);
  });
});
