import type { Random } from '../core/base/random.ts';

/** Uniform numbers that are added for a normally distributed one, and the factor that gives the sum a deviation of 1. */
const ADDED = 6;
const SCALE = Math.sqrt(12 / ADDED);
/** Strata of a sampler: after as many draws it has drawn once from each. */
const STRATA = 24;

/**
 * A number that is nearly normally distributed, with mean 0 and standard deviation 1: a sum of uniform numbers
 * (the Irwin-Hall distribution), since engines differ in logarithms and cosines.
 */
export function gaussian(random: Random): number {
  let sum = -ADDED / 2;
  for (let i = 0; i < ADDED; i++) sum += random.next();
  return sum * SCALE;
}

/**
 * A distribution as its values at evenly spaced shares, from its least to its greatest; uniform between two of
 * them. At least two values.
 */
export type Quantiles = readonly number[];

/** The value that a share of the distribution, 0 to 1, is at or below. */
export function valueAt(quantiles: Quantiles, share: number): number {
  const place = share * (quantiles.length - 1);
  const low = Math.min(quantiles.length - 2, Math.floor(place));
  return quantiles[low] + (place - low) * (quantiles[low + 1] - quantiles[low]);
}

/**
 * Draws from a distribution by stratified sampling: every 24 draws are spread over it evenly. A minute has few swings;
 * if they were drawn freely, the hands of one seed would be faster than those of another.
 */
export class StratifiedSampler {
  readonly #random: Random;
  readonly #quantiles: Quantiles;
  /** The strata: those from which this round has not drawn yet come first. */
  readonly #strata = Array.from({ length: STRATA }, (_, i) => i);
  #left = STRATA;

  /** @param random is this sampler's own from here on. */
  constructor(quantiles: Quantiles, random: Random) {
    this.#quantiles = quantiles;
    this.#random = random;
  }

  next(): number {
    if (this.#left === 0) this.#left = STRATA;
    const place = this.#random.below(this.#left--);
    const stratum = this.#strata[place];
    this.#strata[place] = this.#strata[this.#left];
    this.#strata[this.#left] = stratum;
    return valueAt(this.#quantiles, (stratum + this.#random.next()) / STRATA);
  }
}
