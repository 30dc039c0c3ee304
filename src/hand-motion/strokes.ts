/**
 * Minimum-jerk strokes: the movement from rest to rest whose summed squared jerk is least is a polynomial of the
 * fifth degree (T. Flash and N. Hogan, "The coordination of arm movements: an experimentally confirmed
 * mathematical model", J. Neurosci. 5, 1985). Strokes that overlap are added (T. Flash and E. Henis, "Arm
 * trajectory modifications during reaching towards visual targets", J. Cogn. Neurosci. 3, 1991).
 */
export type Stroke = {
  /** Seconds at which the stroke begins. */
  readonly start: number;
  /** Seconds from there to the highest speed, and on to rest; above 0. A sudden stop has a short fall. */
  readonly rise: number;
  readonly fall: number;
  /** By how much the stroke moves its channel, in the channel's unit. */
  readonly amount: number;
};

/** The highest speed of a minimum-jerk stroke, as a multiple of its mean speed. */
export const PEAK_SPEED = 1.875;

/** The share of a symmetric stroke's way that is done after a share of its time, both 0 to 1. */
function minimumJerk(time: number): number {
  return time * time * time * (10 - time * (15 - time * 6));
}

/** How far a stroke has moved its channel at a time in seconds. Two half strokes meet at the highest speed. */
export function moved({ start, rise, fall, amount }: Stroke, seconds: number): number {
  const [since, left] = [seconds - start, start + rise + fall - seconds];
  if (since <= 0) return 0;
  if (left <= 0) return amount;
  const duration = rise + fall;
  return since < rise
    ? (amount * 2 * rise * minimumJerk(since / (2 * rise))) / duration
    : amount * (1 - (2 * fall * minimumJerk(left / (2 * fall))) / duration);
}

/** One coordinate or angle that strokes move. */
export class Channel {
  /** Where all strokes that were added lead to. */
  target: number;
  #settled: number;
  readonly #strokes: Stroke[] = [];

  constructor(start: number) {
    this.target = start;
    this.#settled = start;
  }

  add(stroke: Stroke): void {
    this.target += stroke.amount;
    this.#strokes.push(stroke);
  }

  /** The value at a time in seconds. Times must not go back: a stroke that has ended is forgotten. */
  at(seconds: number): number {
    let value = 0;
    for (let i = 0; i < this.#strokes.length;) {
      const stroke = this.#strokes[i];
      if (stroke.start + stroke.rise + stroke.fall > seconds) {
        value += moved(stroke, seconds);
        i++;
      } else {
        this.#settled += stroke.amount;
        this.#strokes.splice(i, 1);
      }
    }
    return this.#settled + value;
  }
}
