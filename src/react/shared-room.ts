import { useFrame, useThree } from '@react-three/fiber';
import { useRapier } from '@react-three/rapier';
import type { ReactNode } from 'react';
import { createElement, useInsertionEffect, useLayoutEffect, useRef, useState } from 'react';
import { joinRoom, openRoom } from '../room/index.ts';
import { readRoomLink } from '../room/link.ts';
import type { ComeIn, SharedRoomSettings } from './mounted-room.ts';
import { MountedRoom } from './mounted-room.ts';
import type { RoomContext } from './room-context.ts';
import { roomContext } from './room-context.ts';

/** The settings of a room, and the components that share bodies. */
export type SharedRoomProps = SharedRoomSettings & { readonly children?: ReactNode };

/**
 * Opens a room, or comes into one, with the bodies that the components within share; steps the world; and places all
 * objects as the room has them. Put it into a `Physics` that is paused. It leaves the room when it is unmounted. When the
 * room is over, bodies stop where they are: give the `Physics` another `key` to begin anew.
 * @throws Error within a `Physics` that is not paused, or that has another SharedRoom.
 */
export function SharedRoom({ children, ...settings }: SharedRoomProps): ReactNode {
  const physics = useRapier();
  if (!physics.isPaused) throw new Error('SharedRoom needs <Physics paused>: the room steps the world.');
  const invalidate = useThree((state) => state.invalidate);
  const [mounted] = useState(() => new MountedRoom(physics, invalidate, comeIn));
  const [context, setContext] = useState<RoomContext>({ mounted, room: null });
  const [fault, setFault] = useState<Error | null>(null);
  if (fault !== null) throw fault;

  const latest = useRef(settings);
  useLayoutEffect(() => {
    latest.current = settings;
  });
  // An insertion effect ends before Physics frees its world and components remove their bodies. It goes on while a Suspense
  // hides the room.
  useInsertionEffect(() => {
    mounted.start({
      settings: () => latest.current,
      onChange: (room) => setContext({ mounted, room }),
      onError: (error) => {
        const { onError = setFault } = latest.current;
        onError(error);
      },
    });
    return () => mounted.stop();
  }, [mounted]);
  useFrame((_state, _delta, xrFrame) => mounted.frame(xrFrame ?? null), BEFORE_OTHERS);
  return createElement(roomContext.Provider, { value: context }, children);
}

const comeIn: ComeIn = (link, game) => (readRoomLink(link) === null ? openRoom(game) : joinRoom(link, game));

/** The priority of its frames: objects are placed before other components read them. Fiber still draws if it is negative. */
const BEFORE_OTHERS = -1;
