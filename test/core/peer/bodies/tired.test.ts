import { describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { TICK_RATE, TICK_SECONDS } from '../../../../src/core/base/constants.ts';
import { quaternion, vector } from '../../../../src/core/base/math.ts';
import { MOTION } from '../../../../src/core/base/state.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { Peer } from '../../../../src/core/peer/peer.ts';
import type { Shape } from '../../../../src/core/world/shape.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../../src/core/world/level.ts';
import { BodilessSimulation } from '../../../../src/harness/bodiless-simulation.ts';

const BODY = 0 as BodyId;
const BALL: Shape = { kind: 'ball', radius: 0.07 };
const SKITTLE: Shape = { kind: 'cylinder', radius: 0.07, halfHeight: 0.2 };

/** A host alone, with one body that goes on at a speed for ever, as some do in an engine without rolling friction. */
function rolling(shape: Shape, speed: number, gravity = 9.81): Peer {
  const template = { ...STANDARD_MATERIAL, shape, linearDamping: 0, angularDamping: 0 };
  const start = { position: vector(-20, 0.07, 0), rotation: quaternion() };
  const level = { ...flatLevel('lane', [{ template, start }]), gravity };
  const simulation = new BodilessSimulation(level, (motion, at) => {
    motion[at + MOTION.linear] = speed;
    motion[at] += speed * TICK_SECONDS;
  });
  return new Peer({ slot: 0 as Slot, host: 0 as Slot, level, simulation });
}

/** @returns the seconds after which the body rests; null if it does not within 20. */
function restsAfter(peer: Peer, each: () => void = () => undefined): number | null {
  const input = playerInput();
  for (let tick = 0; tick < 20 * TICK_RATE; tick++) {
    if (peer.diagnostics.bodies.records.resting[BODY] === 1) return tick / TICK_RATE;
    each();
    peer.tick(input);
  }
  return null;
}

describe('[R1.3] a body that goes on slowly, without end', () => {
  test('is still after six seconds', () => {
    const after = restsAfter(rolling(SKITTLE, 0.2));
    expect(after).toBeGreaterThan(6);
    expect(after).toBeLessThan(6.5);
  });

  test.each<readonly [string, Peer]>([
    ['is a ball', rolling(BALL, 0.2)],
    ['is faster', rolling(SKITTLE, 0.35)],
    ['drifts where nothing falls', rolling(SKITTLE, 0.2, 0)],
  ])('goes on if it %s', (_, peer) => {
    expect(restsAfter(peer)).toBeNull();
  });

  test('goes on while its player acts upon it', () => {
    const peer = rolling(SKITTLE, 0.2);
    const linear = vector(0.2);
    expect(
      restsAfter(peer, () => peer.act({ kind: 'velocity', body: BODY, linear, angular: vector() })),
    ).toBeNull();
  });
});
