import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import type { Spawn } from '../../../../src/core/peer/actions/spawning.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { Playback } from '../../../../src/core/peer/recording/playback.ts';
import { Recorder } from '../../../../src/core/peer/recording/recorder.ts';
import { readRecording } from '../../../../src/core/peer/recording/recording.ts';
import type { Level } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { referTo } from '../../../../src/core/world/level-reference.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';

const HOST = 0 as Slot;

beforeAll(loadPhysics);

/** A level of one ball, in which each player may spawn two more. */
function balls(): Level {
  const template = { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius: 0.3 } } as const;
  const start = { position: vector(0, 1, 0), rotation: quaternion() };
  const level = flatLevel('balls', [{ template, start }]);
  return {
    ...level,
    spawning: { slots: MAX_ROOM_PLAYERS, perPlayer: 2, perSecond: 20, templates: [template] },
  };
}

test('a recording has the spawns that happened, and no wish that cannot be written', () => {
  const level = balls();
  const recorder = new Recorder();
  const reference = referTo({ id: 'balls', seed: 1 }, level);
  const own = recorder.begin({ slot: HOST, host: HOST, name: '', level: reference });
  const simulation = createRapierSimulation(level);
  onTestFinished(() => simulation.dispose());
  const peer = new Peer({ slot: HOST, host: HOST, level, simulation, recorder: own });
  recorder.at(0);
  const [template] = level.templates;
  const pose = { position: vector(5, 1, 0), rotation: quaternion() };
  const wish: Spawn = { template, pose, linear: vector(), angular: vector() };
  expect(peer.spawn({ ...wish, linear: vector(NaN) })).toBe('bounds');
  expect(peer.spawn({ ...wish, template: { ...template } })).toBe('no template');
  expect(peer.despawn(0.5 as BodyId)).toBe('no body');
  expect([peer.spawn(wish), peer.spawn(wish), peer.spawn(wish)]).toEqual([1, 2, 'too many']);
  expect(peer.despawn(1 as BodyId)).toBe(null);
  peer.tick(playerInput());

  const recording = readRecording(recorder.finish(), balls);
  if (typeof recording === 'string') throw new Error(recording);
  const playback = new Playback(recording, createRapierSimulation);
  onTestFinished(() => playback.dispose());
  playback.step();
  const { bodies } = playback.played.get(HOST)?.peer.state ?? {};
  expect(bodies?.records.existence).toEqual(peer.state.bodies.records.existence);
  expect(bodies?.records.state).toEqual(peer.state.bodies.records.state);
});
