import type { Coder } from './coder/range-coder.ts';

/** A shift that differs from the base's by -NEAR to NEAR - 1 steps is coded as that difference. */
const NEAR = 64;

/**
 * [K2.1] Codes an author's shift: the room's time less the author's ticks, in steps. Mostly it is that of the base.
 * @param base the author's shift in the base; null if the author is not in the base's table.
 * @returns the shift, 32 bits with a sign.
 */
export function codeShift(c: Coder, base: number | null, shift: number): number {
  if (base === null) return codeWhole(c, shift);
  const step = (shift - base) | 0;
  if (c.bits(step === 0 ? 1 : 0, 1) === 1) return base;
  if (c.bits(isNear(step) ? 1 : 0, 1) === 1) {
    const near = c.bits(step + NEAR, 7) - NEAR;
    if (near === 0) c.fail();
    return (base + near) | 0;
  }
  const whole = codeWhole(c, shift);
  if (isNear((whole - base) | 0)) c.fail();
  return whole;
}

function codeWhole(c: Coder, shift: number): number {
  return c.bits(shift & 0xffff, 16) | (c.bits(shift >>> 16, 16) << 16);
}

function isNear(step: number): boolean {
  return step >= -NEAR && step < NEAR;
}
