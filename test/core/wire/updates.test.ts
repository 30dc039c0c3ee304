import { describe, expect, test } from 'vitest';
import { MAX_PACKET_BYTES } from '../../../src/core/base/constants.ts';
import type { NumberKind } from '../../../src/core/wire/coder/contexts.ts';
import { ANY_UPDATE, BLOCK_UPDATED, UPDATED } from '../../../src/core/wire/coder/contexts.ts';
import type { Coder } from '../../../src/core/wire/coder/range-coder.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';
import type { PlainPacket } from '../../support/packets.ts';
import { code, encode, plainHeader } from '../../support/packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';
import { expectDecodedAlikeAt, RATES } from './packet-checks.ts';
import { author, circumstances, update } from './plain.ts';

/** Two blocks of 16, and one of 8. */
const BODIES = 40;
const CIRCUMSTANCES = { ...circumstances({}), bodies: BODIES };
const BLOCKS = [16, 16, 8];

function packetOf(...bodies: number[]): PlainPacket {
  const updates = bodies.map((body) => update({ body, kind: 'record', tick: -1 }));
  return { header: plainHeader(), authors: [author(100)], base: 0, updates };
}

/** A writer that announces updates in the blocks `empty`, and then writes that none of their bodies is updated. */
class Boaster implements Coder {
  readonly reads = false;
  readonly failed = false;
  readonly #writer = new RangeWriter(MAX_PACKET_BYTES);
  readonly #empty: readonly number[];
  #block = 0;
  #before = 0;

  constructor(empty: readonly number[]) {
    this.#empty = empty;
  }

  bit(context: number, bit: number): number {
    if (context === ANY_UPDATE) {
      this.#writer.bit(context, 1);
      // Without updates, the caller writes nothing more.
      if (bit === 0) BLOCKS.forEach(() => this.#announce(0));
    } else if (context >= BLOCK_UPDATED && context < BLOCK_UPDATED + 4) this.#announce(bit);
    else this.#writer.bit(context, bit);
    return bit;
  }

  #announce(bit: number): void {
    const boasts = this.#empty.includes(this.#block);
    const said = boasts ? 1 : bit;
    this.#writer.bit(BLOCK_UPDATED + this.#before, said);
    this.#before = ((this.#before << 1) | said) & 3;
    if (boasts) for (let body = 0; body < BLOCKS[this.#block]; body++) this.#writer.bit(UPDATED, 0);
    this.#block++;
  }

  bits(value: number, count: number): number {
    return this.#writer.bits(value, count);
  }

  range(value: number, low: number, high: number): number {
    return this.#writer.range(value, low, high);
  }

  number(kind: NumberKind, block: number, sign: number, value: number): number {
    return this.#writer.number(kind, block, sign, value);
  }

  fail(): void {
    this.#writer.fail();
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }
}

function boast(packet: PlainPacket, empty: readonly number[]): Uint8Array {
  const c = new Boaster(empty);
  code(c, CIRCUMSTANCES, packet);
  return c.finish();
}

describe('the updates of a packet', () => {
  test('may be of any bodies: at both ends of a block, in the shorter last block, or of none', () => {
    for (const bodies of [[0], [15], [16], [31, 32], [39], [0, 15, 16, 39], []]) {
      const packet = packetOf(...bodies);
      expect(decodeAlike(CIRCUMSTANCES, encode(CIRCUMSTANCES, packet)), bodies.join()).toEqual(packet);
    }
  });

  test('take little more room in a large world at rest', () => {
    const bytes = (bodies: number): number => encode({ ...CIRCUMSTANCES, bodies }, packetOf(5)).length;
    expect(bytes(4096) - bytes(BODIES)).toBeLessThanOrEqual(18);
  });

  test.each([
    ['a packet', packetOf(), []],
    ['the first block', packetOf(), [0]],
    ['the last block', packetOf(), [2]],
    ['the last block, after one that has some', packetOf(3), [2]],
  ])('[W1.2] announced for %s that updates no body are refused', (_, packet, empty) => {
    const refused = decodeAlike(CIRCUMSTANCES, boast(packet, empty));
    expect(refused).toBe('truncated or out of range');
  });

  test('a packet that announces no empty block is read', () => {
    expect(decodeAlike(CIRCUMSTANCES, boast(packetOf(3, 17), []))).toEqual(packetOf(3, 17));
  });
});

test.each(RATES)(
  '[W1.1] [B2.2] at %i ticks a second the project and STANDARD.md decode any packet alike',
  (rate) => {
    expectDecodedAlikeAt(rate, 0, 19);
  },
);
