import { expect } from 'vitest';
import type { Malformed } from '../../../../src/core/wire/packet.ts';
import type { Circumstances, PlainPacket } from '../../../support/packets.ts';
import { decode } from '../../../support/packets.ts';
import { tryByStandard } from './decoder.ts';

/**
 * The reading of bytes by the project's reader: a packet, or the reason of its rejection. Expects the decoder
 * that is written from STANDARD.md to agree.
 * @param what a text that is shown if they differ.
 */
export function decodeAlike(
  circumstances: Circumstances,
  bytes: Uint8Array,
  what?: string,
): PlainPacket | Malformed {
  const read = decode(circumstances, bytes);
  expect(tryByStandard(circumstances, bytes), what).toEqual(typeof read === 'string' ? null : read);
  return read;
}
