import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { describe, expect, test } from 'vitest';
import type { Circumstances, PlainPacket } from '../../support/packets.ts';
import { decode, encode, fromHex, toHex } from '../../support/packets.ts';
import { decodeAlike } from './standard/both-decoders.ts';
import { decodeByStandard } from './standard/decoder.ts';

/**
 * Golden vectors. Each file of test/vectors has a packet, the knowledge of both ends when it is sent, and its bytes in
 * hexadecimal. A change of a byte is a change of the protocol, and of STANDARD.md. After such a change,
 * UPDATE_VECTORS=1 in the environment writes the files again from the packets.
 */
type Vector = {
  readonly about: string;
  readonly circumstances: Circumstances;
  readonly packet: PlainPacket;
  readonly bytes: string;
};

const folder = new URL('../../vectors/', import.meta.url);
const names = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace(/\.json$/, ''));
if (process.env.UPDATE_VECTORS === '1') for (const name of names) await update(name);
const vectors: readonly (readonly [string, Vector])[] = names.map((name) => [name, read(name)]);

function read(name: string): Vector {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Vector;
}

async function update(name: string): Promise<void> {
  const vector = read(name);
  const bytes = toHex(encode(vector.circumstances, vector.packet));
  const { code } = await format(`${name}.json`, JSON.stringify({ ...vector, bytes }), { printWidth: 110 });
  writeFileSync(new URL(`${name}.json`, folder), code);
}

describe('[W1] golden vectors', () => {
  test.each(vectors)('[W1.1] %s encodes to its bytes', (_, { circumstances, packet, bytes }) => {
    expect(toHex(encode(circumstances, packet))).toBe(bytes);
  });

  test.each(vectors)('[W1.1] %s decodes from its bytes', (_, { circumstances, packet, bytes }) => {
    expect(decode(circumstances, fromHex(bytes))).toEqual(packet);
  });

  test.each(vectors)('[W1.1] %s decodes by STANDARD.md alone', (_, { circumstances, packet, bytes }) => {
    expect(decodeByStandard(circumstances, fromHex(bytes))).toEqual(packet);
  });

  test('[W3.1] have every kind of update, with and without a baseline', () => {
    const kinds = vectors.flatMap(([, { packet }]) =>
      packet.updates.map(({ kind, baselineAge }) => `${kind} ${baselineAge > 0 ? 'with' : 'without'}`),
    );
    const all = ['record', 'rest', 'motion'].flatMap((kind) => [`${kind} with`, `${kind} without`]);
    expect([...new Set(kinds)].sort()).toEqual(all.sort());
  });
});

describe('[W6] vectors gone wrong', () => {
  /** Expects that STANDARD.md refuses the bytes, too, or reads the same packet, and that this encodes to the bytes. */
  function expectRefusedOrWhole(circumstances: Circumstances, bytes: Uint8Array, what: string): void {
    const packet = decodeAlike(circumstances, bytes, what);
    if (typeof packet === 'string') return;
    expect(toHex(encode(circumstances, packet)), what).toBe(toHex(bytes));
  }

  test.each(vectors)(
    '%s, cut short anywhere, is refused or another packet',
    (_, { circumstances, bytes }) => {
      const whole = fromHex(bytes);
      for (let length = 0; length < whole.length; length++)
        expectRefusedOrWhole(circumstances, whole.subarray(0, length), `${length} bytes`);
    },
  );

  test.each(vectors)('[W6.1] %s, with more behind it, is refused', (_, { circumstances, bytes }) => {
    expect(decodeAlike(circumstances, fromHex(bytes + '00'))).toBe('trailing bits');
    expectRefusedOrWhole(circumstances, fromHex(bytes + 'ff'), 'ff');
    expect(decodeAlike(circumstances, fromHex(bytes.padEnd(2202, '0')))).toBe('too long');
  });

  test.each(vectors)('[W1.2] [W6.1] %s, with any bit flipped, is refused or another packet', (_, vector) => {
    const { circumstances, bytes } = vector;
    const whole = fromHex(bytes);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = whole.slice();
      flipped[bit >> 3] ^= 1 << (bit & 7);
      expectRefusedOrWhole(circumstances, flipped, `bit ${bit}`);
    }
  });
});
