import type { BodyId } from '../../base/ids.ts';
import { POSE_STRIDE } from '../../base/state.ts';
import { Corrections } from './corrections.ts';

/** [T5] Where each body is drawn, after this tick and after the one before; what is corrected is eased there. */
export class DrawnPoses {
  /** POSE_STRIDE numbers a body. */
  readonly poses: Float32Array;
  readonly before: Float32Array;
  readonly corrections: Corrections;
  /** 1 for what is drawn where it sleeps: nearly all of a large world, which is to cost nothing. */
  readonly #isDone: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.poses = new Float32Array(count * POSE_STRIDE);
    this.before = new Float32Array(count * POSE_STRIDE);
    this.corrections = new Corrections(count);
    this.#isDone = new Uint8Array(count);
  }

  /** What is drawn is what was before: call it before the next is drawn, or after a jump that nobody is to see. */
  keepBefore(): void {
    this.before.set(this.poses);
  }

  /** Draws a body where a motion at `body * STRIDE` has it. */
  show(body: BodyId, motion: Float32Array, sleeps: boolean): void {
    this.corrections.show(body, motion, this.poses);
    this.#isDone[body] = sleeps && !this.corrections.eases(body) ? 1 : 0;
  }

  /** True if a body was drawn where it sleeps: if it still does, it is there. */
  isDone(body: BodyId): boolean {
    return this.#isDone[body] === 1;
  }

  /** What sleeps is elsewhere than it was. */
  moved(body: BodyId): void {
    this.#isDone[body] = 0;
  }
}
