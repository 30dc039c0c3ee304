import RAPIER from '@dimforge/rapier3d-compat';
import { playerInput, POSE_STRIDE, RIGHT } from 'handover';
import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
import { planeHand } from './hand.js';
import { ARM, BALLS, BOXES, catapultLevel, knobOf } from './level.js';
import { createPicture } from './picture.js';
import { judge, schema } from './rules.js';

await RAPIER.init();

/** `npx --package=peer peerjs --port 9000` runs a broker on this machine. */
const broker = new URLSearchParams(location.search).get('broker') ?? 'http://localhost:9000/';
const status = document.querySelector('#status');
const input = playerInput();
const options = { engine: RAPIER, level: catapultLevel, schema, input, broker };
const room = await (
  readRoomLink(location.href) === null ? openRoom(options) : joinRoom(location.href, options)
).catch((error) => {
  status.textContent = error.message;
  throw error;
});
history.replaceState(null, '', room.link(location.href));

/** Metres: so far from a press a ball or the knob is still taken, so that a finger finds it. */
const REACH = 0.4;

/** The nearest ball, or the knob of the arm. */
function findHold(target) {
  const { poses } = room.view();
  const places = BALLS.map((body) => {
    const [x, y] = poses.subarray(body * POSE_STRIDE);
    return { x, y };
  });
  const [x, y, z, , , qz, qw] = poses.subarray(ARM * POSE_STRIDE);
  places.push(knobOf({ x, y, z }, { z: qz, w: qw }, {}));
  const away = (place) => Math.hypot(place.x - target.x, place.y - target.y);
  const nearest = places.reduce((best, place) => (away(place) < away(best) ? place : best));
  return away(nearest) < REACH ? nearest : null;
}

const picture = createPicture(catapultLevel, document.querySelector('#picture'));
const { renderer, camera } = picture;
const move = planeHand(renderer.domElement, camera, input.hands[RIGHT], findHold);
document.querySelector('button').addEventListener('click', () => room.peer.shared(schema).emit('again', {}));

startTicker({
  frames: renderer,
  tick() {
    move();
    room.tick();
    judge(room.peer, room.view(), room.peer.shared(schema).events());
  },
  frame(alpha) {
    picture.draw(room.view(alpha));
    const down = room.peer.shared(schema).room.get('down');
    document.querySelector('#score').textContent = `${down} of ${BOXES.length} boxes are down.`;
    const help = 'One holds the red knob down, the other puts a ball into the bowl. Then let go of the knob.';
    const others = room.players.length - 1;
    const news =
      others > 0 ? `You play with ${others}. ${help}` : `Send this page’s address to a friend. ${help}`;
    status.textContent = room.error?.message ?? (room.status === 'left' ? 'You have left the room.' : news);
  },
});

// For whoever looks from outside: the page's test.
globalThis.game = { room, camera, down: () => room.peer.shared(schema).room.get('down') };
