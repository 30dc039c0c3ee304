import { POSE_STRIDE } from '../../core/base/state.ts';

/** Ticks for which decided poses are kept: far longer than any present waits for its decision. */
const KEPT = 1024;

/** The poses that the deciding machine keeps for good, by tick. */
export class DecidedPoses {
  readonly #size: number;
  readonly #poses: Float32Array;
  readonly #ticks = new Int32Array(KEPT).fill(-1);

  constructor(bodies: number) {
    this.#size = bodies * POSE_STRIDE;
    this.#poses = new Float32Array(KEPT * this.#size);
  }

  /** @param poses POSE_STRIDE numbers a body; they are copied. */
  put(tick: number, poses: Float32Array): void {
    this.#ticks[tick % KEPT] = tick;
    this.#poses.set(poses, (tick % KEPT) * this.#size);
  }

  /** Writes the poses of a tick. @returns false if they are not known. */
  read(tick: number, out: Float32Array): boolean {
    if (tick < 0 || this.#ticks[tick % KEPT] !== tick) return false;
    const at = (tick % KEPT) * this.#size;
    out.set(this.#poses.subarray(at, at + this.#size));
    return true;
  }
}
