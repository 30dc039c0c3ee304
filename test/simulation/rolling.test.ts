import { beforeAll, expect, it } from 'vitest';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { fromAxisAngle, quaternion, vector } from '../../src/core/base/math.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { Peer } from '../../src/core/peer/peer.ts';
import type { Template } from '../../src/core/world/level.ts';
import { flatLevel } from '../../src/core/world/level.ts';
import { playground } from '../../src/levels/playground.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const BODY = 0 as BodyId;
/** Seconds within which what was pushed rests; from 1 m/s friction alone would stop it within 3. */
const PATIENCE = 5;

/** The radius on which a body rolls on its side, in metres; 0 for a body that does not roll. */
function radiusOf({ shape }: Template): number {
  return 'radius' in shape ? shape.radius : 0;
}

const ROLLING = [...new Set(playground().bodies.map(({ template }) => template))]
  .filter((template) => radiusOf(template) > 0)
  .map((template) => [template.shape.kind, radiusOf(template), template] as const);

it.each(ROLLING)('[R6.1] a %s of %d m that rolls on its side comes to rest', (_, radius, template) => {
  const lying = fromAxisAngle(vector(0, 0, 1), Math.PI / 2, quaternion());
  const start = { position: vector(0, radius, 0), rotation: lying };
  const level = flatLevel('lane', [{ template, start }]);
  const simulation = createRapierSimulation(level);
  const slot = 0 as Slot;
  const peer = new Peer({ slot, host: slot, level, simulation });
  const input = playerInput();
  for (let tick = 0; tick < TICK_RATE; tick++) peer.tick(input);
  // [A13.5] No action turns a body faster than 40 rad/s.
  const speed = Math.min(1, 30 * radius);
  const angular = vector(speed / radius, 0, 0);
  peer.act({ kind: 'velocity', body: BODY, linear: vector(0, 0, speed), angular });
  const { resting } = peer.diagnostics.bodies.records;
  peer.tick(input);
  expect(resting[BODY]).toBe(0);
  for (let tick = 0; tick < PATIENCE * TICK_RATE && resting[BODY] === 0; tick++) peer.tick(input);
  expect(resting[BODY]).toBe(1);
  simulation.dispose();
});
