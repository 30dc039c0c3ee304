import type { RapierRigidBody } from '@react-three/rapier';
import type { RefObject } from 'react';
import { createContext, useContext, useEffect, useInsertionEffect, useLayoutEffect, useMemo } from 'react';
import type { BodyId } from '../core/base/ids.ts';
import { toBody } from '../core/base/ids.ts';
import type { Room } from '../room/room.ts';
import type { MountedRoom } from './mounted-room.ts';

/** A SharedRoom, as components within see it. They are rendered again when it is another object. */
export type RoomContext = {
  readonly mounted: MountedRoom;
  /** Null until the page is in the room. */
  readonly room: Room<RapierRigidBody> | null;
};

/** The context of the SharedRoom around a component; null outside of any. */
export const roomContext = createContext<RoomContext | null>(null);

/** A body that the players of a room share. */
export type SharedBody = {
  readonly room: Room<RapierRigidBody>;
  /** Its id, for `room.peer.act` and for what a view has of it. */
  readonly id: BodyId;
};

/**
 * Shares the body of a RigidBody with the players of the room, from the time that the room opens. The component must be
 * mounted with its SharedRoom, on every page in the same order, and stay mounted as long.
 * @param ref the `ref` of one RigidBody: dynamic, at rest, without joints.
 * @returns null until the page is in the room.
 * @throws Error outside of a SharedRoom.
 */
export function useShared(ref: RefObject<RapierRigidBody | null>): SharedBody | null {
  const { mounted, room } = useRoomContext('useShared');
  // Fast Refresh ends an insertion effect and begins it again at once. When the component is unmounted it stays ended, and
  // the other two effects end after it: the first of them does not if a Suspense has hidden the component before.
  useInsertionEffect(() => mounted.share(ref), [mounted, ref]);
  useLayoutEffect(() => () => mounted.dropUnshared(), [mounted]);
  useEffect(() => () => mounted.dropUnshared(), [mounted]);
  return useMemo(() => {
    const index = mounted.indexOf(ref);
    return room === null || index < 0 ? null : { room, id: toBody(index) };
  }, [mounted, room, ref]);
}

/**
 * The room of the SharedRoom around a component. The component is rendered again when the room's players, status or host
 * change.
 * @returns null until the page is in the room.
 * @throws Error outside of a SharedRoom.
 */
export function useRoom(): Room<RapierRigidBody> | null {
  return useRoomContext('useRoom').room;
}

function useRoomContext(hook: string): RoomContext {
  const context = useContext(roomContext);
  if (context === null) throw new Error(`${hook} needs a SharedRoom around its component.`);
  return context;
}
