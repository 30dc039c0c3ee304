import { Random } from '../core/base/random.ts';
import type { RoomCode } from '../core/room/code.ts';
import { randomRoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import { roomIdOf } from '../core/room/identity/lineage.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../core/world/level-reference.ts';
import type { Session } from '../session/session.ts';
import type { Entry } from '../session/session-state.ts';
import type { StoredSeat } from '../storage/seat.ts';

/**
 * Returns how a tab comes into a room: as the link and its seat there say.
 * @param seat null if it has none there.
 * @param linked [P3] the room of the link; null if the link has only a code.
 * @param readWorld returns the world of a scene with which the room goes on; null if there is none.
 */
export async function entryAt(
  seat: StoredSeat | null,
  linked: RoomId | null,
  readWorld: (scene: LevelRecipe) => Promise<SavedWorld | null>,
): Promise<Entry> {
  if (seat === null) return { role: 'guest', returns: false, room: linked, orElse: null };
  if (seat.role === 'guest') return { role: 'guest', returns: true, room: linked ?? seat.room, orElse: null };
  const { scene, capacity, locked, lineage, isNew, hasGuests, takenOver } = seat;
  const saved = await readWorld(scene);
  const anotherCode = isNew ? newCode : null;
  const opening = { scene, capacity, locked, lineage, anotherCode, saved, takenOver };
  const room = lineage === null ? null : roomIdOf(lineage);
  // [F4] If the host left guests behind, they may have another host by now.
  return hasGuests ? { role: 'guest', returns: true, room, orElse: opening } : { role: 'host', ...opening };
}

/** Returns the seat to which a reload of this page comes back; null before the player is in. */
export function seatOf({ code, room, lineage, world, slot, roster, hasBegun }: Session): StoredSeat | null {
  if (code === null || world === null || slot === null || roster === null || room === null) return null;
  const { capacity, locked, players } = roster;
  if (lineage === null) return { role: 'guest', code, slot, room };
  const rules = { scene: world.choice, capacity, locked, isNew: false };
  const past = { lineage, hasGuests: players.length > 1, takenOver: !hasBegun };
  return { role: 'host', code, slot, ...rules, ...past };
}

/** Returns a code for a new room. */
export function newCode(): RoomCode {
  return randomRoomCode(random());
}

/** Returns a generator with a seed that nobody can guess. */
export function random(): Random {
  return new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
}
