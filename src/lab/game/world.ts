import type { BodyId } from '../../core/base/ids.ts';
import { STRIDE } from '../../core/base/state.ts';
import type { RestorableSimulation } from '../../physics/restorable-simulation.ts';
import { drive, hold } from './drive.ts';
import type { Hand } from './hand.ts';

/**
 * A physics world with hands in it. Bodies 0 to players - 1 are the players' own cubes. One `step` is one tick
 * of the same law in every model, and is counted.
 */
export class LabWorld {
  readonly count: number;
  /** The motions after the last step, STRIDE numbers a body. */
  readonly motion: Float32Array;
  /** Steps since the beginning, including steps that were computed again. */
  steps = 0;
  readonly #simulation: RestorableSimulation;

  constructor(simulation: RestorableSimulation) {
    this.#simulation = simulation;
    this.count = simulation.count;
    this.motion = new Float32Array(this.count * STRIDE);
    simulation.capture(this.motion);
  }

  /**
   * Advances by a tick. `hands` has each player's hand, null for a cube that no hand pulls here, or `stand` for one
   * that is held where it is.
   */
  step(hands: readonly (Hand | 'stand' | null)[]): void {
    hands.forEach((hand, player) => {
      if (hand === null) return;
      if (hand === 'stand') hold(this.motion, player as BodyId);
      else drive(this.motion, player as BodyId, hand);
      this.#simulation.write(player as BodyId, this.motion);
    });
    this.#simulation.step();
    this.#simulation.capture(this.motion);
    this.steps++;
  }

  /** Sets a body's motion from STRIDE numbers at `from[at]`. */
  set(body: number, from: Float32Array, at: number): void {
    for (let i = 0; i < STRIDE; i++) this.motion[body * STRIDE + i] = from[at + i];
    this.#simulation.write(body as BodyId, this.motion);
  }

  /** Sets every body's motion. */
  setAll(motion: Float32Array): void {
    this.motion.set(motion);
    for (let body = 0; body < this.count; body++) this.#simulation.write(body as BodyId, this.motion);
  }

  /** A copy of everything that the next steps depend on. */
  snapshot(): Uint8Array {
    return this.#simulation.snapshot();
  }

  restore(snapshot: Uint8Array): void {
    this.#simulation.restore(snapshot);
    this.#simulation.capture(this.motion);
  }

  /** A hash (FNV-1a, 32 bits) that two worlds share if their motions are the same, bit for bit. */
  hash(): number {
    const words = new Uint32Array(this.motion.buffer);
    let hash = 0x811c9dc5;
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
    return hash >>> 0;
  }
}
