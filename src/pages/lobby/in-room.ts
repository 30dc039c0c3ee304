import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { Profile } from '../../storage/profile.ts';
import { hasProfile } from '../../storage/profile.ts';
import { saveLeftRoom } from '../../storage/left-room.ts';
import { clearSeat, loadSeat, saveSeat } from '../../storage/seat.ts';
import { showRoomAddress } from '../../room/link.ts';
import type { GameSession } from '../room/session/session.ts';
import { seatOf } from '../../room/seats.ts';
import { gameLevels } from '../../levels/levels.ts';
import { roomWithout } from './seats.ts';

/** The memory of this tab for the room in which its player is, and changes of name and colour there. */

/** Keeps everything by which a reload comes back into the room: the address, the seat, and who else is there. */
export function remember(session: GameSession): void {
  const { code, room } = session;
  if (code === null) return;
  showRoomAddress(code, room);
  saveLeftRoom(roomWithout(session));
  const seat = seatOf(session);
  if (seat !== null) saveSeat(seat);
}

/**
 * @param profile the present one.
 * @returns the profile with another name. A player that has never chosen a colour keeps the one that it got.
 */
export function withName(profile: Profile, name: string): Profile {
  const colour = hasProfile() ? profile.colour : (loadSeat(gameLevels)?.slot ?? profile.colour);
  return { name, colour };
}

/**
 * Changes this tab's seat for one with another colour, once it has left its room. A colour is a slot: a guest comes in
 * again as somebody new, and a host, who was alone, opens its room anew.
 * @returns the code of the room that is to be entered; null if the tab had no seat.
 */
export function seatInColour(colour: Slot): RoomCode | null {
  const seat = loadSeat(gameLevels);
  if (seat === null) return null;
  if (seat.role === 'host') saveSeat({ ...seat, slot: colour, hasGuests: false });
  else clearSeat();
  return seat.code;
}
