import { MAX_ANGULAR_SPEED, MAX_BODIES, MAX_LINEAR_SPEED } from '../../base/constants.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import type { SceneChoice } from '../../world/scene.ts';
import type { Bounds } from '../../world/level.ts';
import { BOUNDS_SLACK, isWithin } from '../../world/level.ts';
import { createScene, SCENE_NAMES } from '../../world/scene.ts';
import type { ByteCoder } from './bytes.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { FileFault } from './file.ts';
import { isCrowded } from './crowd.ts';
import { unwrapFile, wrapFile } from './file.ts';
import { dequantiseMotion, quantiseMotion } from '../bodies/quantise.ts';

/** A saved world: the poses and velocities of all bodies of a scene. */
export type SavedWorld = {
  readonly scene: SceneChoice;
  /** Seconds since the beginning of 1970. */
  readonly savedAt: number;
  /** For each body 1 if it is at rest, else 0. */
  readonly resting: Uint8Array;
  /** STRIDE whole numbers for each body [W2]. */
  readonly state: Int32Array;
};

/** The world as a file. Reading the file gives the same state, to the bit. */
export function writeWorldFile(world: SavedWorld): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter();
  codeWorld(writer, world);
  return wrapFile('world', writer.finish());
}

/** [W6] The world in a file, with every part checked; or why the file cannot be read. Never throws. */
export function readWorldFile(file: Uint8Array): SavedWorld | FileFault {
  const content = unwrapFile('world', file);
  if (typeof content === 'string') return content;
  const reader = new ByteReader(content);
  const world = codeWorld(reader, NO_WORLD);
  if (reader.failed || !reader.atEnd) return 'damaged';
  return isCrowded(world.state) ? 'crowded' : world;
}

/**
 * Codes a world. Returns the one written or read; NO_WORLD if a reader finds that the count of bodies is not the
 * scene's. A file has metres and metres a second, so that it stays readable after a change of the grids.
 */
export function codeWorld(c: ByteCoder, world: SavedWorld): SavedWorld {
  const savedAt = c.u32(world.savedAt);
  const scene = codeScene(c, world.scene);
  const count = c.u16(world.resting.length, MAX_BODIES);
  const level = c.failed ? null : createScene(scene);
  if (level === null || level.bodies.length !== count) {
    c.fail();
    return NO_WORLD;
  }
  const resting = Uint8Array.from({ length: count }, (_, body) => world.resting[body]);
  const state = Int32Array.from({ length: count * STRIDE }, (_, at) => world.state[at]);
  for (let body = 0; body < count; body++) codeBody(c, level.bounds, resting, state, body);
  return { scene, savedAt, resting, state };
}

/** Codes the choice of a scene; returns it. */
export function codeScene(c: ByteCoder, scene: SceneChoice): SceneChoice {
  const name = SCENE_NAMES[c.u8(SCENE_NAMES.indexOf(scene.name), SCENE_NAMES.length - 1)];
  const seed = c.u32(scene.seed);
  const count = c.u16(scene.count ?? 0, MAX_BODIES);
  return count === 0 ? { name, seed } : { name, seed, count };
}

/** Codes a body. A body at rest has no velocities in the file. */
function codeBody(c: ByteCoder, bounds: Bounds, resting: Uint8Array, state: Int32Array, body: number): void {
  const at = body * STRIDE;
  const look = c.u8(resting[body] + 2 * state[at + STATE.largest], 7);
  resting[body] = look & 1;
  dequantiseMotion(state, at, motion, 0);
  const numbers = resting[body] === 1 ? MOTION.linear : STRIDE;
  for (let i = 0; i < numbers; i++) motion[i] = c.f32(motion[i]);
  motion.fill(0, numbers);
  if (!isPossible(motion, bounds)) c.fail();
  // [W2] The largest component is kept, so that the numbers of the rotation are the same again.
  state[at + STATE.largest] = look >> 1;
  quantiseMotion(motion, 0, one(state, at));
}

/** A view of the numbers of one body. */
function one(state: Int32Array, at: number): Int32Array {
  return state.subarray(at, at + STRIDE);
}

/** True if a body in a world with these bounds can have this motion. */
function isPossible(motion: Float32Array, bounds: Bounds): boolean {
  if (!isWithin(bounds, BOUNDS_SLACK, motion, 0)) return false;
  let length = 0;
  for (let i = MOTION.rotation; i < MOTION.linear; i++) length += motion[i] * motion[i];
  if (Math.abs(length - 1) > ROTATION_SLACK) return false;
  return motion.every((value, i) => i < MOTION.linear || Math.abs(value) <= speedLimit(i));
}

function speedLimit(at: number): number {
  return at < MOTION.angular ? MAX_LINEAR_SPEED : MAX_ANGULAR_SPEED;
}

/**
 * By how much the square of a unit rotation's length may differ from 1. Rounding to 32 bits gives a hundredth of
 * this.
 */
const ROTATION_SLACK = 1e-3;
/** A world without bodies. */
export const NO_WORLD: SavedWorld = {
  scene: { name: SCENE_NAMES[0], seed: 0 },
  savedAt: 0,
  resting: new Uint8Array(0),
  state: new Int32Array(0),
};
const motion = new Float32Array(STRIDE);
