/**
 * Rooms for React Three Fiber and @react-three/rapier: components share the bodies that they mount.
 *
 *     <Physics paused>
 *       <SharedRoom link={location.href} onRoom={(room) => history.replaceState(null, '', room.link(location.href))}>
 *         <Ball />
 *       </SharedRoom>
 *     </Physics>
 *
 *     function Ball() {
 *       const ref = useRef(null);
 *       const shared = useShared(ref);
 *       return <RigidBody ref={ref} colliders="ball" onClick={() => kick(shared)}>...</RigidBody>;
 *     }
 */
export type { SharedRoomSettings } from './mounted-room.ts';
export type { SharedRoomProps } from './shared-room.ts';
export { SharedRoom } from './shared-room.ts';
export type { SharedBody } from './room-context.ts';
export { useRoom, useShared } from './room-context.ts';
