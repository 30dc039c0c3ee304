import { expect } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { Circumstances, PlainPacket } from '../../support/packets.ts';
import { code, encode, toHex } from '../../support/packets.ts';
import { forSeeds } from '../../support/seeds.ts';
import { Liar } from './liars.ts';
import { randomExchange, withShifts } from './random-packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';

/** Checks of the packet reader on many random packets; `npm test` takes some, `npm run test:slow` takes all. */

/** [W1] Packets of these seeds are decoded alike by the project and by STANDARD.md, and encode to the same bytes. */
export function expectDecodedAlike(first: number, last: number): void {
  forSeeds(first, last, (seed) => {
    const { circumstances, packet } = randomExchange(new Random(seed));
    expectSameBytes(circumstances, packet);
  });
}

/** [W1] The same in a level with driven bodies, whose packets have shifts. */
export function expectShiftsDecodedAlike(first: number, last: number): void {
  forSeeds(first, last, (seed) => {
    const random = new Random(seed);
    const { circumstances, packet } = withShifts(random, randomExchange(random));
    expectSameBytes(circumstances, packet);
  });
}

/** Ticks a second that a room may have, other than the usual 60. */
export const RATES = [30, 45, 90, 120];

/** [B2.2] The same in rooms of so many ticks a second. */
export function expectDecodedAlikeAt(rate: number, first: number, last: number): void {
  forSeeds(first, last, (seed) => {
    const { circumstances, packet } = randomExchange(new Random(seed), rate);
    expectSameBytes(circumstances, packet);
  });
}

function expectSameBytes(circumstances: Circumstances, packet: PlainPacket): void {
  const bytes = encode(circumstances, packet);
  const read = decodeAlike(circumstances, bytes);
  expect(read).toEqual(packet);
  if (typeof read === 'string') return;
  expect(toHex(encode(circumstances, read))).toBe(toHex(bytes));
}

/** [W6.1] A number beyond its range, at any place of the packets of these seeds, is refused. Returns how many there were. */
export function expectLiesRefused(first: number, last: number): number {
  let lies = 0;
  forSeeds(first, last, (seed) => {
    const { circumstances, packet } = randomExchange(new Random(seed));
    for (let at = 0, liar = new Liar(at); ; liar = new Liar(++at)) {
      code(liar, circumstances, packet);
      if (!liar.lied) break;
      lies++;
      const bytes = liar.finish();
      const what = `lie ${at}`;
      expect(decodeAlike(circumstances, bytes, what), what).toBe('truncated or out of range');
    }
  });
  return lies;
}

/** [W6.1] So many packets that end in random bytes are refused, or are read as the packet that encodes to them. */
export function expectRandomBytesReadAlike(seed: number, packets: number): void {
  const random = new Random(seed);
  for (let run = 0; run < packets; run++) {
    const { circumstances, packet } = randomExchange(new Random(run % 100));
    const bytes = encode(circumstances, packet);
    for (let i = random.below(bytes.length); i < bytes.length; i++) bytes[i] = random.below(256);
    const read = decodeAlike(circumstances, bytes);
    if (typeof read !== 'string') expect(toHex(encode(circumstances, read))).toBe(toHex(bytes));
  }
}
