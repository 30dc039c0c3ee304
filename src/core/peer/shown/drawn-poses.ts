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
  /** 1 for a body that is drawn where it sleeps: nearly all of a large world, which then costs nothing. */
  readonly #isDone: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.poses = new Float32Array(count * POSE_STRIDE);
    this.before = new Float32Array(count * POSE_STRIDE);
    this.corrections = new Corrections(count);
    this.#isDone = new Uint8Array(count);
  }

  /** The present poses become those of the tick before; also after a jump that is not to be seen as a path. */
  keepBefore(): void {
    this.before.set(this.poses);
  }

  /** The same for one body. */
  keepBeforeOf(body: BodyId): void {
    for (let i = body * POSE_STRIDE; i < (body + 1) * POSE_STRIDE; i++) this.before[i] = this.poses[i];
  }

  /**
   * Draws a body by its motion, with what is left of its correction.
   * @param motion the motions of all bodies: this one's begins at `body * STRIDE`.
   */
  show(body: BodyId, motion: Float32Array, sleeps: boolean): void {
    this.corrections.show(body, motion, this.poses);
    this.#isDone[body] = sleeps && !this.corrections.isActive(body) ? 1 : 0;
  }

  /** True if a body was drawn where it sleeps: while it sleeps it need not be drawn again. */
  isDone(body: BodyId): boolean {
    return this.#isDone[body] === 1;
  }

  /** A sleeping body was moved: it must be drawn again. */
  moved(body: BodyId): void {
    this.#isDone[body] = 0;
  }
}
