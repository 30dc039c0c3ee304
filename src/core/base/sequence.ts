import type { Sequence } from './ids.ts';

/** Arithmetic on wrapping 16-bit counters (as in RFC 1982): the newer of two is less than half the range ahead. */
const SIZE = 0x10000;
const HALF = 0x8000;

/** True if `a` is newer than `b`; a counter is never newer than itself. */
export function newer(a: Sequence, b: Sequence): boolean {
  const ahead = (a - b) & (SIZE - 1);
  return ahead !== 0 && ahead < HALF;
}

/** By how many steps `a` is ahead of `b`, -32768 to 32767. */
export function ahead(a: Sequence, b: Sequence): number {
  return (((a - b + HALF) & (SIZE - 1)) - HALF) | 0;
}

/** The counter after so many steps. */
export function advance(sequence: Sequence, steps = 1): Sequence {
  return ((sequence + steps) & (SIZE - 1)) as Sequence;
}

/**
 * The whole number with the low 16 bits `low` that is nearest to `reference`: packets carry only the low bits of
 * ticks and packet numbers. May be negative.
 */
export function unwrap(low: number, reference: number): number {
  return reference + ((((low - reference + HALF) & (SIZE - 1)) - HALF) | 0);
}
