import { copyPose } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';

/** A player of a slot: a desk, a headset, or an absent player. */
export type InputSource = { sample(timeMs: number): PlayerInput };

/**
 * The hands of one slot. When another player takes over the slot, it has no hands for one tick. So the bodies
 * that were held are let go gently [G3], and the jump from one hand to the other does not throw them.
 */
export class SlotHands {
  readonly #none = playerInput();
  #source: InputSource | null = null;

  /** Returns the input for the tick that is due at `timeMs`. Call it once per tick. */
  sample(source: InputSource, timeMs: number): PlayerInput {
    const input = source.sample(timeMs);
    if (source === this.#source || this.#source === null) {
      this.#source = source;
      return input;
    }
    this.#source = source;
    copyPose(input.head, this.#none.head);
    return this.#none;
  }
}
