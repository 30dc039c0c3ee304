import { MOTION } from '../core/base/state.ts';
import type { RawRigidBodySet } from './engine-types.ts';

/** Where the engine puts up to four numbers of a body. */
const numbers = new Float32Array(4);

/** Copies a body's motion from the engine to `out[at]` and on, as MOTION says. */
export type MotionReader = (set: RawRigidBodySet, handle: number, out: Float32Array, at: number) => void;

/** True for 0.19: its functions return objects in its own memory. */
export function isOld(set: RawRigidBodySet): boolean {
  return set.rbTranslation.length === 1;
}

/**
 * The way in which a build gives a body's numbers. From 0.20 on it fills an array, which makes no garbage; 0.19 returns
 * objects in its own memory.
 */
export function motionReaderOf(set: RawRigidBodySet): MotionReader {
  return isOld(set) ? readObjects : readNumbers;
}

/** Copies three numbers of a body's angular velocity to `out[at]` and on. */
export type SpinReader = MotionReader;

/** The way in which a build gives a body's angular velocity alone: see motionReaderOf. */
export function spinReaderOf(set: RawRigidBodySet): SpinReader {
  return isOld(set) ? readSpinObject : readSpinNumbers;
}

function readSpinNumbers(set: RawRigidBodySet, handle: number, out: Float32Array, at: number): void {
  set.rbAngvel(handle, numbers);
  for (let i = 0; i < 3; i++) out[at + i] = numbers[i];
}

function readSpinObject(set: RawRigidBodySet, handle: number, out: Float32Array, at: number): void {
  take(set.rbAngvel(handle, numbers), out, at);
}

function readNumbers(set: RawRigidBodySet, handle: number, out: Float32Array, at: number): void {
  set.rbTranslation(handle, numbers);
  for (let i = 0; i < 3; i++) out[at + MOTION.position + i] = numbers[i];
  set.rbRotation(handle, numbers);
  for (let i = 0; i < 4; i++) out[at + MOTION.rotation + i] = numbers[i];
  set.rbLinvel(handle, numbers);
  for (let i = 0; i < 3; i++) out[at + MOTION.linear + i] = numbers[i];
  set.rbAngvel(handle, numbers);
  for (let i = 0; i < 3; i++) out[at + MOTION.angular + i] = numbers[i];
}

/** A vector or a rotation in the engine's memory. */
type Returned = { readonly x: number; readonly y: number; readonly z: number; free(): void };

function readObjects(set: RawRigidBodySet, handle: number, out: Float32Array, at: number): void {
  take(set.rbTranslation(handle, numbers), out, at + MOTION.position);
  take(set.rbRotation(handle, numbers), out, at + MOTION.rotation);
  take(set.rbLinvel(handle, numbers), out, at + MOTION.linear);
  take(set.rbAngvel(handle, numbers), out, at + MOTION.angular);
}

/** Copies three numbers, and a fourth one of a rotation, and frees their memory. */
function take(from: unknown, out: Float32Array, at: number): void {
  if (!isReturned(from)) throw new Error('This build of Rapier does not give the numbers of a body.');
  out[at] = from.x;
  out[at + 1] = from.y;
  out[at + 2] = from.z;
  if ('w' in from && typeof from.w === 'number') out[at + 3] = from.w;
  from.free();
}

function isReturned(value: unknown): value is Returned {
  return typeof value === 'object' && value !== null && 'x' in value && 'free' in value;
}
