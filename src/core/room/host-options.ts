import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_PLAYERS } from '../base/constants.ts';
import type { SceneChoice } from '../world/scene.ts';
import type { Roster } from './messages.ts';
import type { LineId } from './line.ts';

/** What the owner of a room is to do, in this order. */
export type HostEffect =
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  /** A player plays on this line, under a new connection. */
  | { readonly kind: 'seat'; readonly slot: Slot; readonly line: LineId; readonly connection: ConnectionId }
  /** The same connection goes on over another line: nothing is lost. */
  | { readonly kind: 'move'; readonly slot: Slot; readonly line: LineId }
  /** A player is absent [F3]: its bodies fall free [H6]. */
  | { readonly kind: 'unseat'; readonly slot: Slot };

/** [F4] What a host needs to keep to be known again, here or at the room's door. */
export type Tenure = {
  readonly term: number;
  /** Of its own seat, in case it comes back as a guest. */
  readonly secret: string;
  /** What it takes to answer at the room's door; every host of the room gets it. */
  readonly door: string;
};

export type HostRoomOptions = {
  readonly slot: Slot;
  readonly name: string;
  /** The host page's id at the broker. */
  readonly id: string;
  readonly scene: SceneChoice;
  /** Players at most, the host included. */
  readonly capacity: number;
  /** Makes a secret that nobody can guess. */
  readonly secret: () => string;
  /** Another than that of a new room. */
  readonly tenure?: Tenure;
  /** Who was in the room under the host before, and by which rules. */
  readonly inherits?: Roster;
};

/** What the owner knows of a player's packets. */
export type PacketTimes = {
  /** When a packet of this slot was last heard, on the clock of `tick`. */
  lastPacketMs(slot: Slot): number;
  /** Milliseconds, 0 before it is known. */
  roundTripMs(slot: Slot): number;
};

/** @throws RangeError if a room can't hold so many. */
export function checkCapacity(capacity: number): void {
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= MAX_PLAYERS) return;
  throw new RangeError(`a room holds 1 to ${MAX_PLAYERS} players, not ${capacity}`);
}
