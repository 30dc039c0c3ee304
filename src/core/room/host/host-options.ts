import type { ConnectionId, Slot } from '../../base/ids.ts';
import { DEDICATED_SLOT, MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../../base/constants.ts';
import type { LevelReference } from '../../world/level-reference.ts';
import type { PublicKey, RoomId } from '../identity/key.ts';
import type { Lineage } from '../identity/lineage.ts';
import type { LineId } from '../line.ts';
import type { Home, Roster } from '../messages.ts';
import { isLarge } from '../people.ts';
import type { Profile } from '../profile.ts';

/** A task for the owner of a HostRoom; `drain` hands them out in order. */
export type HostEffect =
  | { readonly kind: 'send'; readonly line: LineId; readonly text: string }
  | { readonly kind: 'close'; readonly line: LineId }
  /** [F4] Open a line from this page to the page with this id at the broker. */
  | { readonly kind: 'dial'; readonly page: string }
  /** A player plays on this line, under a new connection. */
  | { readonly kind: 'seat'; readonly slot: Slot; readonly line: LineId; readonly connection: ConnectionId }
  /** The same connection goes on over another line: nothing is lost. */
  | { readonly kind: 'move'; readonly slot: Slot; readonly line: LineId }
  /** A player is absent [F3]: its bodies fall free [H6]. */
  | { readonly kind: 'unseat'; readonly slot: Slot }
  /** [P1] Sign this text with this page's key, then call `signed`. */
  | { readonly kind: 'sign'; readonly text: string }
  /** [F4] The room's door has this secret from now on. */
  | { readonly kind: 'door'; readonly door: string };

/** [F4] The facts that a host must keep so that its players and the room's door know it again. */
export type Tenure = {
  /** [H8] 0 for the first host of a room; 0 to MAX_TERM. */
  readonly term: number;
  /** [P5] Why this page may be the room's host; it ends with this page's key and this term. */
  readonly lineage: Lineage;
  /** The secret that opens the room's door at the broker; every player of the room gets it. */
  readonly door: string;
  /** The last host that had a majority; null if this host has one, or is the first host of the room. */
  readonly home: Home | null;
};

/** [N3.7] The evidence in a snapshot by which a restored host recognises a host that its players chose meanwhile. */
export type RestoredFrom = {
  /** The lineage of before, without the new term. */
  readonly lineage: Lineage;
  /** The epoch of the last roster before the snapshot. */
  readonly epoch: number;
};

/** The settings of a host that opens a room, or goes on with a room. */
export type HostRoomOptions = {
  /** The host's own slot; DEDICATED_SLOT for a dedicated host [N1]. */
  readonly slot: Slot;
  readonly profile: Profile;
  /** The host page's id at the broker. */
  readonly id: string;
  readonly key: PublicKey;
  readonly level: LevelReference;
  /** [V1.3] The hash of the room's schema; left out without one. */
  readonly schema?: string | undefined;
  /** People at most, a host among them included: 1 to MAX_ROOM_PLAYERS; [N8.1] more only for a dedicated host. */
  readonly capacity: number;
  /** Makes a secret that nobody can guess. */
  readonly secret: () => string;
  /** Left out for a new room: then this page is its founder. */
  readonly tenure?: Tenure;
  /**
   * [P4] The epoch of the first roster that it signs; left out: 0. A host that was loaded again signs under the same
   * term: only later epochs keep its rosters and votes of before from being used again.
   */
  readonly epoch?: number;
  /** The roster under the host before; left out for a new room. */
  readonly inherits?: Roster;
  /** [F4.35] The host before comes, too, and keeps what it had. False if left out. */
  readonly awaitsHost?: boolean;
  /** [N3.7] Left out unless the host was restored from a snapshot. */
  readonly restoredFrom?: RestoredFrom;
  /** [P7.3] The room in which this page was before it had to found its own; left out or null if it had not to. */
  readonly formerRoom?: RoomId | null;
};

/** The times of the players' packets, as the owner of a HostRoom knows them. */
export type PacketTimes = {
  /** When the last packet of this slot came, on the clock of `tick`; -Infinity before the first. */
  lastPacketMs(slot: Slot): number;
  /** Milliseconds; 0 before it is known. */
  roundTripMs(slot: Slot): number;
};

/**
 * @param before the capacity of the room until now; left out for a new room.
 * @throws RangeError unless `capacity` is a whole number from 1 to as many as the room of this host may hold; and if a
 * small room would become large, or a large one small.
 */
export function checkCapacity(capacity: number, host: Slot, before = capacity): void {
  if (isLarge({ capacity }) !== isLarge({ capacity: before }))
    throw new RangeError(`a room for ${before} players can't become one for ${capacity}`);
  const most = host === DEDICATED_SLOT ? MAX_SERVER_ROOM_PLAYERS : MAX_ROOM_PLAYERS;
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= most) return;
  throw new RangeError(`a room holds 1 to ${most} players, not ${capacity}`);
}
