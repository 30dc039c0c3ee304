import { STATE } from '../../core/base/state.ts';
import { LEAST_STATE, MOST_STATE } from '../../core/wire/bodies/quantise.ts';
import { bitsFor } from '../../core/base/bits.ts';

/**
 * The cost of one update in schemes that the range coder is compared with. They count bits and write nothing.
 */

/** A state, and the state that the receiver has. */
export type Sample = {
  readonly count: number;
  readonly state: Int32Array;
  readonly baseline: Int32Array;
  /** The prediction of free flight from the baseline. */
  readonly flight: Int32Array;
  readonly rests: boolean;
  /** True if the baseline equals the state, and nothing is sent. */
  readonly known: boolean;
  /** Whether authority is sent, and whether it has changed. */
  readonly authority: boolean;
  readonly claimed: boolean;
};

/** Bits of each number of a state, and the factor by which its steps are finer than ours. */
export type Grid = { readonly widths: readonly number[]; readonly steps: readonly number[] };

export const OUR_GRID: Grid = {
  widths: Array.from(LEAST_STATE, (least, i) => bitsFor(MOST_STATE[i] - least)),
  steps: Array.from(LEAST_STATE, () => 1),
};
/** 2^-20 m, rotations at 20 bits, velocities within ±16 m/s and ±32 rad/s at 2^-20. */
export const SAMPLE_GRID: Grid = {
  widths: [27, 26, 27, 2, 20, 20, 20, 25, 25, 25, 26, 26, 26],
  steps: [256, 256, 256, 1, 32, 32, 32, 1024, 1024, 1024, 1024, 1024, 1024],
};

/** The first of each group of three numbers. */
const THREES = [STATE.position, STATE.rotation, STATE.linear, STATE.angular] as const;

/**
 * Fiedler's sample project: authority and two sequences; "unchanged" and the baseline's number; flags before a
 * state.
 */
const SAMPLE_AUTHORITY = 35;
const SAMPLE_HEAD = 17;
const SAMPLE_FLAGS = 2;
const SAMPLE_ABSOLUTE_FLAGS = 4;
/** Numbers up to these, in zig-zag, are small, or medium. */
const SMALL = 31;
const MIDDLING = 1023;
const SMALL_TOGETHER = 16;
const SMALL_BITS = 6;
const MIDDLING_BITS = 12;
const GREAT_FLAGS = 2;

/**
 * The packer of Fiedler's sample project: as shipped, or with the prediction that its inverted test kept from
 * running.
 */
export function sampleBits(sample: Sample, grid: Grid, mended: boolean): number {
  const head = bitsFor(sample.count - 1) + (sample.authority ? SAMPLE_AUTHORITY : 0) + SAMPLE_HEAD;
  if (same(sample.state, sample.baseline)) return head;
  const absolute = absoluteBits(sample, grid) + SAMPLE_ABSOLUTE_FLAGS;
  const turned = sample.state[STATE.largest] !== sample.baseline[STATE.largest];
  let best = absolute;
  if (!turned)
    best = Math.min(best, SAMPLE_FLAGS + sum(THREES, (at) => three(sample, sample.baseline, at, grid)));
  if (mended) {
    const rotation = sum([0, 1, 2, 3], (i) => grid.widths[STATE.largest + i]);
    const others = [STATE.position, STATE.linear, STATE.angular];
    const perfect = others.every((at) =>
      [0, 1, 2].every((i) => sample.state[at + i] === sample.flight[at + i]),
    );
    const predicted = perfect ? 0 : sum(others, (at) => three(sample, sample.flight, at, grid)) + 1;
    best = Math.min(best, rotation + 1 + predicted);
  }
  return head + best;
}

function three(sample: Sample, prediction: Int32Array, at: number, grid: Grid): number {
  const sizes = [0, 1, 2].map((i) => zigzag(sample.state[at + i] - prediction[at + i]) * grid.steps[at + i]);
  if (sizes.every((size) => size <= SMALL)) return SMALL_TOGETHER;
  return (
    1 +
    sum([0, 1, 2], (i) => {
      if (sizes[i] <= SMALL) return SMALL_BITS;
      return sizes[i] <= MIDDLING ? MIDDLING_BITS : grid.widths[at + i] + GREAT_FLAGS;
    })
  );
}

function absoluteBits(sample: Sample, grid: Grid): number {
  const end = sample.rests ? STATE.linear : grid.widths.length;
  return sum(grid.widths.slice(0, end), (bits) => bits);
}

/** Our bit packer of version 1: the flag, the baseline's age and the kind; the claim. */
const PACKER_HEAD = 10;
const PACKER_SAME_CLAIM = 1;
const PACKER_CLAIM = 38;
const PACKER_WIDTHS = [0, 2, 4, 6, 8, 10, 12] as const;
const PACKER_CLASS = 3;

/** Our bit packer of version 1, which the range coder replaced. */
export function packerBits(sample: Sample): number {
  if (sample.known) return 0;
  const claim = sample.authority ? PACKER_SAME_CLAIM + (sample.claimed ? PACKER_CLAIM : 0) : 0;
  const head = bitsFor(sample.count - 1) + PACKER_HEAD + claim + 1;
  if (same(sample.state, sample.baseline)) return head;
  const prediction = sample.rests ? sample.baseline : sample.flight;
  const turned = sample.state[STATE.largest] !== prediction[STATE.largest];
  const threes = sample.rests ? THREES.slice(0, 2) : THREES;
  const flags = sample.rests ? 1 : 2;
  return (
    head +
    flags +
    sum(threes, (at) => (at === STATE.rotation && turned ? 47 : packed(sample.state, prediction, at)))
  );
}

function packed(state: Int32Array, prediction: Int32Array, at: number): number {
  const bits = Math.max(...[0, 1, 2].map((i) => bitsFor(zigzag(state[at + i] - prediction[at + i]))));
  const width = PACKER_WIDTHS.find((w) => bits <= w);
  if (width !== undefined) return PACKER_CLASS + 3 * width;
  return PACKER_CLASS + sum([0, 1, 2], (i) => OUR_GRID.widths[at + i]);
}

function same(a: Int32Array, b: Int32Array): boolean {
  return a.every((value, i) => value === b[i]);
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function sum<T>(items: readonly T[], bits: (item: T) => number): number {
  return items.reduce((total, item) => total + bits(item), 0);
}
