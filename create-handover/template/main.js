import { playerInput, RIGHT } from 'handover';
import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
import { BodyObjects } from 'handover/three';
import * as THREE from 'three';
import { mouseHand } from './mouse-hand.js';
import { createWorld, RADIUS } from './world.js';

// The picture.
const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#cfe3f1');
scene.add(new THREE.HemisphereLight('#ffffff', '#8899aa', 3));
const floor = new THREE.Mesh(new THREE.BoxGeometry(12, 0.1, 12), new THREE.MeshLambertMaterial());
floor.position.y = -0.05;
scene.add(floor);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 100);
camera.position.set(0, 6, 11);
camera.lookAt(0, 0, 0);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

// The player: the mouse is a hand.
const input = playerInput();
Object.assign(input.head.position, camera.position);
mouseHand(renderer.domElement, camera, input.hands[RIGHT]);

// The room: the page that opens without a link opens one, and its address brings friends.
const status = document.querySelector('#status');
const options = { ...createWorld(), input, broker: BROKER };
const room = await (
  readRoomLink(location.href) === null ? openRoom(options) : joinRoom(location.href, options)
).catch((error) => {
  status.textContent = error.message;
  throw error;
});
history.replaceState(null, '', room.link(location.href));

// The balls, wherever the room has them.
const colours = ['#d1495b', '#edae49', '#66a182', '#2e86ab', '#8d5a97'];
const balls = new BodyObjects(room.level, {
  create: (id) => {
    const material = new THREE.MeshLambertMaterial({ color: colours[id] });
    const ball = new THREE.Mesh(new THREE.SphereGeometry(RADIUS), material);
    scene.add(ball);
    return ball;
  },
  remove: (ball) => scene.remove(ball),
});

startTicker({
  frames: renderer,
  tick: () => room.tick(),
  frame: (alpha) => {
    balls.update(room.view(alpha));
    renderer.render(scene, camera);
    const others = room.players.length - 1;
    const invitation = 'Send this page’s address to a friend. Drag a ball, and let go in motion to throw it.';
    const news = others > 0 ? `You play with ${others}.` : invitation;
    status.textContent = room.error?.message ?? (room.status === 'left' ? 'You have left the room.' : news);
  },
});

// For whoever looks from outside: a test.
globalThis.room = room;
