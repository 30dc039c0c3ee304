import { Random } from '../../core/base/random.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { randomRoomCode } from '../../core/room/code.ts';
import { roomIdOf } from '../../core/room/identity/lineage.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import type { LeftRoom } from '../../storage/left-room.ts';
import type { StoredSeat } from '../../storage/seat.ts';
import { loadSeat } from '../../storage/seat.ts';
import { calledBy } from '../room/model.ts';
import { roomOfLink } from '../room/room-link.ts';
import type { Entry } from '../../session/session-state.ts';
import type { GameSession } from '../room/session/session.ts';

/** Returns this tab's seat in the room, or null if it has none there. */
export function seatAt(code: RoomCode): StoredSeat | null {
  const seat = loadSeat();
  return seat?.code === code ? seat : null;
}

/**
 * Returns how this tab comes into a room: as the link and its seat there say.
 * @param readWorld returns the world of a scene with which the room goes on; null if there is none.
 */
export async function entryAt(
  code: RoomCode,
  readWorld: (scene: LevelRecipe) => Promise<SavedWorld | null>,
): Promise<Entry> {
  const seat = seatAt(code);
  if (seat === null) return { role: 'guest', returns: false, room: roomOfLink(), orElse: null };
  if (seat.role === 'guest')
    return { role: 'guest', returns: true, room: roomOfLink() ?? seat.room, orElse: null };
  const { scene, capacity, locked, lineage, isNew, hasGuests, takenOver } = seat;
  const saved = await readWorld(scene);
  const anotherCode = isNew ? newCode : null;
  const opening = { scene, capacity, locked, lineage, anotherCode, saved, takenOver };
  const room = lineage === null ? null : roomIdOf(lineage);
  // [F4] If the host left guests behind, they may have another host by now.
  return hasGuests ? { role: 'guest', returns: true, room, orElse: opening } : { role: 'host', ...opening };
}

/** Returns the seat to which a reload of this page comes back; null before the player is in. */
export function seatOf({
  code,
  room,
  lineage,
  world,
  slot,
  roster,
  hasBegun,
}: GameSession): StoredSeat | null {
  if (code === null || world === null || slot === null || roster === null || room === null) return null;
  const { capacity, locked, players } = roster;
  if (lineage === null) return { role: 'guest', code, slot, room };
  const rules = { scene: world.choice, capacity, locked, isNew: false };
  const past = { lineage, hasGuests: players.length > 1, takenOver: !hasBegun };
  return { role: 'host', code, slot, ...rules, ...past };
}

/** Returns the room that goes on when this page leaves it; null if nobody else is in it. */
export function roomWithout({ code, room, slot, roster }: GameSession): LeftRoom | null {
  const others = (roster?.players ?? []).filter(
    (player) => player.slot !== slot && player.presence !== 'away',
  );
  return code === null || others.length === 0 ? null : { code, room, players: others.map(calledBy) };
}

/** Returns a code for a new room. */
export function newCode(): RoomCode {
  return randomRoomCode(random());
}

/** Returns a generator with a seed that nobody can guess. */
export function random(): Random {
  return new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
}
