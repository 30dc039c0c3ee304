import { Plane, Raycaster, Vector2, Vector3 } from 'three';
import { BALL_RADIUS, LANE } from './lane.js';

/** Metres a second: no swing is faster. */
const FASTEST = 8;
/** Metres: so far from the pointer the ball is still taken, so that a finger finds it. */
const REACH = 0.4;
/** Metres over the middle of the ball. */
const ABOVE = 0.3;
const DOWN = { x: -Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/**
 * Makes the mouse, or a finger, a hand over the lane: it takes the ball that it presses, and swings towards wherever it is
 * drawn. At the foul line the hand lets go.
 * @param hand of the input that the room reads.
 * @param ball where the ball is: a function that fills a vector, and returns it.
 * @returns a function to be called before each tick.
 */
export function bowlingHand(canvas, camera, hand, ball) {
  const plane = new Plane(new Vector3(0, 1, 0), -LANE.top - BALL_RADIUS);
  const [caster, pointer, target, from] = [new Raycaster(), new Vector2(), new Vector3(), new Vector3()];
  let isPressed = false;

  const aim = ({ offsetX, offsetY }) => {
    pointer.set((2 * offsetX) / canvas.clientWidth - 1, 1 - (2 * offsetY) / canvas.clientHeight);
    caster.setFromCamera(pointer, camera);
    // Above the horizon there is no place on the plane: the last one stays.
    caster.ray.intersectPlane(plane, target);
    hand.tracked = true;
  };
  canvas.addEventListener('pointermove', aim);
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    aim(event);
    isPressed = true;
    if (ball(from).distanceTo(target) > REACH) return;
    hand.pose.position.x = from.x;
    hand.pose.position.z = from.z;
    hand.grip = 1;
  });
  const end = () => (isPressed = false);
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);

  Object.assign(hand.pose.position, { x: 0, y: plane.constant * -1 + ABOVE, z: 1 });
  Object.assign(hand.pose.rotation, DOWN);
  return () => {
    const { position } = hand.pose;
    const [x, z] = [target.x - position.x, target.z - position.z];
    const share = Math.min(1, FASTEST / 60 / Math.max(Math.hypot(x, z), 1e-9));
    position.x += x * share;
    position.z += z * share;
    // A quick finger is gone before the hand has swung: the swing goes on to the line.
    const isSwung = position.z < 0.1 || (!isPressed && target.z > 0);
    if (isSwung) hand.grip = 0;
  };
}
