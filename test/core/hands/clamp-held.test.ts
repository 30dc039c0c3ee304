import { expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import { fromAxisAngle, pose, setVector, vector } from '../../../src/core/base/math.ts';
import { HeldBounds } from '../../../src/core/hands/clamp-held.ts';
import { CarriedBodies } from '../../../src/core/peer/hands/carried-bodies.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { avatarSample } from '../../../src/core/wire/avatar/avatar.ts';
import { quantiseOffset, quantisePose } from '../../../src/core/wire/bodies/quantise.ts';
import type { Level } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import type { Shape } from '../../../src/core/world/shape.ts';
import { floatingSimulation } from '../../support/bodiless.ts';

const BODY = 0 as BodyId;
const cubes = createLevel({ id: 'grid', seed: 1, count: 1 });

function boundsOf(level: Level): HeldBounds {
  return new HeldBounds(
    level,
    level.bodies.map(({ template }) => template),
  );
}

test.each([
  ['beyond the world', vector(70, 80, -90), vector(63, 61, -63)],
  ['below the floor', vector(-1, -3, 2), vector(-1, 0.25, 2)],
  ['within the world', vector(62.9, 60.9, -62.9), vector(62.9, 60.9, -62.9)],
])('[I5] a held body %s is held within it', (_, at, held) => {
  const out = pose();
  setVector(out.position, at.x, at.y, at.z);
  expect(boundsOf(cubes).clamp(BODY, out).position).toEqual(held);
});

/** A level with one body. */
function levelOf(shape: Shape): Level {
  return flatLevel('one', [{ template: { ...STANDARD_MATERIAL, shape }, start: pose() }]);
}

test.each<readonly [string, Shape, number, number]>([
  ['a marble', { kind: 'ball', radius: 0.01 }, 0, 0.01],
  ['a flat plank', { kind: 'box', halfExtents: [1.5, 0.025, 0.1] }, 0, 0.025],
  ['a plank on end', { kind: 'box', halfExtents: [1.5, 0.025, 0.1] }, Math.PI / 2, 1.5],
])('[I5] %s is held on the floor, neither in it nor above it', (_, shape, turn, height) => {
  const out = pose();
  out.position.y = -1;
  fromAxisAngle(vector(0, 0, 1), turn, out.rotation);
  expect(boundsOf(levelOf(shape)).clamp(BODY, out).position.y).toBeCloseTo(height, 6);
});

test('[I5] where the ground is not flat, a held body is only kept within the bounds', () => {
  const out = pose();
  out.position.y = -9;
  const level = { ...cubes, statics: [], bounds: { across: 30, low: -4, high: 20 } };
  expect(boundsOf(level).clamp(BODY, out).position.y).toBe(-4);
});

test.each([
  ['the ceiling', 60, 10],
  ['the floor', 0.5, -5],
])('[I5] a hand near %s shows a body where its holder has it', (_, height, offset) => {
  const [hand, held] = [pose(), pose()];
  setVector(hand.position, 0, height, 0);
  setVector(held.position, 0, offset, 0);
  const sample = avatarSample();
  const { [RIGHT]: right } = sample.hands;
  right.tracked = true;
  right.held = BODY;
  quantisePose(hand, right.pose, 0);
  quantiseOffset(held, right.offset);
  const [self, other] = [0, 1] as Slot[];
  const simulation = floatingSimulation(cubes);
  const { state } = new Peer({ slot: self, host: self, level: cubes, simulation });
  const { stream } = state.authors[other];
  const carrying = new CarriedBodies();
  state.bodies.records.authority[BODY] = other;
  for (let tick = 0; tick < 40; tick++) {
    stream.clock.arrive(tick, tick);
    stream.addAvatar(tick, sample);
    stream.advance(tick);
    carrying.update(state);
  }
  state.bodies.step(() => undefined);
  setVector(held.position, 0, height + offset, 0);
  expect(carrying.of(other, RIGHT)).toBe(BODY);
  expect(state.bodies.motion[1]).toBe(state.heldBounds.clamp(BODY, held).position.y);
});

test('[I5] a body that is taller than the world is held at its upper bound', () => {
  const out = pose();
  const tall = levelOf({ kind: 'box', halfExtents: [0.1, 9, 0.1] });
  const low: Level = { ...tall, bounds: { ...tall.bounds, high: 5 } };
  expect(boundsOf(low).clamp(BODY, out).position.y).toBe(5);
});
