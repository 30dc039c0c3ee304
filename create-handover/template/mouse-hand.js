import { PerspectiveCamera, Vector3 } from 'three';

/**
 * Makes the mouse, or a finger, a hand: it points from the camera into the picture, and grips while the button is down.
 * What it grips follows it; let go in motion to throw.
 * @param hand of the input that the room reads.
 */
export function mouseHand(canvas, camera, hand) {
  const arm = new PerspectiveCamera();
  const point = new Vector3();
  const aim = ({ offsetX, offsetY }) => {
    point.set((2 * offsetX) / canvas.clientWidth - 1, 1 - (2 * offsetY) / canvas.clientHeight, 0.5);
    arm.position.copy(camera.position);
    arm.lookAt(point.unproject(camera));
    Object.assign(hand.pose.position, arm.position);
    const { x, y, z, w } = arm.quaternion;
    Object.assign(hand.pose.rotation, { x, y, z, w });
    hand.tracked = true;
  };
  canvas.addEventListener('pointermove', aim);
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    aim(event);
    hand.grip = 1;
  });
  canvas.addEventListener('pointerup', () => (hand.grip = 0));
  canvas.addEventListener('pointercancel', () => (hand.grip = 0));
}
