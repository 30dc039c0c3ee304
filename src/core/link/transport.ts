import type { Slot } from '../base/ids.ts';

/**
 * The state of the connection to a slot. `none`: there is no connection, and none is being made, as for the own slot or
 * a slot without a player. `closed`: there was a connection; one end closed it, or it broke.
 */
export type ConnectionState = 'none' | 'connecting' | 'open' | 'closed';

/**
 * Moves packets between a peer and the peers that it is connected to: unreliably, unordered, perhaps twice. It does not
 * look into packets. The peer's owner polls it. It calls only the `deliver` that `receive` is given, and only during
 * that call. No method throws, whatever the slot.
 *
 * When an end closes, the other end learns of it at once within one process, and later or never over a network. So
 * silence has to be judged separately ([F3]).
 */
export interface Transport {
  /** The state of the connection to a slot. */
  state(of: Slot): ConnectionState;

  /**
   * True if a packet sent now would leave at once; false while an earlier packet waits in the channel, and without an
   * open connection. The owner skips a packet rather than let it wait [F2].
   */
  ready(to: Slot): boolean;

  /**
   * Sends a packet of 0 to MAX_PACKET_BYTES bytes. The bytes are copied: the caller may reuse the array at once. If the
   * transport is not `ready`, the packet waits.
   *
   * @returns false if there is no open connection to the slot; then nothing is sent.
   */
  send(to: Slot, bytes: Uint8Array): boolean;

  /**
   * Hands out the packets that have arrived since the last call, those of each slot in the order of arrival. The bytes
   * are valid only during `deliver`. `deliver` may send and close; the remaining packets of a connection that it closes
   * are dropped.
   *
   * @param nowMs milliseconds, never decreasing; only simulated networks use it.
   */
  receive(nowMs: number, deliver: (from: Slot, bytes: Uint8Array) => void): void;

  /** Closes the connection, if there is one. Packets under way on it, in both directions, are dropped. */
  close(to: Slot): void;
}
