import { onTestFinished } from 'vitest';
import type { BodyId, Slot } from '../../src/core/base/ids.ts';
import type { Pose, ReadonlyVector } from '../../src/core/base/math.ts';
import { fromAxisAngle, pose, quaternion, setVector, vector } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import { POSE_STRIDE, STATE, STRIDE } from '../../src/core/base/state.ts';
import { Bodies } from '../../src/core/peer/bodies/bodies.ts';
import { quantiseMotion } from '../../src/core/wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../src/core/wire/bodies/update.ts';
import type { Level } from '../../src/core/world/level.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { createRapierSimulation } from '../../src/physics/rapier-simulation.ts';

export const [A, B, C] = [0, 1, 2] as BodyId[];
export const [HOST, GUEST, OTHER] = [0, 1, 2] as Slot[];
export const STILL = vector();
export const FALLING = vector(0, -0.1, 0);
export const NOT_BACK = (): void => {};

export function sceneOf(...places: readonly ReadonlyVector[]): Level {
  const grid = createLevel({ id: 'grid', seed: 1, count: 1 });
  const bodies = places.map((position) => ({
    ...grid.bodies[0],
    start: { position, rotation: quaternion() },
  }));
  return { ...grid, bodies };
}

/** Cubes on top of each other. */
export function tower(count: number): Level {
  return sceneOf(...Array.from({ length: count }, (_, i) => vector(0, CUBE_SIZE / 2 + i * CUBE_SIZE, 0)));
}

/** Bodies in Rapier, of which this peer simulates all, or none. */
export function inEngine(scene: Level): Bodies {
  const bodies = new Bodies(scene, createRapierSimulation(scene));
  onTestFinished(() => bodies.simulation.dispose());
  return bodies;
}

/** One tick, in the order of Peer.tick. */
export function tick(bodies: Bodies, simulates: (body: BodyId) => boolean = () => true): void {
  for (let body = 0 as BodyId; body < bodies.count; body++)
    bodies.simulatedHere[body] = simulates(body) ? 1 : 0;
  bodies.writeReceived();
  bodies.showReceived();
  bodies.updateRest();
  bodies.writeBack();
  bodies.step(NOT_BACK);
  bodies.updateRecords();
  bodies.showOwn();
}

export function ticks(bodies: Bodies, count: number, simulates?: (body: BodyId) => boolean): void {
  for (let i = 0; i < count; i++) tick(bodies, simulates);
}

export const NOBODY_HERE = (): boolean => false;

/** Where a body is drawn. */
export function shownAt(bodies: Bodies, body: BodyId): ReadonlyVector {
  const [x, y, z] = bodies.drawn.poses.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3);
  return vector(x, y, z);
}

/** Where a body is in the engine. */
export function positionOf(bodies: Bodies, body: BodyId): ReadonlyVector {
  return poseIn(bodies.motion, body, pose()).position;
}

/** A received state of a body at this place. */
export function update(
  body: BodyId,
  at: ReadonlyVector,
  of: number,
  kind: BodyUpdate['kind'] = 'motion',
  linear: ReadonlyVector = STILL,
): BodyUpdate {
  const motion = new Float32Array(STRIDE);
  motion.set([at.x, at.y, at.z, 0, 0, 0, 1, linear.x, linear.y, linear.z]);
  const received = bodyUpdate();
  received.body = body;
  received.kind = kind;
  received.tick = of;
  received.state[STATE.largest] = -1;
  quantiseMotion(motion, 0, received.state);
  return received;
}

export function poseAt(at: ReadonlyVector, angle = 0): Pose {
  const out = pose();
  setVector(out.position, at.x, at.y, at.z);
  fromAxisAngle(vector(0, 1, 0), angle, out.rotation);
  return out;
}
