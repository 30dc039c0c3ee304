import { expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { encode, toHex } from '../../support/packets.ts';
import { forSeeds } from '../../support/seeds.ts';
import { randomExchange, withShifts } from './random-packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';

test('[K2.1] the shifts of a level with driven bodies are decoded alike by the project and by STANDARD.md, and encode to the same bytes', () => {
  forSeeds(0, 149, (seed) => {
    const random = new Random(seed);
    const { circumstances, packet } = withShifts(random, randomExchange(random));
    const bytes = encode(circumstances, packet);
    const read = decodeAlike(circumstances, bytes);
    expect(read).toEqual(packet);
    if (typeof read === 'string') return;
    expect(toHex(encode(circumstances, read))).toBe(toHex(bytes));
  });
}, 120_000);
