import { MAX_ROOM_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { RoomCode } from '../core/room/code.ts';
import { readRoomCode } from '../core/room/code.ts';
import { readSlot } from '../core/room/fields.ts';
import { isPerson } from '../core/room/people.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { readRoomId } from '../core/room/identity/key.ts';
import type { Lineage } from '../core/room/identity/lineage.ts';
import { readLineage } from '../core/room/identity/lineage-reader.ts';
import { readLevelRecipe } from '../core/room/messages.ts';
import type { LevelRecipe, LevelSource } from '../core/world/level-reference.ts';
import type { Store } from './store.ts';
import { readFields, sessionStore } from './store.ts';

/** [F3] A player's seat in a room. A reloaded tab returns to it; other tabs do not see it. */
export type StoredSeat = GuestSeat | HostSeat;

type GuestSeat = {
  readonly role: 'guest';
  readonly code: RoomCode;
  readonly slot: Slot;
  /** [P3] The room, whoever has the code by now. */
  readonly room: RoomId;
};

type HostSeat = {
  readonly role: 'host';
  readonly code: RoomCode;
  readonly slot: Slot;
  readonly scene: LevelRecipe;
  /** Most players, this one included. */
  readonly capacity: number;
  readonly locked: boolean;
  /** True if nobody can know the code yet. */
  readonly isNew: boolean;
  /** [P5] Why this page was the room's host; null for a new room. */
  readonly lineage: Lineage | null;
  /** Other players were there, and may have gone on with the room under another host. */
  readonly hasGuests: boolean;
  /** The player took the room over from another host. */
  readonly takenOver: boolean;
};

const KEY = 'handover.seat';

/** Returns the stored seat; null if there is none, or if it is not valid. @param levels those of the game. */
export function loadSeat(levels: LevelSource, store: Store = sessionStore()): StoredSeat | null {
  const fields = readFields(store, KEY);
  const code = typeof fields?.code === 'string' ? readRoomCode(fields.code) : null;
  const slot = readSlot(fields?.slot);
  if (fields === null || code === null || slot === null || !isPerson({ slot })) return null;
  if (fields.role === 'guest') {
    const room = readRoomId(fields.room);
    return room === null ? null : { role: 'guest', code, slot, room };
  }
  if (fields.role !== 'host' || slot >= MAX_ROOM_PLAYERS) return null;
  const scene = readLevelRecipe(fields.scene);
  const { capacity } = fields;
  const isCapacity = typeof capacity === 'number' && Number.isInteger(capacity);
  if (scene === null || levels(scene) === null || !isCapacity || capacity < 1 || capacity > MAX_ROOM_PLAYERS)
    return null;
  return {
    role: 'host',
    code,
    slot,
    scene,
    capacity,
    locked: fields.locked === true,
    isNew: fields.isNew === true,
    lineage: readLineage(fields.lineage),
    hasGuests: fields.hasGuests === true,
    takenOver: fields.takenOver === true,
  };
}

export function saveSeat(seat: StoredSeat, store: Store = sessionStore()): void {
  store.write(KEY, JSON.stringify(seat));
}

/** Deletes the seat: the player has left and does not return by itself. */
export function clearSeat(store: Store = sessionStore()): void {
  store.write(KEY, null);
}
