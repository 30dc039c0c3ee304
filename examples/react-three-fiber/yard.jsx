import { CuboidCollider, RigidBody } from '@react-three/rapier';
import { useShared } from 'handover/react';
import { useRef } from 'react';

/** Metres a second that a click gives to a ball. */
const SPEED = 12;
/** The middles of the boxes: a pyramid of ten. */
const BOXES = [4, 3, 2, 1].flatMap((length, row) =>
  Array.from({ length }, (_, i) => [(i - (length - 1) / 2) * 0.62, 0.25 + row * 0.5, -2]),
);

/** A floor, a pyramid of boxes, and three balls before it. */
export function Yard() {
  return (
    <>
      <ambientLight intensity={1.2} />
      <directionalLight castShadow position={[4, 8, 5]} intensity={2} />
      <RigidBody type="fixed" colliders={false}>
        <CuboidCollider args={[10, 0.5, 8.5]} position={[0, -0.5, -1.5]} />
        <mesh receiveShadow position={[0, -0.5, -1.5]}>
          <boxGeometry args={[20, 1, 17]} />
          <meshStandardMaterial color="#9fb6a3" />
        </mesh>
      </RigidBody>
      {BOXES.map((position) => (
        <Box key={position} position={position} />
      ))}
      <Ball position={[-0.9, 0.3, 2]} colour="#c8453b" />
      <Ball position={[0, 0.3, 2]} colour="#3f7fbf" />
      <Ball position={[0.9, 0.3, 2]} colour="#d9a327" />
    </>
  );
}

function Box({ position }) {
  const body = useRef(null);
  useShared(body);
  return (
    <RigidBody ref={body} position={position}>
      <mesh castShadow receiveShadow>
        <boxGeometry args={[0.5, 0.5, 0.5]} />
        <meshStandardMaterial color="#e8dcc4" />
      </mesh>
    </RigidBody>
  );
}

/** A click kicks it away from who clicks. */
function Ball({ position, colour }) {
  const body = useRef(null);
  const shared = useShared(body);
  const kick = (event) => {
    event.stopPropagation();
    if (shared === null) return;
    const push = event.ray.direction
      .clone()
      .setY(0.1)
      .normalize()
      .multiplyScalar(SPEED * body.current.mass());
    shared.room.peer.act({ kind: 'impulse', body: shared.id, push, at: null });
  };
  return (
    <RigidBody ref={body} position={position} colliders="ball" linearDamping={0.2} angularDamping={0.4}>
      <mesh name="ball" castShadow onClick={kick}>
        <sphereGeometry args={[0.3, 32, 16]} />
        <meshStandardMaterial color={colour} />
      </mesh>
    </RigidBody>
  );
}
