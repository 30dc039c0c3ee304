import { describe, expect, test } from 'vitest';
import { packetRate } from '../../../src/core/link/packet-rate.ts';
import type { TokenBucket } from '../../../src/core/link/token-bucket.ts';

/** How many packets at these times, in milliseconds, are admitted. */
function admitted(rate: TokenBucket, moments: Iterable<number>): number {
  return [...moments].filter((ms) => rate.take(ms)).length;
}

describe('[F1] the rate of packets from one peer', () => {
  const seconds = (count: number, everyMs: number, from = 0): number[] =>
    Array.from({ length: Math.round((count * 1000) / everyMs) }, (_, i) => from + i * everyMs);

  test('[F1.2] admits twice sixty packets a second without end', () => {
    expect(admitted(packetRate(), seconds(60, 1000 / 119))).toBe(60 * 119);
  });

  test('[F1.2] admits the packets of ten seconds at once, and no more', () => {
    const rate = packetRate();
    expect(admitted(rate, Array<number>(5000).fill(0))).toBe(600);
    expect(admitted(rate, Array<number>(5000).fill(1000))).toBe(120);
    // A clock that goes back adds no tokens.
    expect(admitted(rate, Array<number>(100).fill(0))).toBe(0);
    expect(admitted(rate, Array<number>(5000).fill(1000))).toBe(0);
    expect(admitted(rate, Array<number>(5000).fill(1e9))).toBe(600);
  });
});
