import { copyPose } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';

/** Whoever plays a slot: a desk, a headset, or somebody who has gone away. */
export type InputSource = { sample(timeMs: number): PlayerInput };

/**
 * One slot's hands, whoever they belong to by now. Somebody else begins with none for a tick, so that what was
 * held is let go gently [G3], and not thrown by the way from one hand to the other.
 */
export class WhoseHands {
  readonly #none = playerInput();
  #source: InputSource | null = null;

  /** The input for the tick that is due at `timeMs`; once a tick. */
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
