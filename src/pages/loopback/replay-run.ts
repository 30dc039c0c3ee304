import type { Playback } from '../../core/peer/recording/playback.ts';

/** The present step of a playback, and the step that it goes to. */
export type ReplayPlace = {
  /** Numbers of steps, from 1. */
  readonly at: number;
  readonly wanted: number;
};

/**
 * Goes forward and back in a recording. A playback can only go forward: to go back, a new playback starts at
 * the first step. A long way takes more than one frame.
 */
export class ReplayRun {
  /** Seconds from the first step to each step. */
  readonly seconds: Float64Array;
  readonly #begin: () => Playback;
  #playback: Playback;
  #wanted = 1;
  /** Seconds into the recording while it plays; null while it is paused. */
  #playingAt: number | null = null;

  /** @param begin creates a playback before its first step. */
  constructor(seconds: Float64Array, begin: () => Playback) {
    this.seconds = seconds;
    this.#begin = begin;
    this.#playback = begin();
  }

  get playback(): Playback {
    return this.#playback;
  }

  get steps(): number {
    return this.seconds.length;
  }

  get place(): ReplayPlace {
    return { at: this.#playback.steps, wanted: this.#wanted };
  }

  get isPlaying(): boolean {
    return this.#playingAt !== null;
  }

  /** True if there is something whole to draw: the wanted step, or any step while it plays. */
  get isReady(): boolean {
    const { steps, isWithinStep } = this.#playback;
    return !isWithinStep && (steps === this.#wanted || this.isPlaying);
  }

  /** [T5] Where the drawn moment lies between the last step and the present step, 0 to 1. */
  get alpha(): number {
    const at = this.#playback.steps;
    if (this.#playingAt === null || at < 2 || at !== this.#wanted) return 1;
    const [from, to] = [this.seconds[at - 2], this.seconds[at - 1]];
    return Math.min(1, Math.max(0, (this.#playingAt - from) / (to - from || 1)));
  }

  /** Plays from the present step, or from the start if the present step is the last one. */
  play(): void {
    if (this.#wanted === this.steps) this.#wanted = 1;
    this.#playingAt = this.seconds[this.#wanted - 1];
  }

  pause(): void {
    this.#playingAt = null;
  }

  /**
   * Goes to a step and pauses.
   * @param step rounded, and limited to 1 up to the last step.
   */
  seek(step: number): void {
    this.#playingAt = null;
    this.#wanted = Math.min(this.steps, Math.max(1, Math.round(step)));
  }

  /**
   * Goes towards the wanted step, as far as the time of one frame allows.
   * @param seconds since the last frame.
   * @param hasTime called after each event; false ends the frame's work, even within a step.
   */
  advance(seconds: number, hasTime: () => boolean): void {
    if (this.#playingAt !== null && this.#playback.steps >= this.#wanted)
      this.#play(this.#playingAt + seconds);
    if (this.#playback.steps > this.#wanted) {
      this.#playback.dispose();
      this.#playback = this.#begin();
    }
    while (this.#playback.steps < this.#wanted && this.#playback.step(hasTime)) if (!hasTime()) break;
  }

  /** The wanted step is the first one after the present moment: the drawn moment lies just before it. */
  #play(now: number): void {
    this.#playingAt = now;
    while (this.#wanted < this.steps && this.seconds[this.#wanted - 1] < now) this.#wanted++;
    if (this.seconds[this.steps - 1] <= now) this.#playingAt = null;
  }

  dispose(): void {
    this.#playback.dispose();
  }
}
