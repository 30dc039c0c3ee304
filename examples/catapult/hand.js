import { Plane, Raycaster, Vector2, Vector3 } from 'three';

/** Metres a second: no hand is faster. */
const FASTEST = 3;
/** Metres: the hand works so far before the plane of the game. */
const BEFORE = 0.25;

/**
 * Makes the mouse, or a finger, a hand in the plane of the game: it takes what it presses, and moves it.
 * @param hand of the input that the room reads.
 * @param findHold gives the nearest place that can be taken to a place that is pressed; null if there is none.
 * @returns a function to be called before each tick.
 */
export function planeHand(canvas, camera, hand, findHold) {
  const plane = new Plane(new Vector3(0, 0, 1));
  const [caster, pointer, target, offset] = [new Raycaster(), new Vector2(), new Vector3(), new Vector3()];
  const { position } = hand.pose;

  const aim = ({ offsetX, offsetY }) => {
    pointer.set((2 * offsetX) / canvas.clientWidth - 1, 1 - (2 * offsetY) / canvas.clientHeight);
    caster.setFromCamera(pointer, camera);
    caster.ray.intersectPlane(plane, target);
    hand.tracked = true;
  };
  canvas.addEventListener('pointermove', aim);
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    aim(event);
    const hold = findHold(target);
    if (hold === null) return;
    offset.set(hold.x - target.x, hold.y - target.y, 0);
    position.x = hold.x;
    position.y = hold.y;
    hand.grip = 1;
  });
  const letGo = () => {
    hand.grip = 0;
    offset.set(0, 0, 0);
  };
  canvas.addEventListener('pointerup', letGo);
  canvas.addEventListener('pointercancel', letGo);

  position.z = BEFORE;
  return () => {
    const x = target.x + offset.x - position.x;
    const y = Math.max(target.y + offset.y, 0.05) - position.y;
    const share = Math.min(1, FASTEST / 60 / Math.max(Math.hypot(x, y), 1e-9));
    position.x += x * share;
    position.y += y * share;
  };
}
