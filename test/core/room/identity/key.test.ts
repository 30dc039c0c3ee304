import { describe, expect, test } from 'vitest';
import { readKey, readRoomId, readSignature } from '../../../../src/core/room/identity/key.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { FOUNDED, ROOM } from './lineage-samples.ts';

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

function base64url(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('base64url');
}

describe('[P1] a key and a signature', () => {
  test('[P1.1] of a browser are read: 200 of each', async () => {
    const { subtle } = globalThis.crypto;
    for (let i = 0; i < 200; i++) {
      const { privateKey, publicKey } = await subtle.generateKey(ECDSA, false, ['sign', 'verify']);
      const key = base64url(await subtle.exportKey('raw', publicKey));
      const signature = base64url(
        await subtle.sign(ECDSA, privateKey, new TextEncoder().encode(`text ${i}`)),
      );
      expect(readKey(key)).toBe(key);
      expect(readSignature(signature)).toBe(signature);
      expect([readKey(signature), readSignature(key)]).toEqual([null, null]);
    }
  });

  test('of simulated pages have the same form', () => {
    for (let i = 0; i < 200; i++) {
      const key = keyOf(`${i}`);
      expect(readKey(key)).toBe(key);
      expect(readSignature(signatureOf(key, ''))).not.toBeNull();
    }
  });

  test.each([
    null,
    7,
    '',
    keyOf('a').slice(1),
    `${keyOf('a')}A`,
    `C${keyOf('a').slice(1)}`,
    `${keyOf('a')}\n`,
  ])('%j is no key', (value) => expect(readKey(value)).toBeNull());

  test('[P3.1] the id of a room has 20 hexadecimal digits', () => {
    expect(readRoomId(ROOM)).toBe(ROOM);
    for (const value of [null, '', ROOM.slice(1), `${ROOM}0`, ROOM.replace(/./, 'g'), FOUNDED])
      expect(readRoomId(value)).toBeNull();
  });
});
