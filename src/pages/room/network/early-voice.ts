import type { MicrophoneAnswer } from '../../../sound/microphone.ts';
import { openMicrophone } from '../../../sound/microphone.ts';

/**
 * A microphone that the page asks for before its player is in a room: on the way in, or before a headset covers the
 * browser's question. The caller of `take` owns it.
 */
export class EarlyVoice {
  readonly #answer: Promise<MicrophoneAnswer>;
  #onEnded: () => void = () => undefined;
  #isTaken = false;

  /** Asks at once. Call it from a click. */
  constructor() {
    this.#answer = openMicrophone(() => this.#onEnded());
  }

  /** Resolves when the player has answered. Never rejects. */
  async answered(): Promise<void> {
    await this.#answer;
  }

  /** Takes the microphone over. @param onEnded as `openMicrophone` has it. */
  take(onEnded: () => void): Promise<MicrophoneAnswer> {
    this.#isTaken = true;
    this.#onEnded = onEnded;
    return this.#answer;
  }

  /** Gives the microphone back, unless somebody has taken it. */
  giveBack(): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    void this.#answer.then((answer) => {
      if (answer.kind === 'open') answer.microphone.stop();
    });
  }
}
