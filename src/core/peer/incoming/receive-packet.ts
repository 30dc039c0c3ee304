import type { Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import { packetsBesides } from '../../link/packet-rate.ts';
import type { PacketReader } from '../../wire/packet.ts';
import type { Traffic } from '../diagnostics/traffic.ts';
import type { PeerState } from '../peer-state.ts';
import { receiveShared } from '../shared/receive-shared.ts';
import { readPacket } from './read-packet.ts';
import { skippedTicks } from './skipped-ticks.ts';

/** The parts of a peer that take in its packets. */
export type Receiving = {
  readonly reader: PacketReader;
  /** Counts the packets from a slot. */
  readonly traffic: (from: Slot) => Traffic;
  /** The level has begun anew, by the header of the packet that is received. */
  readonly beginAnew: () => void;
};

/**
 * Takes in a packet: its acks first, then its players and bodies, then shared state and events.
 * @returns the reason for which it is rejected, or null.
 */
export function receivePacket(
  peer: PeerState,
  { reader, traffic, beginAnew }: Receiving,
  nowMs: number,
  from: Slot,
  bytes: Uint8Array,
): string | null {
  const link = peer.links[from];
  if (link === undefined || link === null) return 'unknown sender';
  if (!link.rate.take(nowMs)) return 'flood';
  const sequence = readPacket(peer, link, reader, bytes, newestTicks);
  if (typeof sequence === 'string') return sequence;
  // A host may send a whole world at once, so guests count its packets once each.
  const besides = peer.policy.isHost ? packetsBesides(reader.updateCount) : 0;
  if (besides > 0 && !link.rate.take(nowMs, besides)) return 'flood';
  const { header } = reader;
  if (peer.policy.followHeader(peer, link, header)) beginAnew();
  const packets = sequence - link.acks.newestReceived;
  const skippedMs = skippedTicks(reader, from, newestTicks[from], packets) * (1000 / peer.rate);
  link.acks.receive(sequence);
  link.receivedMs = nowMs;
  if (reader.updateCount > 0) link.owesAck = true;
  link.shared?.beginPacket(sequence, header);
  if (header.ack >= 0) link.acks.acknowledge(header.ack, header.ackBits, nowMs, link.acked, skippedMs);
  traffic(from).received(bytes.length);
  reader.keep(sequence, link.received);
  peer.policy.receive(peer, reader, from, sequence);
  receiveShared(peer, link, reader.shared);
  return null;
}

/** For each slot the newest tick before the packet that is being received. */
const newestTicks = new Int32Array(MAX_PLAYERS);
