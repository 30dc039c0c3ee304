import { beforeAll, expect, it } from 'vitest';
import { MAX_HOLD_DISTANCE } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../src/core/base/ids.ts';
import { fromAxisAngle, quaternion, vector } from '../../src/core/base/math.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const HALF = 10;

it.each([
  ['is held', 20, 0],
  ['is not held if its middle is too far away to be told', 24, NO_BODY],
])('[W7.1] a wall of 20 m that a hand points at along its length %s', (_, away, held) => {
  const rotation = fromAxisAngle(vector(0, 1, 0), Math.PI / 2, quaternion());
  const level = flatLevel('wall', [
    {
      template: { ...STANDARD_MATERIAL, shape: { kind: 'box', halfExtents: [HALF, 1, 0.4] } },
      start: { position: vector(0, 1, -away - HALF), rotation },
    },
  ]);
  const simulation = createRapierSimulation(level);
  const slot = 0 as Slot;
  const peer = new Peer({ slot, host: slot, level, simulation });
  const input = playerInput();
  const hand = input.hands[RIGHT];
  hand.tracked = true;
  hand.pose.position.y = 1;
  for (let tick = 0; tick < 20; tick++) {
    hand.grip = tick < 10 ? 0 : 1;
    peer.tick(input);
  }
  expect(peer.player.hands[RIGHT].held).toBe(held);
  expect(away + HALF > MAX_HOLD_DISTANCE).toBe(held === NO_BODY);
  simulation.dispose();
});
