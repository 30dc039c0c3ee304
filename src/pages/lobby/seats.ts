import type { RoomCode } from '../../core/room/code.ts';
import { isPerson } from '../../core/room/people.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import type { LeftRoom } from '../../storage/left-room.ts';
import { loadLeftRoom } from '../../storage/left-room.ts';
import type { StoredSeat } from '../../storage/seat.ts';
import { loadSeat } from '../../storage/seat.ts';
import { calledBy } from '../room/model.ts';
import { gameLevels } from '../../levels/levels.ts';
import { roomOfLink } from '../../room/link.ts';
import { entryAt } from '../../room/seats.ts';
import type { Entry } from '../../session/session-state.ts';
import type { GameSession } from '../room/session/session.ts';

/** Returns this tab's seat in the room, or null if it has none there. */
export function seatAt(code: RoomCode): StoredSeat | null {
  const seat = loadSeat(gameLevels);
  return seat?.code === code ? seat : null;
}

/**
 * Returns how this tab comes into a room: as the link and its seat there say.
 * @param readWorld returns the world of a scene with which the room goes on; null if there is none.
 */
export async function entryOf(
  code: RoomCode,
  readWorld: (scene: LevelRecipe) => Promise<SavedWorld | null>,
): Promise<Entry> {
  return lookingFor(code, await entryAt(seatAt(code), roomOfLink(), readWorld), loadLeftRoom());
}

/**
 * [F3.12] Returns the entry of a guest that looks longer for the room if the player has just left it: the room's new host
 * may not have opened its door yet.
 */
export function lookingFor(code: RoomCode, entry: Entry, left: LeftRoom | null): Entry {
  return entry.role === 'guest' && left?.code === code ? { ...entry, returns: true } : entry;
}

/** Returns the room that goes on when this page leaves it: others are in it, or [N1] its host is no person. Null if it ends. */
export function roomWithout({ code, room, slot, roster }: GameSession): LeftRoom | null {
  const others = (roster?.players ?? []).filter(
    (player) => player.slot !== slot && player.presence !== 'away',
  );
  const goesOn = others.length > 0 || (roster !== null && !isPerson({ slot: roster.host }));
  return code === null || !goesOn ? null : { code, room, players: others.map(calledBy) };
}
