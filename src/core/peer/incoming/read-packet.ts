import type { Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { PacketReader } from '../../wire/packet.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * Reads a packet whole, and changes nothing but the reader.
 * @param newestTicks gets each player's newest tick before the packet.
 * @returns the packet's sequence, or the reason for which it is rejected.
 */
export function readPacket(
  peer: PeerState,
  link: Link,
  reader: PacketReader,
  bytes: Uint8Array,
  newestTicks: Int32Array,
): number | string {
  const headFault = reader.readHead(bytes);
  if (headFault !== null) return headFault;
  if (reader.header.connection !== (link.connection & 0xffff)) return 'other connection';
  const barred = peer.policy.admit(peer, reader.header);
  if (barred !== null) return barred;
  const sequence = link.acks.unwrapReceived(reader.header.sequence);
  const judged = link.acks.classify(sequence);
  if (judged !== 'new') return judged;
  for (let i = 0; i < MAX_PLAYERS; i++) newestTicks[i] = peer.authors[i].newestTick;
  const from: Slot = link.slot;
  const fault = reader.readBody(from, sequence, link.received, newestTicks);
  // A packet that was read without its base, or with half of it, may look valid by chance [W4].
  if (reader.baseAge > 0 && !link.received.keeps(sequence - reader.baseAge)) return 'unknown baseline';
  return fault ?? peer.policy.check(reader, from) ?? sequence;
}
