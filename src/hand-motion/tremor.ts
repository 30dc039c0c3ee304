import type { Random } from '../core/base/random.ts';
import { gaussian } from './chance.ts';
import { tangentOf } from './turns.ts';

/** Seconds in which an oscillation dies away: the tremor's band is some 1.3 Hz wide. */
const DECAY = 0.25;
/** Seconds of a step at the most: of a longer one, the angle is too great for the tangent's series. */
const LONGEST_STEP = 0.03;

/**
 * One coordinate's tremor: a damped oscillator that random numbers drive, with mean 0 and root mean square 1. Its
 * state is a vector that turns. The sine and the cosine of a step's turn are rational in the tangent of its half,
 * so that every engine has the same bits.
 */
export class Tremor {
  readonly #rate: number;
  readonly #random: Random;
  #x: number;
  #y: number;

  /**
   * @param rate Hz, up to 12.
   * @param random is this tremor's own from here on.
   */
  constructor(rate: number, random: Random) {
    this.#rate = rate;
    this.#random = random;
    this.#x = gaussian(random);
    this.#y = gaussian(random);
  }

  /** The value some seconds after the last one. */
  next(seconds: number): number {
    const tangent = tangentOf(Math.PI * this.#rate * Math.min(seconds, LONGEST_STEP));
    const size = 1 + tangent * tangent;
    const [cosine, sine] = [(1 - tangent * tangent) / size, (2 * tangent) / size];
    const kept = 1 / (1 + seconds / DECAY);
    // The loss is compensated, so that the root mean square stays.
    const driven = Math.sqrt(1 - kept * kept);
    const x = kept * (cosine * this.#x - sine * this.#y) + driven * gaussian(this.#random);
    this.#y = kept * (sine * this.#x + cosine * this.#y) + driven * gaussian(this.#random);
    this.#x = x;
    return x;
  }
}
