import * as THREE from 'three';
import { AvatarObjects, BodyObjects } from 'handover/three';
import { BALL, BALL_RADIUS, PIN_OUTLINE, STATICS } from './lane.js';

const PLAYERS = ['#d1495b', '#2e86ab', '#edae49', '#66a182', '#8d5a97', '#d97b29', '#3f6c51', '#7c7c7c'];
const white = new THREE.MeshStandardMaterial({ color: '#f6f3ea', roughness: 0.4 });
const black = new THREE.MeshStandardMaterial({ color: '#26313d', roughness: 0.25 });

/** A mesh that throws a shadow and shows shadows. */
function meshOf(geometry, material) {
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** A pin as its players know it; the engine has it a little simpler. */
function pinMesh() {
  const profile = new THREE.SplineCurve([
    new THREE.Vector2(PIN_OUTLINE[0][0], -0.16),
    ...[
      [0.056, -0.08],
      [0.06, -0.03],
      [0.045, 0.05],
      [0.024, 0.11],
      [0.031, 0.17],
      [0.001, 0.2],
    ].map(([x, y]) => new THREE.Vector2(x, y)),
  ]).getPoints(24);
  return meshOf(new THREE.LatheGeometry(profile, 20), white);
}

/** The lane, its ball and its pins, and other players' hands, as a room has them. @returns how to draw a frame. */
export function createPicture(level, holder) {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  holder.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#dde7ee');
  const sun = new THREE.DirectionalLight('#fff4e2', 2.5);
  sun.position.set(-2, 6, 1);
  sun.target.position.set(0, 0, -4);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -6, right: 6, top: 3, bottom: -3 });
  scene.add(new THREE.HemisphereLight('#ffffff', '#8d99a6', 2), sun, sun.target);

  const floor = meshOf(new THREE.PlaneGeometry(40, 40), new THREE.MeshStandardMaterial({ color: '#b9c4cd' }));
  floor.rotation.x = -Math.PI / 2;
  scene.add(floor);
  STATICS.forEach(({ shape, pose }, i) => {
    const color = i < 3 ? '#d9b27c' : '#8fa3b3';
    const [x, y, z] = shape.halfExtents;
    const box = meshOf(new THREE.BoxGeometry(2 * x, 2 * y, 2 * z), new THREE.MeshStandardMaterial({ color }));
    box.position.copy(pose.position);
    scene.add(box);
  });
  const foulLine = new THREE.Mesh(new THREE.PlaneGeometry(1.05, 0.03), black);
  foulLine.rotation.x = -Math.PI / 2;
  foulLine.position.set(0, 0.152, 0);
  scene.add(foulLine);

  const camera = new THREE.PerspectiveCamera();
  const resize = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.fov = camera.aspect < 1 ? 62 : 42;
    camera.position.set(0, 1.8, 3.6);
    camera.lookAt(0, 0.1, camera.aspect < 1 ? -1.6 : -2.4);
    camera.updateProjectionMatrix();
  };
  addEventListener('resize', resize);
  resize();

  const remove = (object) => scene.remove(object);
  const bodies = new BodyObjects(level, {
    create(body) {
      const mesh = body === BALL ? meshOf(new THREE.SphereGeometry(BALL_RADIUS, 32, 16), black) : pinMesh();
      scene.add(mesh);
      return mesh;
    },
    remove,
  });
  const players = new AvatarObjects({
    create(slot) {
      const hand = new THREE.Mesh(
        new THREE.SphereGeometry(0.05),
        new THREE.MeshStandardMaterial({ color: PLAYERS[slot], transparent: true, opacity: 0.7 }),
      );
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
