import type { Slot } from '../base/ids.ts';

/**
 * The connection to a slot. `none`: there is no such connection, and none is being made (one's own slot, a
 * slot that nobody has). `closed`: there was one, and this end or the other closed it, or it broke.
 */
export type ConnectionState = 'none' | 'connecting' | 'open' | 'closed';

/**
 * Moves packets between a peer and those that it is connected to: unreliably, unordered, perhaps twice, and
 * without a look inside. The peer's owner polls it; it calls nobody but the `deliver` that it is given, while
 * it is given. No method throws, whatever the slot.
 *
 * A closed end is noticed by the other when the network lets it be: at once in one process, later or never
 * elsewhere, so that silence has to be judged apart ([F3]).
 */
export interface Transport {
  state(of: Slot): ConnectionState;

  /**
   * True if a packet sent now would leave at once; false while an earlier one still waits in the channel, and
   * without an open connection. The owner skips a packet rather than let it wait [F2].
   */
  ready(to: Slot): boolean;

  /**
   * Sends a packet of 0 to MAX_PACKET_BYTES bytes. They are copied: the caller may use the array again at once.
   * A packet is sent even when not `ready`, and then waits.
   *
   * @returns false if there is no open connection to the slot, and nothing was sent.
   */
  send(to: Slot, bytes: Uint8Array): boolean;

  /**
   * Hands out what has arrived since the last call, in the order of its arrival from each slot. The bytes are
   * valid during `deliver` alone. `deliver` may send and close; what a connection that it closes still had is
   * dropped.
   *
   * @param nowMs milliseconds, never decreasing; a transport over a real network does not need it.
   */
  receive(nowMs: number, deliver: (from: Slot, bytes: Uint8Array) => void): void;

  /** Closes the connection, if there is one: what is under way on it, in both directions, is dropped. */
  close(to: Slot): void;
}
