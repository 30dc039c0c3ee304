import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { Level, Template } from '../../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';

const HOST = 0 as Slot;

beforeAll(loadPhysics);

test('[R1.2] a spawned body rests by the limits of its own template, also the next of its id', () => {
  const usual: Template = {
    ...STANDARD_MATERIAL,
    shape: { kind: 'ball', radius: 0.3 },
    linearDamping: 0,
  };
  const lazy: Template = { ...usual, rest: { distance: 0.5, angleDegrees: 40 } };
  const start = { position: vector(0, 1, 0), rotation: quaternion() };
  const level: Level = {
    ...flatLevel('floating', [{ template: usual, start }]),
    gravity: 0,
    templates: [usual, lazy],
    spawning: { slots: MAX_ROOM_PLAYERS, perPlayer: 1, perSecond: 20, templates: [usual, lazy] },
  };
  const simulation = createRapierSimulation(level);
  onTestFinished(() => simulation.dispose());
  const peer = new Peer({ slot: HOST, host: HOST, level, simulation });

  /** True if a body of a template that drifts at 0.1 m/s counts as at rest after half a second. */
  const rests = (template: Template): boolean => {
    const pose = { position: vector(5, 3, 0), rotation: quaternion() };
    const body = peer.spawn({ template, pose, linear: vector(0.1), angular: vector() });
    if (typeof body === 'string') throw new Error(body);
    for (let tick = 0; tick < 30; tick++) peer.tick(playerInput());
    const isResting = peer.state.bodies.records.resting[body] === 1;
    expect(peer.despawn(body)).toBe(null);
    return isResting;
  };
  expect([usual, lazy, usual].map(rests)).toEqual([false, true, false]);
});
