import type { BodyId } from '../../base/ids.ts';
import type { Quaternion } from '../../base/math.ts';
import { conjugate, multiply, nlerp, quaternion } from '../../base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../base/state.ts';

/**
 * Per second: 0.8 of a correction is left after a 90 Hz frame. The sample's 0.95 drew bodies long where they no
 * longer were: over 20 seeds of four players the 95th percentile of the error was three times as great.
 */
const DECAY = -90 * Math.log(0.8);
/** Metres of a correction beyond which easing would look odder than a jump. */
const JUMP = 1;
/** Square metres, and 1 - w, below which there is nothing left to ease. */
const DONE = 1e-10;
/** Numbers per body: an offset in metres, and a rotation. */
const STRIDE_OFFSET = 7;

/**
 * Eases what a received state corrects: the drawn pose starts where the body was, and comes to where it is.
 * It is how bodies look, and has no effect on how they move.
 */
export class Corrections {
  readonly #offsets: Float64Array;
  readonly #active: Uint8Array;

  constructor(count: number) {
    this.#offsets = new Float64Array(count * STRIDE_OFFSET);
    this.#active = new Uint8Array(count);
  }

  clear(): void {
    this.#active.fill(0);
  }

  forget(body: BodyId): void {
    this.#active[body] = 0;
  }

  /** True while there is something left to ease. */
  eases(body: BodyId): boolean {
    return this.#active[body] === 1;
  }

  /** A body was moved from one motion to another (both at `body * STRIDE`). */
  moved(body: BodyId, from: Float32Array, to: Float32Array): void {
    const at = body * STRIDE;
    const o = body * STRIDE_OFFSET;
    const f = this.#offsets;
    if (this.#active[body] === 0) {
      f.fill(0, o, o + STRIDE_OFFSET);
      f[o + 6] = 1;
    }
    let squares = 0;
    for (let i = 0; i < 3; i++) {
      f[o + i] += from[at + i] - to[at + i];
      squares += f[o + i] * f[o + i];
    }
    this.#active[body] = squares < JUMP * JUMP ? 1 : 0;
    read(f, o + 3, offset);
    read(from, at + MOTION.rotation, was);
    read(to, at + MOTION.rotation, is);
    multiply(multiply(offset, was, offset), conjugate(is, is), offset);
    if (offset.w < 0) flip(offset);
    put(offset, f, o + 3);
  }

  decay(seconds: number): void {
    const kept = Math.exp(-DECAY * seconds);
    const f = this.#offsets;
    for (let body = 0; body < this.#active.length; body++) {
      if (this.#active[body] === 0) continue;
      const o = body * STRIDE_OFFSET;
      for (let i = 0; i < 3; i++) f[o + i] *= kept;
      nlerp(UNTURNED, read(f, o + 3, offset), kept, offset);
      put(offset, f, o + 3);
      const squares = f[o] * f[o] + f[o + 1] * f[o + 1] + f[o + 2] * f[o + 2];
      if (squares < DONE && 1 - offset.w < DONE) this.#active[body] = 0;
    }
  }

  /** Writes the drawn pose of a body whose motion stands at `body * STRIDE`. */
  show(body: BodyId, motion: Float32Array, out: Float32Array): void {
    const at = body * STRIDE;
    const to = body * POSE_STRIDE;
    for (let i = 0; i < POSE_STRIDE; i++) out[to + i] = motion[at + i];
    if (this.#active[body] === 0) return;
    const o = body * STRIDE_OFFSET;
    for (let i = 0; i < 3; i++) out[to + i] += this.#offsets[o + i];
    read(motion, at + MOTION.rotation, is);
    multiply(read(this.#offsets, o + 3, offset), is, is);
    put(is, out, to + 3);
  }
}

function read(from: Float32Array | Float64Array, at: number, out: Quaternion): Quaternion {
  out.x = from[at];
  out.y = from[at + 1];
  out.z = from[at + 2];
  out.w = from[at + 3];
  return out;
}

function put(q: Quaternion, out: Float32Array | Float64Array, at: number): void {
  out[at] = q.x;
  out[at + 1] = q.y;
  out[at + 2] = q.z;
  out[at + 3] = q.w;
}

function flip(q: Quaternion): void {
  q.x = -q.x;
  q.y = -q.y;
  q.z = -q.z;
  q.w = -q.w;
}

const UNTURNED = quaternion();
const offset = quaternion();
const was = quaternion();
const is = quaternion();
