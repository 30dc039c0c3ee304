import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES, TICK_RATE } from '../../../src/core/base/constants.ts';
import { Random } from '../../../src/core/base/random.ts';
import {
  bitsToEach,
  checkLimits,
  SEND_LIMITS,
  SendBudget,
  SERVER_SEND_LIMITS,
} from '../../../src/core/link/send-budget.ts';

const BITS = 256_000;

/** The bits sent in each tick by a sender that wants to send so many bytes in it. */
function spend(wanted: (tick: number) => number, ticks: number, bits = BITS): number[] {
  const budget = new SendBudget();
  return Array.from({ length: ticks }, (_, tick) => {
    budget.refill(bits, TICK_RATE);
    const bytes = Math.min(budget.room, wanted(tick));
    budget.spend(bytes);
    return bytes * 8;
  });
}

function worstSecond(bits: readonly number[]): number {
  const seconds = bits.map((_, i) => bits.slice(i, i + TICK_RATE).reduce((a, b) => a + b, 0));
  return Math.max(...seconds);
}

describe('[W9] a budget', () => {
  test('[W9.1] is kept in every interval of a second, also after a pause', () => {
    const random = new Random(1);
    const ways = [
      () => 2000,
      (tick: number) => (tick % 90 < 45 ? 0 : 2000),
      () => random.below(1200),
      (tick: number) => (tick % 7 === 0 ? 1100 : 3),
    ];
    for (const way of ways) expect(worstSecond(spend(way, 600))).toBeLessThanOrEqual(BITS);
  });

  test('[W9.2] is used evenly, except for a sixteenth, by a sender that always has more to send', () => {
    const bits = spend(() => 2000, 600).slice(60);
    expect(bits.reduce((a, b) => a + b, 0) / (bits.length / TICK_RATE)).toBeGreaterThan(0.93 * BITS);
    expect(Math.max(...bits) - Math.min(...bits)).toBeLessThanOrEqual(8);
  });

  test('lets a whole packet go at once after a pause', () => {
    expect(spend((tick) => (tick === 30 ? 5000 : 0), 31)[30]).toBe(MAX_PACKET_BYTES * 8);
  });

  test('lets too long a packet go when the bucket is full, and then waits until it is paid for', () => {
    const budget = new SendBudget();
    for (let tick = 0; tick < 30; tick++) budget.refill(32_000, TICK_RATE);
    expect(budget.room).toBe(250);
    expect(budget.fits(400)).toBe(true);
    budget.spend(400);
    expect(budget.fits(10)).toBe(false);
    expect(budget.room).toBe(0);
    let waited = 0;
    for (; !budget.fits(10); waited++) budget.refill(32_000, TICK_RATE);
    expect(waited).toBe(3);
  });

  test('[N8.4] a dedicated host sends as much to each of 31 players as to one', () => {
    expect(bitsToEach(SERVER_SEND_LIMITS, 1)).toBe(512_000);
    expect(bitsToEach(SERVER_SEND_LIMITS, 31)).toBe(512_000);
    expect(() => checkLimits(SERVER_SEND_LIMITS)).not.toThrow();
  });

  test('[W9.1] is limited for each receiver, and for all together', () => {
    expect(bitsToEach(SEND_LIMITS, 1)).toBe(256_000);
    expect(bitsToEach(SEND_LIMITS, 3)).toBe(256_000);
    expect(bitsToEach(SEND_LIMITS, 7) * 7).toBeCloseTo(1_000_000, 6);
  });

  test('[W9.3] is refused if it is too small for hands, or not a number', () => {
    for (const limits of [{ eachKbps: 20 }, { allKbps: 31 }, { eachKbps: NaN }])
      expect(() => checkLimits({ ...SEND_LIMITS, ...limits })).toThrow(RangeError);
    expect(() => checkLimits(SEND_LIMITS)).not.toThrow();
  });
});
