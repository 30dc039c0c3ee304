import { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
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
   * Bodies that may be drawn elsewhere than in the tick before. In a large world they are few, and only they cost
   * anything. Read only.
   */
  readonly unsettled: BodySet;
  /** 1 for a body that is drawn where it sleeps. */
  readonly #done: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.poses = new Float32Array(count * POSE_STRIDE);
    this.before = new Float32Array(count * POSE_STRIDE);
    this.corrections = new Corrections(count);
    this.unsettled = new BodySet(count);
    this.unsettled.fill();
    this.#done = new Uint8Array(count);
  }

  /** The present poses become those of the tick before; also after a jump that is not to be seen as a path. */
  keepBefore(): void {
    const { unsettled } = this;
    for (let body = unsettled.next(NO_BODY); body !== NO_BODY; body = unsettled.next(body))
      this.keepBeforeOf(body);
  }

  /** The same for one body. */
  keepBeforeOf(body: BodyId): void {
    if (this.#done[body] === 1) this.unsettled.delete(body);
    for (let i = body * POSE_STRIDE; i < (body + 1) * POSE_STRIDE; i++) this.before[i] = this.poses[i];
  }

  /**
   * Draws a body by its motion, with what is left of its correction.
   * @param motion the motions of all bodies: this one's begins at `body * STRIDE`.
   */
  show(body: BodyId, motion: Float32Array, sleeps: boolean): void {
    this.corrections.show(body, motion, this.poses);
    this.#done[body] = sleeps && !this.corrections.isActive(body) ? 1 : 0;
    this.unsettled.add(body);
  }

  /** True if a body was drawn where it sleeps: while it sleeps it need not be drawn again. */
  isDone(body: BodyId): boolean {
    return this.#done[body] === 1;
  }

  /** A sleeping body was moved: it must be drawn again. */
  moved(body: BodyId): void {
    this.#done[body] = 0;
    this.unsettled.add(body);
  }
}
