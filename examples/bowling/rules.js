import { field, NO_SLOT, POSE_STRIDE, sharedSchema } from 'handover';
import { APPROACH, BALL, BALL_START, LANE, PIN_RACK, PIN_SPOTS, PINS } from './lane.js';
import { framesOf, isGameOver, standingIn } from './score.js';

/** Everybody has the score: a character for each roll, X for ten pins. All else follows from it. */
export const schema = sharedSchema({ room: { rolls: field.text(21) } });

/** The pins that fell in each roll so far, as this player knows it. */
export function rollsOf(peer) {
  return [...peer.shared(schema).room.get('rolls')].map((roll) => (roll === 'X' ? 10 : Number(roll)));
}

function placeOf(view, body) {
  const [x, y, z] = view.poses.subarray(body * POSE_STRIDE);
  return { x, y, z };
}

/** True if a pin is upright on the lane. */
function stands(view, pin) {
  const { x, y, z } = placeOf(view, pin);
  const [, , , qx, , qz] = view.poses.subarray(pin * POSE_STRIDE);
  const tilt = 2 * (qx * qx + qz * qz);
  return tilt < 0.1 && y > LANE.top && Math.abs(x) < LANE.half + 0.05 && z > LANE.end;
}

/** True if a body rests, and nobody has it: then the host may move it. */
function isFree(view, body) {
  const has = view.authority[body];
  return view.resting[body] === 1 && (has === NO_SLOT || has === view.self);
}

/**
 * The host's part, after each tick: once the ball has left the approach and all is at rest, it counts, brings the ball
 * back, and puts fallen pins aside, or all of them up again. It remembers nothing, so who becomes host goes on with it.
 * @param view of the peer, at the tick's end.
 */
export function judge(peer, view) {
  if (!peer.isHost || ![BALL, ...PINS].every((body) => isFree(view, body))) return;
  const ball = placeOf(view, BALL);
  if (ball.z > 0 && ball.z < APPROACH.end && Math.abs(ball.x) < APPROACH.half) return;
  const move = (body, pose) => peer.act({ kind: 'teleport', body, pose });
  if (move(BALL, BALL_START) !== null) return;

  const rolls = rollsOf(peer);
  if (isGameOver(rolls)) rolls.length = 0;
  const upright = PINS.filter((pin) => stands(view, pin));
  rolls.push(Math.max(0, standingIn(framesOf(rolls).at(-1)) - upright.length));
  const text = rolls.map((pins) => (pins === 10 ? 'X' : pins)).join('');
  peer.shared(schema).room.set('rolls', text);

  const isNewFrame = isGameOver(rolls) || standingIn(framesOf(rolls).at(-1)) === 10;
  PINS.forEach((pin, i) => {
    if (isNewFrame) move(pin, PIN_SPOTS[i]);
    else if (!upright.includes(pin)) move(pin, PIN_RACK[i]);
  });
}
