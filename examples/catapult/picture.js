import * as THREE from 'three';
import { AvatarObjects, BodyObjects } from 'handover/three';
import { STATICS } from './level.js';

const PLAYERS = ['#d1495b', '#2e86ab', '#edae49', '#66a182', '#8d5a97', '#d97b29', '#3f6c51', '#7c7c7c'];
const BOXES = ['#e9d8a6', '#ee9b00', '#ca6702', '#94d2bd', '#0a9396'];

function meshOf(shape, color) {
  const geometry =
    shape.kind === 'ball'
      ? new THREE.SphereGeometry(shape.radius, 32, 16)
      : new THREE.BoxGeometry(...shape.halfExtents.map((half) => 2 * half));
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.6 }));
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** The arm: all parts of wood, but for the knob. */
function compoundOf(parts) {
  const group = new THREE.Group();
  for (const { shape, pose } of parts) {
    const mesh = meshOf(shape, shape.kind === 'ball' ? '#d1495b' : '#a87b4f');
    mesh.position.copy(pose.position);
    group.add(mesh);
  }
  return group;
}

/** The catapult, its balls and boxes, and other players' hands, as a room has them. @returns how to draw a frame. */
export function createPicture(level, holder) {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  holder.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#dde7ee');
  const sun = new THREE.DirectionalLight('#fff4e2', 2.5);
  sun.position.set(-1, 7, 5);
  sun.target.position.set(2, 0, 0);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -6, right: 6, top: 4, bottom: -3 });
  scene.add(new THREE.HemisphereLight('#ffffff', '#8d99a6', 2), sun, sun.target);
  const ground = new THREE.Mesh(
    new THREE.PlaneGeometry(80, 80),
    new THREE.MeshStandardMaterial({ color: '#b7c9a9' }),
  );
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  scene.add(ground);
  for (const { shape, pose } of STATICS) {
    const mesh = meshOf(shape, '#8fa3b3');
    mesh.position.copy(pose.position);
    scene.add(mesh);
  }

  const camera = new THREE.PerspectiveCamera();
  const resize = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    // From the balls on the left to the boxes on the right, at any width.
    const away = camera.aspect < 1 ? 14 : 9;
    camera.fov = Math.max(30, (360 / Math.PI) * Math.atan(4.6 / away / camera.aspect));
    camera.position.set(1.6, 2.4, away);
    camera.lookAt(1.6, 1.2, 0);
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', resize);
  resize();

  const remove = (object) => scene.remove(object);
  const bodies = new BodyObjects(level, {
    create(body, { shape }) {
      const colour = shape.kind === 'ball' ? '#26313d' : BOXES[body % BOXES.length];
      const object = shape.kind === 'compound' ? compoundOf(shape.parts) : meshOf(shape, colour);
      scene.add(object);
      return object;
    },
    remove,
  });
  const players = new AvatarObjects({
    create(slot) {
      const hand = meshOf({ kind: 'ball', radius: 0.06 }, PLAYERS[slot]);
      scene.add(hand);
      return { head: null, hands: [null, hand] };
    },
    remove: ({ hands }) => remove(hands[1]),
  });

  return {
    renderer,
    camera,
    /** @param view what the room shows. */
    draw(view) {
      bodies.update(view);
      players.update(view);
      renderer.render(scene, camera);
    },
  };
}
