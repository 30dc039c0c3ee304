import { describe, expect, test } from 'vitest';
import { PacketRateLimit } from '../../../src/core/link/packet-rate.ts';

/** How many of these moments, in milliseconds, are admitted. */
function admitted(rate: PacketRateLimit, moments: Iterable<number>): number {
  return [...moments].filter((ms) => rate.admits(ms)).length;
}

describe('[F1] the rate of packets from one peer', () => {
  const seconds = (count: number, everyMs: number, from = 0): number[] =>
    Array.from({ length: Math.round((count * 1000) / everyMs) }, (_, i) => from + i * everyMs);

  test('lets sixty a second through, twice over, for as long as it likes', () => {
    expect(admitted(new PacketRateLimit(), seconds(60, 1000 / 119))).toBe(60 * 119);
  });

  test('lets ten seconds of packets through at once, and no more', () => {
    const rate = new PacketRateLimit();
    expect(admitted(rate, Array<number>(5000).fill(0))).toBe(600);
    expect(admitted(rate, Array<number>(5000).fill(1000))).toBe(120);
    // A clock that goes back brings nothing.
    expect(admitted(rate, Array<number>(100).fill(0))).toBe(0);
    expect(admitted(rate, Array<number>(5000).fill(1000))).toBe(0);
    expect(admitted(rate, Array<number>(5000).fill(1e9))).toBe(600);
  });
});
