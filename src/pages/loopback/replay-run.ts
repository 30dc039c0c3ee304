import type { Playback } from '../../core/peer/recording/playback.ts';

/** How far into a recording its playback is, and how far it is wanted. */
export type ReplayPlace = {
  /** Steps: what is shown, and what is wanted. */
  readonly at: number;
  readonly wanted: number;
};

/**
 * Goes to and fro in a recording. A playback only goes forward: to go back it begins anew, and to go far it takes
 * more than one frame.
 */
export class ReplayRun {
  /** Seconds from the first step to each. */
  readonly seconds: Float64Array;
  readonly #begin: () => Playback;
  #playback: Playback;
  #wanted = 1;
  /** Seconds into the recording while it plays; null while it stands still. */
  #playingAt: number | null = null;

  /** @param begin makes a playback that has made no step. */
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

  /** [T5] How far the drawn moment lies from the step before to the present one, 0 to 1. */
  get alpha(): number {
    const at = this.#playback.steps;
    if (this.#playingAt === null || at < 2 || at !== this.#wanted) return 1;
    const [from, to] = [this.seconds[at - 2], this.seconds[at - 1]];
    return Math.min(1, Math.max(0, (this.#playingAt - from) / (to - from || 1)));
  }

  /** From where it is; from the start, if it is at the end. */
  play(): void {
    if (this.#wanted === this.steps) this.#wanted = 1;
    this.#playingAt = this.seconds[this.#wanted - 1];
  }

  pause(): void {
    this.#playingAt = null;
  }

  /** Stands still at a step, 1 to the last. */
  seek(step: number): void {
    this.#playingAt = null;
    this.#wanted = Math.min(this.steps, Math.max(1, Math.round(step)));
  }

  /**
   * A frame: goes towards what is wanted, for as long as there is time.
   * @param seconds since the last frame.
   * @param hasTime asked after each step: whether there is time for another one.
   */
  advance(seconds: number, hasTime: () => boolean): void {
    if (this.#playingAt !== null && this.#playback.steps >= this.#wanted)
      this.#play(this.#playingAt + seconds);
    if (this.#playback.steps > this.#wanted) {
      this.#playback.dispose();
      this.#playback = this.#begin();
    }
    while (this.#playback.steps < this.#wanted && this.#playback.step()) if (!hasTime()) break;
  }

  /** What lies behind this moment by now is wanted, and the step that comes next: what is drawn lies between. */
  #play(now: number): void {
    this.#playingAt = now;
    while (this.#wanted < this.steps && this.seconds[this.#wanted - 1] < now) this.#wanted++;
    if (this.seconds[this.steps - 1] <= now) this.#playingAt = null;
  }

  dispose(): void {
    this.#playback.dispose();
  }
}
