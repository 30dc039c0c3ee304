import type { NumberKind } from './contexts.ts';
import { PRIORS } from './priors.ts';

/** A binary logarithm of PARTS. */
export const PARTS_BITS = 8;
/** A RangeWriter counts what it has written in 1/PARTS of a bit. */
export const PARTS = 1 << PARTS_BITS;

/**
 * Writes a packet, or reads it. One function describes both: each call takes the value to write, and returns the value
 * that was written or read. A reader ignores the value that it is given.
 *
 * The method is a binary range coder with 32 bits of range (range coding: Martin, "Range encoding", 1979), whose writer
 * propagates carries into the bytes before (a cached byte and a count of 0xff bytes, as in Pavlov's LZMA). Each context
 * has two probabilities that adapt at different rates, and codes with their mean. A small number is coded as the count
 * of its bits in unary, from a middle count on, each step in a context; then its sign; then the bits below the highest,
 * without contexts (an adaptive kin of the Exp-Golomb code). Writer and reader each have that walk, with their state in
 * local variables. With this, and with both probabilities moved at once, a packet takes a tenth less time than with one
 * walk for both.
 */
export interface Coder {
  /** A bit, 0 or 1, in a context of contexts.ts, whose probabilities then adapt. */
  bit(context: number, bit: number): number;
  /** A whole number, 0 to 2^count - 1, all equally likely; count is 0 to 32. */
  bits(value: number, count: number): number;
  /** A whole number, low to high, all equally likely. A reader that reads a greater one fails and returns `low`. */
  range(value: number, low: number, high: number): number;
  /**
   * A whole number within ±MAX_NUMBER, more often small than great. Callers check the range of what a reader
   * returns.
   * @param block of the kind, counted from its first.
   * @param sign the expected one (see SIGNS_OF_KIND).
   */
  number(kind: NumberKind, block: number, sign: number, value: number): number;
  /** True if this is a reader: a caller can skip work that only a writer needs, and the reverse. */
  readonly reads: boolean;
  /** The packet is invalid. A reader sets `failed`; a writer throws, since the fault is ours. */
  fail(): void;
  /** True once a reader has found the packet invalid; from then on it reads zeros. A writer's is always false. */
  readonly failed: boolean;
}

/** Bits that `finish` may need to end a packet: five bytes. */
export const END_BITS = 40;
/** The greatest absolute value of a `number`: 23 bits, as many as the difference of two positions has. */
export const MAX_NUMBER = 2 ** 23 - 1;
/** The low bit of COUNTS_FROM: the first question is whether the number is 0. The bits above give the middle. */
export const ZERO_FIRST = 1;
/** Plain bits that say how many bits a number of BLOCK_NODES bits or more has beyond that. */
export const MORE_BITS = 3;

/** Probabilities of a 1 are in units of 1/2^15: a bit with a context takes at most 15 bits. */
export const ONE_BITS = 15;
const ONE = 1 << ONE_BITS;
/**
 * Each context has two probabilities. After each bit they move towards it by 1/2^FAST and 1/2^SLOW of the distance; a
 * bit is coded with their mean. Both lie in one 32-bit number (the fast one above), so that one access reads both.
 */
const FAST = 4;
const SLOW = 7;
const HALF = 16;
const LOW_HALF = 0xffff;
/** The bits that stay in their half, and both halves at ONE. */
const FAST_MASK = (LOW_HALF >> FAST) << HALF;
const SLOW_MASK = LOW_HALF >> SLOW;
const BOTH_ONE = (ONE << HALF) | ONE;
/** The probabilities with which each packet starts. */
export const START = Int32Array.from(PRIORS, (prior) => (prior << HALF) | prior);
/** The window is 32 bits wide. The range is kept at 2^24 or more, so that its upper byte is not 0. */
export const WINDOW = 2 ** 32;
export const LEAST_RANGE = 2 ** 24;
export const UPPER_BYTE = 24;
/** Bits that `bits` codes in one step. */
export const STEP_BITS = 16;
export const STEP = 2 ** STEP_BITS;

/** 1/2^FAST of the upper half of a number, and 1/2^SLOW of the lower one; each half is at most ONE. */
function stepOf(halves: number): number {
  return ((halves >>> FAST) & FAST_MASK) + ((halves >>> SLOW) & SLOW_MASK);
}

/** The two probabilities of a context after a 1. */
export function afterOne(model: number): number {
  return (model + stepOf((BOTH_ONE - model) | 0)) | 0;
}

/** The same after a 0. */
export function afterZero(model: number): number {
  return (model - stepOf(model)) | 0;
}

/** The part of a range that codes a 1. */
export function partOfOne(range: number, model: number): number {
  return Math.imul(range >>> ONE_BITS, ((model >>> HALF) + (model & LOW_HALF)) >>> 1);
}
