import type { Random } from '../../src/core/base/random.ts';
import { MAX_PACKET_BYTES } from '../../src/core/base/constants.ts';

/** Bytes that stand at the edges of something, wherever they turn up. */
const EDGES = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];

/** Bytes at random: mostly few, now and then more than fit a packet. */
export function noise(random: Random): Uint8Array {
  const length = random.below(random.chance(0.05) ? 2 * MAX_PACKET_BYTES : 160);
  return Uint8Array.from({ length }, () => random.below(256));
}

/** The changes that may be made to the bytes of a real packet, a few at a time. */
const CHANGES: readonly ((bytes: number[], random: Random, other: Uint8Array) => void)[] = [
  (bytes, random) => void (bytes[random.below(bytes.length)] ^= 1 << random.below(8)),
  (bytes, random) => void (bytes[random.below(bytes.length)] = random.below(256)),
  (bytes, random) => void (bytes[random.below(bytes.length)] = EDGES[random.below(EDGES.length)]),
  (bytes, random) => void bytes.splice(random.below(bytes.length)),
  (bytes, random) => void bytes.splice(random.below(bytes.length), 1 + random.below(4)),
  (bytes, random) => void bytes.splice(random.below(bytes.length), 0, random.below(256)),
  (bytes, random) => void bytes.push(random.below(256)),
  (bytes, random, other) => {
    const at = random.below(bytes.length);
    bytes.splice(at, bytes.length, ...other.subarray(random.chance(0.5) ? at : random.below(other.length)));
  },
  (bytes, random) => {
    const at = random.below(bytes.length);
    bytes.splice(at, 0, ...bytes.slice(at, at + random.below(64)));
  },
];

/** A copy of a packet in which a few bytes are others, missing, or of another packet. */
export function mutatedBytes(random: Random, packet: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = [...packet];
  do {
    if (bytes.length === 0) bytes.push(random.below(256));
    CHANGES[random.below(CHANGES.length)](bytes, random, other);
  } while (random.chance(0.4));
  return Uint8Array.from(bytes);
}
