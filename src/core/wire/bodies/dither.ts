import { STATE } from '../../base/state.ts';

/**
 * [W2] Chance that all peers draw alike: it follows from a state alone (STANDARD.md, "Dither"). Whole numbers of 32 bits;
 * the constants are Knuth's multiplier (2^32 over the golden ratio, made odd) and the generator of "Numerical
 * Recipes".
 */
const MIX = 0x9e3779b1;
const FACTOR = 1_664_525;
const INCREMENT = 1_013_904_223;
/** By how many bits a mixed number is shifted onto itself. */
const FOLD = 15;
/** The low bits of a draw do not count: those of such a generator repeat soon. */
const LOW_BITS = 16;
const PARTS = 1 << LOW_BITS;

/** The numbers of a state that say where the body is and how it moves, and then those that say how it turns. */
const PLACE = [0, 1, 2, STATE.linear, STATE.linear + 1, STATE.linear + 2] as const;
const TURN = [3, 4, 5, 6, STATE.angular, STATE.angular + 1, STATE.angular + 2] as const;

/**
 * Draws a number between 0 and 1 for each of a state's STRIDE numbers, all equally likely; never 0 and never 1. Those for
 * the place do not depend on the turn, which engines sometimes round differently.
 * @param state has STRIDE numbers from `state[at]` on.
 * @param out gets STRIDE numbers.
 */
export function fillDither(state: Int32Array, at: number, out: Float64Array): void {
  draw(state, at, TURN, draw(state, at, PLACE, 0, out), out);
}

function draw(
  state: Int32Array,
  at: number,
  numbers: readonly number[],
  from: number,
  out: Float64Array,
): number {
  let drawn = from;
  for (let n = 0; n < numbers.length; n++) {
    drawn = Math.imul(drawn ^ state[at + numbers[n]], MIX);
    drawn ^= drawn >>> FOLD;
  }
  for (let n = 0; n < numbers.length; n++) {
    drawn = (Math.imul(drawn, FACTOR) + INCREMENT) | 0;
    out[numbers[n]] = ((drawn >>> LOW_BITS) + 0.5) / PARTS;
  }
  return drawn;
}
