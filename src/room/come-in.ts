import { playerInput } from '../core/hands/hand-input.ts';
import type { RoomCode } from '../core/room/code.ts';
import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../core/base/constants.ts';
import { toSlot } from '../core/base/ids.ts';
import type { RigidBody } from '../physics/engine-types.ts';
import type { MemberKey } from '../session/member-key.ts';
import { RoomSession } from '../session/room-session.ts';
import type { Entry } from '../session/session-state.ts';
import type { Station } from '../transport/station.ts';
import { isAborted, untilIn } from './enter.ts';
import { RoomError } from './failures.ts';
import { assertInNoRoom, putInRoom } from './own-worlds.ts';
import type { MemberSettings, RoomParts } from './room.ts';
import { Room } from './room.ts';
import { newCode } from './seats.ts';
import type { SharedGame } from './shared-game.ts';

/** How a member comes into a room, on any platform. */
export type ComingIn<Body> = Pick<RoomParts<Body>, 'onChange' | 'onLeave'> & {
  /** It belongs to the room from now on. */
  readonly station: Station;
  readonly key: MemberKey;
  readonly code: RoomCode;
  readonly entry: Entry;
  readonly shared: SharedGame<Body>;
  readonly settings: MemberSettings;
};

/**
 * Comes into a room.
 * @returns when its world is known.
 * @throws RoomError if it can't, and RangeError for a slot that no player has, or a world that is in another room; then
 * everything is closed again.
 */
export async function comeIn<Body extends RigidBody>(coming: ComingIn<Body>): Promise<Room<Body>> {
  const { station, key, code, entry, shared, settings, onChange, onLeave } = coming;
  const { name = '', slot = toSlot(0), input = null, signal = null, onProgress } = settings;
  const { game, bodyOf } = shared;
  let session: RoomSession;
  try {
    if (isAborted(signal)) throw new RoomError('stopped');
    // A player that comes back into a large room wishes for its slot there.
    const slots = entry.role === 'host' ? MAX_ROOM_PLAYERS : MAX_SERVER_ROOM_PLAYERS;
    if (!Number.isInteger(slot) || slot < 0 || slot >= slots)
      throw new RangeError(`A player's \`slot\` is 0 to ${slots - 1}.`);
    // Another room may have taken the world since the settings were read.
    if (shared.world !== null) assertInNoRoom(shared.world);
    const avatar = input !== null;
    session = new RoomSession(station, { game, code, name, colour: slot, entry, key, avatar });
  } catch (error) {
    station.close();
    throw error;
  }
  if (shared.world !== null) putInRoom(shared.world, session);
  // At once: the project may free its world after it has stopped this.
  const leave = (): void => {
    if (session.status.kind !== 'left') session.leave(false);
  };
  signal?.addEventListener('abort', leave);
  try {
    await untilIn(session, {
      input: input ?? playerInput(),
      signal,
      onProgress: (progress) => onProgress?.(progress),
    });
    const { status } = session;
    if (status.kind === 'ended') throw new RoomError(status.why, null, status.cause);
    if (isAborted(signal)) throw new RoomError('stopped');
  } catch (error) {
    leave();
    throw error;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
  return new Room({ session, input, bodyOf, onChange, onLeave });
}

/**
 * How a host opens a new room.
 * @param capacity players at most: 1 to 8. 8 if left out.
 * @throws RangeError if nobody has said with which level.
 */
export function opening({ start }: Pick<SharedGame<unknown>, 'start'>, capacity = MAX_ROOM_PLAYERS): Entry {
  if (start === null) throw new RangeError('`start` is missing: a room opens with one of its levels.');
  const fresh = { anotherCode: newCode, lineage: null, saved: null, takenOver: false };
  return { role: 'host', scene: start, capacity, locked: false, ...fresh };
}
