import { beforeAll, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { MOTION, STATE, STRIDE } from '../../../../src/core/base/state.ts';
import { vector } from '../../../../src/core/base/math.ts';
import { speedOf } from '../../../../src/core/base/motion.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import { VELOCITY_STEPS } from '../../../../src/core/wire/bodies/quantise.ts';
import { createRapierSimulation, loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { apart } from '../../../support/stage.ts';
import { sceneOf } from '../../../support/stage-levels.ts';

beforeAll(loadPhysics);

const BODY = 0 as BodyId;

test.each([
  [60, 44],
  [43, 43],
])('[H9.9] a body that was struck to %d m/s goes on at %d m/s, in the engine, too', (struck, goesOn) => {
  const level = { ...sceneOf(apart(1)), gravity: 0 };
  const simulation = createRapierSimulation(level);
  const peer = new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
  const linear = vector(0, 1, 0);
  peer.act({ kind: 'velocity', body: BODY, linear, angular: vector() });
  peer.tick(playerInput());
  const { motion, records } = peer.state.bodies;
  motion.set([struck * 0.6, struck * 0.8, 0], BODY * STRIDE + MOTION.linear);
  simulation.write(BODY, motion);
  records.state.fill(0, BODY * STRIDE + STATE.linear, BODY * STRIDE + STATE.angular);
  peer.tick(playerInput());
  const v = BODY * STRIDE + STATE.linear;
  const recorded = Math.hypot(...records.state.subarray(v, v + 3)) / VELOCITY_STEPS;
  expect(Math.abs(recorded - goesOn)).toBeLessThan(0.6);
  simulation.capture(motion);
  expect(Math.abs(speedOf(motion, BODY) - goesOn)).toBeLessThan(0.6);
  simulation.dispose();
});
