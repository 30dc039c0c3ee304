import type { Quaternion } from '../../base/math.ts';
import { STATE } from '../../base/state.ts';
import type { NumberKind } from '../coder/contexts.ts';
import { EXPECTED_LARGEST, FREE_ROTATION, sizeLevel } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';
import { MAX_NUMBER } from '../coder/range-coder.ts';
import { componentsOf, gridShift, LEAST_STATE, MOST_STATE, snapToGrid } from './quantise.ts';

/** Codes single numbers of a state as differences from expected ones. */

/** An expected rotation, and room for its three components as codeComponents compares them. */
export type ExpectedRotation = { readonly rotation: Quaternion; readonly components: Int32Array };

/**
 * Codes which component of a rotation is left out, in a state or in an avatar's pose. Mostly it is the expected one.
 * @param context a LARGEST_ number of contexts.ts.
 */
export function codeLargest(c: Coder, state: Int32Array, expected: number, context: number): void {
  const at = STATE.largest;
  if (c.bit(EXPECTED_LARGEST + context, state[at] === expected ? 1 : 0) === 1) state[at] = expected;
  else state[at] = (expected + 1 + c.range((state[at] - expected + 3) & 3, 0, 2)) & 3;
}

/**
 * Codes the three components that a rotation keeps, as differences from the expected rotation. The block of the
 * second and third is `nextBlock` plus the size level of the difference before; in free flight it is `firstBlock`.
 */
export function codeComponents(
  c: Coder,
  { rotation, components }: ExpectedRotation,
  state: Int32Array,
  first: NumberKind,
  firstBlock: number,
  next: NumberKind,
  nextBlock: number,
  grid: number,
): void {
  componentsOf(rotation, state[STATE.largest], components);
  let level = codeDifference(c, state, components[0], STATE.rotation, first, firstBlock, 0, grid);
  for (let i = 1; i < 3; i++) {
    const block = next === FREE_ROTATION ? firstBlock : nextBlock + level;
    level = codeDifference(c, state, components[i], STATE.rotation + i, next, block, 0, grid);
  }
}

/**
 * Codes the number of a state at `at` as its difference from the expected one, in steps of its grid. Returns the size
 * level of the difference.
 */
export function codeDifference(
  c: Coder,
  state: Int32Array,
  expected: number,
  at: number,
  kind: NumberKind,
  block: number,
  sign: number,
  grid: number,
): number {
  const bits = gridShift(at, grid);
  const near = bits === 0 ? expected : snapToGrid(expected, at, grid);
  const off = state[at] - near;
  // A number off its grid becomes one that a writer rejects.
  const step = c.number(kind, block, sign, (off >> bits) << bits === off ? off >> bits : MAX_NUMBER + 1);
  const value = near + (step << bits);
  const inside = value >= LEAST_STATE[at] && value <= MOST_STATE[at];
  if (!inside) c.fail();
  state[at] = inside ? value : 0;
  return sizeLevel(step);
}

/** The greatest absolute value of three numbers from `at` on. */
export function greatest(state: Int32Array, at: number): number {
  return Math.max(Math.abs(state[at]), Math.abs(state[at + 1]), Math.abs(state[at + 2]));
}
