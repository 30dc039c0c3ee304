import type { BodyId } from '../../base/ids.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import { Corrections } from './corrections.ts';

/** [T5] The poses in which bodies are drawn after this tick and after the one before, with corrections eased. */
export class DrawnPoses {
  /** After this tick: POSE_STRIDE numbers for each body, metres and a unit quaternion. */
  readonly poses: Float32Array;
  /** After the tick before. */
  readonly before: Float32Array;
  readonly corrections: Corrections;
  /**
   * DRAWN for a body that is drawn where it sleeps, SETTLED if it was so in the tick before, too: nearly all of a large
   * world, which then costs nothing.
   */
  readonly #done: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.poses = new Float32Array(count * POSE_STRIDE);
    this.before = new Float32Array(count * POSE_STRIDE);
    this.corrections = new Corrections(count);
    this.#done = new Uint8Array(count);
  }

  /** The present poses become those of the tick before; also after a jump that is not to be seen as a path. */
  keepBefore(): void {
    for (let body = 0 as BodyId; body < this.#done.length; body++) this.keepBeforeOf(body);
  }

  /** The same for one body. */
  keepBeforeOf(body: BodyId): void {
    if (this.#done[body] === SETTLED) return;
    if (this.#done[body] === DRAWN) this.#done[body] = SETTLED;
    for (let i = body * POSE_STRIDE; i < (body + 1) * POSE_STRIDE; i++) this.before[i] = this.poses[i];
  }

  /**
   * Draws a body by its motion, with what is left of its correction.
   * @param motion the motions of all bodies: this one's begins at `body * STRIDE`.
   */
  show(body: BodyId, motion: Float32Array, sleeps: boolean): void {
    this.corrections.show(body, motion, this.poses);
    this.#done[body] = sleeps && !this.corrections.isActive(body) ? DRAWN : 0;
  }

  /** True if a body was drawn where it sleeps: while it sleeps it need not be drawn again. */
  isDone(body: BodyId): boolean {
    return this.#done[body] !== 0;
  }

  /** A sleeping body was moved: it must be drawn again. */
  moved(body: BodyId): void {
    this.#done[body] = 0;
  }
}

/** In `#done`. */
const DRAWN = 1;
const SETTLED = 2;
