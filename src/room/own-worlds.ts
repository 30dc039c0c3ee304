import type { World } from '../physics/engine-types.ts';
import type { RoomSession } from '../session/room-session.ts';

/** The room in which each project's own world is: only one room may step a world. */
const sessions = new WeakMap<World, RoomSession>();

/** The world is in this session's room until that is over or left. */
export function putInRoom(world: World, session: RoomSession): void {
  sessions.set(world, session);
}

/** @throws RangeError for a world that a room still steps. */
export function assertInNoRoom(world: World): void {
  const kind = sessions.get(world)?.status.kind ?? 'left';
  if (kind !== 'left' && kind !== 'ended')
    throw new RangeError('This `world` is in a room already. Call `dispose` of that room first.');
}
