import { field, NO_SLOT, POSE_STRIDE, sharedSchema } from 'handover';
import { ASIDE, BALL_STARTS, BALLS, BEHIND, BOX_STARTS, BOXES, FAR } from './level.js';

/** Everybody has the score; anybody asks for the boxes to be built up again. */
export const schema = sharedSchema({
  room: { down: field.number({ from: 0, to: BOXES.length }), building: field.flag() },
  events: { again: {} },
});

/** Metres by which a box has moved that counts as down. */
const MOVED = 0.2;

function placeOf({ poses }, body) {
  const [x, y, z] = poses.subarray(body * POSE_STRIDE);
  return { x, y, z };
}

function isFree({ resting, authority, self }, body) {
  return resting[body] === 1 && (authority[body] === NO_SLOT || authority[body] === self);
}

/** True if a ball is where no player can take it. */
function isLost({ x, z }) {
  return x > FAR || x < BEHIND || Math.abs(z) > ASIDE;
}

/** True if a box is not where it began. */
function isDown(view, i) {
  const { x, y, z } = placeOf(view, BOXES[i]);
  const { position } = BOX_STARTS[i];
  return Math.hypot(x - position.x, y - position.y, z - position.z) > MOVED;
}

/**
 * The host's part, after each tick: it counts the boxes that are down once they rest, brings balls back, and builds up
 * again.
 * @param events of the tick: `shared.events()`.
 */
export function judge(peer, view, events) {
  if (!peer.isHost) return;
  const { room } = peer.shared(schema);
  const move = (body, pose) => peer.act({ kind: 'teleport', body, pose });
  const rests = BOXES.every((body) => isFree(view, body));
  if (rests) room.set('down', BOXES.filter((_, i) => isDown(view, i)).length);
  if (events.some(({ name }) => name === 'again')) room.set('building', true);
  if (rests && room.get('building')) {
    BOXES.forEach((body, i) => {
      if (isDown(view, i)) move(body, BOX_STARTS[i]);
    });
    room.set('building', false);
  }
  BALLS.forEach((body, i) => {
    if (isFree(view, body) && isLost(placeOf(view, body))) move(body, BALL_STARTS[i]);
  });
}
