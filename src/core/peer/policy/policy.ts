import type { BodyId, Slot } from '../../base/ids.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import type { PacketReader } from '../../wire/packet.ts';
import type { Link } from '../link.ts';

/**
 * The difference between host and guest, as a value, so that it can change while the peer runs. It has no state of
 * its own.
 * @template State PeerState; as a parameter, since PeerState has its policy as a field.
 */
export type Policy<State> = {
  readonly isHost: boolean;
  /** Returns null if a packet with this header is to be read, else the reason for which it is rejected. */
  admit(peer: State, header: PacketReader['header']): string | null;
  /**
   * Takes over a newer term or reset from the header of a packet that was read whole.
   * @returns true if the level began anew.
   */
  followHeader(peer: State, link: Link, header: PacketReader['header']): boolean;
  /** Returns null if the sender may send what the decoded packet contains, else the reason for rejection. */
  check(packet: PacketReader, from: Slot): string | null;
  /** Acts on a packet that was read whole. */
  receive(peer: State, packet: PacketReader, from: Slot, sequence: number): void;
  /** Writes to `out` the update of a body for a receiver; returns false if the receiver is to get none. */
  describe(peer: State, body: BodyId, to: Slot, out: BodyUpdate): boolean;
  /** True if a body's update has to be repeated though it was acked. */
  insists(peer: State, body: BodyId): boolean;
};
