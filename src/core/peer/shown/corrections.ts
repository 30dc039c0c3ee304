import { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { Quaternion } from '../../base/math.ts';
import { conjugate, multiply, nlerp, quaternion } from '../../base/math.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../base/state.ts';

/**
 * The rate of decay per second: 0.8 of a correction is left after a frame of 1/90 s. With 0.95, as in Fiedler's sample
 * project, bodies were long drawn where they no longer were: over 20 seeds of four players the 95th percentile of the
 * error was three times as great.
 */
const DECAY = -90 * Math.log(0.8);
/**
 * Metres of a correction beyond which a jump looks better than easing. A body that was struck elsewhere [A14] is up to
 * 2 m from where its former player had it.
 */
const JUMP = 3;
/** A correction is over below this many square metres, and below this 1 - w of its rotation. */
const DONE = 1e-10;
/** Numbers of one body's correction: an offset in metres, and a rotation (x, y, z, w). */
const CORRECTION_STRIDE = 7;
/** The offset of the rotation in them. */
const ROTATION_AT = 3;

/**
 * [T5] Eases the jumps of bodies that received states correct: the drawn pose begins where the body was, and approaches
 * the body by exponential smoothing. It changes how bodies look, not how they move.
 */
export class Corrections {
  /** CORRECTION_STRIDE numbers for each body: the drawn pose less the body's. */
  readonly #offsets: Float64Array;
  /** The bodies of whose correction something is left. */
  readonly #active: BodySet;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#offsets = new Float64Array(count * CORRECTION_STRIDE);
    this.#active = new BodySet(count);
  }

  /** Ends all corrections: bodies are drawn where they are. */
  clear(): void {
    this.#active.clear();
  }

  /** Ends the correction of one body. */
  forget(body: BodyId): void {
    this.#active.delete(body);
  }

  /** True while something is left of a body's correction. */
  isActive(body: BodyId): boolean {
    return this.#active.has(body);
  }

  /**
   * A received state has moved a body; its drawn pose stays where it is for now. A correction of more than JUMP ends.
   * @param from its motion before, at `body * STRIDE`.
   * @param to its motion now, at `body * STRIDE`.
   */
  moved(body: BodyId, from: Float32Array, to: Float32Array): void {
    const at = body * STRIDE;
    const o = body * CORRECTION_STRIDE;
    const f = this.#offsets;
    if (!this.#active.has(body)) {
      f.fill(0, o, o + CORRECTION_STRIDE);
      f[o + 6] = 1; // w
    }
    let squares = 0;
    for (let i = 0; i < 3; i++) {
      f[o + i] += from[at + i] - to[at + i];
      squares += f[o + i] * f[o + i];
    }
    this.#setActive(body, squares < JUMP * JUMP);
    read(f, o + ROTATION_AT, offset);
    read(from, at + MOTION.rotation, was);
    read(to, at + MOTION.rotation, is);
    multiply(multiply(offset, was, offset), conjugate(is, is), offset);
    if (offset.w < 0) flip(offset);
    put(offset, f, o + ROTATION_AT);
  }

  /**
   * A body goes on from another motion, but for now is drawn where it was drawn last, unless that is more than JUMP away
   * [A14.7]. It turns at once.
   * @param poses the poses in which bodies were drawn: this one's is at `body * POSE_STRIDE`.
   * @param to its motion now, at `body * STRIDE`.
   */
  keepDrawn(body: BodyId, poses: Float32Array, to: Float32Array): void {
    const o = body * CORRECTION_STRIDE;
    const f = this.#offsets;
    let squares = 0;
    for (let i = 0; i < 3; i++) {
      f[o + i] = poses[body * POSE_STRIDE + i] - to[body * STRIDE + i];
      squares += f[o + i] * f[o + i];
    }
    const wasActive = this.#active.has(body);
    this.#setActive(body, squares < JUMP * JUMP);
    if (wasActive) return;
    f.fill(0, o + ROTATION_AT, o + CORRECTION_STRIDE - 1);
    f[o + CORRECTION_STRIDE - 1] = 1; // w
  }

  #setActive(body: BodyId, isActive: boolean): void {
    if (isActive) this.#active.add(body);
    else this.#active.delete(body);
  }

  /** Time passes: all corrections become smaller. */
  decay(seconds: number): void {
    const kept = Math.exp(-DECAY * seconds);
    const f = this.#offsets;
    const active = this.#active;
    for (let body = active.next(NO_BODY); body !== NO_BODY; body = active.next(body)) {
      const o = body * CORRECTION_STRIDE;
      for (let i = 0; i < 3; i++) f[o + i] *= kept;
      nlerp(NO_ROTATION, read(f, o + ROTATION_AT, offset), kept, offset);
      put(offset, f, o + ROTATION_AT);
      const squares = f[o] * f[o] + f[o + 1] * f[o + 1] + f[o + 2] * f[o + 2];
      if (squares < DONE && 1 - offset.w < DONE) active.delete(body);
    }
  }

  /**
   * Writes the pose in which a body is drawn.
   * @param motion has its motion at `body * STRIDE`.
   * @param out gets its pose at `body * POSE_STRIDE`.
   */
  show(body: BodyId, motion: Float32Array, out: Float32Array): void {
    const at = body * STRIDE;
    const to = body * POSE_STRIDE;
    for (let i = 0; i < POSE_STRIDE; i++) out[to + i] = motion[at + i];
    if (!this.#active.has(body)) return;
    const o = body * CORRECTION_STRIDE;
    for (let i = 0; i < 3; i++) out[to + i] += this.#offsets[o + i];
    read(motion, at + MOTION.rotation, is);
    multiply(read(this.#offsets, o + ROTATION_AT, offset), is, is);
    put(is, out, to + MOTION.rotation);
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

const NO_ROTATION = quaternion();
/** Work space of single calls. */
const offset = quaternion();
const was = quaternion();
const is = quaternion();
