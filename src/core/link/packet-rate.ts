import { TokenBucket } from './token-bucket.ts';

/**
 * The most packets that are read at once. After ten seconds without a network, the packets that waited somewhere all
 * arrive together.
 */
const PACKETS_AT_ONCE = 600;
/** Packets that are read each second besides: twice the full rate, since packets may be duplicated. */
const PACKETS_A_SECOND = 120;

/** [F1.2] A packet with more updates of bodies than this counts as several. Packets of honest guests seldom have more. */
const UPDATES_OF_ONE = 256;

/** [F1.2] @returns how many more packets a packet with so many updates counts as: 0 for a usual one. */
export function packetsBesides(updates: number): number {
  return Math.floor(Math.max(0, updates - 1) / UPDATES_OF_ONE);
}

/** [F1.2] @returns what limits the packets that are read from another peer, so that a flood costs only the counting. */
export function packetRate(): TokenBucket {
  return new TokenBucket(PACKETS_AT_ONCE, PACKETS_A_SECOND);
}
