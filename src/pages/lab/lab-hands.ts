import { TICK_SECONDS } from '../../core/base/constants.ts';
import type { Pose, Vector } from '../../core/base/math.ts';
import { addScaled, lookAt, pose, rotate, setVector, vector } from '../../core/base/math.ts';
import type { Hand } from '../../lab/game/hand.ts';
import { HAND_STEPS, handAt } from '../../lab/game/hand.ts';
import { VIEWER } from '../../lab/run.ts';
import type { LabScene } from '../../lab/game/scenes.ts';
import { ScriptedPlayer } from '../../lab/game/scripts.ts';
import type { PaneRectangle } from './panes.ts';

/** Half of the camera's vertical field of view, as a tangent; degrees for three. */
export const LAB_FIELD_OF_VIEW = 45;
const TANGENT = Math.tan((LAB_FIELD_OF_VIEW * Math.PI) / 360);
/** Metres: where the camera stands and looks, and half of the width that has to be in the picture. */
const CAMERA_HEIGHT = 5.2;
const CAMERA_BACK = 6.6;
/** Above the cubes, so that they lie in the lower half: the figures have the upper edge. */
const LOOKS_AT = vector(0, 0.9, 0);
const HALF_WIDTH = 4.4;
/** Metres a second of a hand that is moved by keys, and metres for a notch of the wheel. */
const KEY_SPEED = 3;
const NOTCH = 0.1;
const HIGHEST = 3;

/** Where the camera is in a pane of this shape: narrow ones see it from further off. */
export function labCamera(rectangle: PaneRectangle): Pose {
  const aspect = rectangle.width / Math.max(1, rectangle.height);
  const near = Math.hypot(CAMERA_HEIGHT, CAMERA_BACK);
  const scale = Math.max(1, HALF_WIDTH / (TANGENT * aspect) / near);
  const camera = pose();
  setVector(camera.position, 0, CAMERA_HEIGHT * scale, CAMERA_BACK * scale);
  lookAt(camera.position, LOOKS_AT, camera.rotation);
  return camera;
}

const KEYS: Readonly<Record<string, readonly [x: number, z: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
  KeyW: [0, -1],
  KeyS: [0, 1],
};

/** The hands of both players, which every model gets: scripts, and the viewer's own where it plays itself. */
export class LabHands {
  isOwn: boolean;
  readonly #scripts: readonly ScriptedPlayer[];
  readonly #place: Vector;
  readonly #held = new Set<string>();

  constructor(scene: LabScene, seed: number, isOwn: boolean) {
    this.#scripts = scene.homes.map((_, player) => new ScriptedPlayer(scene, player, seed));
    const home = scene.homes[VIEWER];
    this.#place = vector(home.x / HAND_STEPS, home.y / HAND_STEPS, home.z / HAND_STEPS);
    this.isOwn = isOwn;
  }

  /** The hands of a tick; ask once for each. */
  next(tick: number): Hand[] {
    const hands = this.#scripts.map((script) => script.hand(tick));
    if (!this.isOwn) return hands;
    for (const key of this.#held) {
      const [x, z] = KEYS[key];
      this.#place.x += x * KEY_SPEED * TICK_SECONDS;
      this.#place.z += z * KEY_SPEED * TICK_SECONDS;
    }
    hands[VIEWER] = handAt(this.#place);
    return hands;
  }

  /** The pointer is over a pane: the hand goes to what it points at, at the height that it has. */
  point(rectangle: PaneRectangle, x: number, y: number): void {
    const camera = labCamera(rectangle);
    const aspect = rectangle.width / Math.max(1, rectangle.height);
    const across = ((x - rectangle.left) / rectangle.width) * 2 - 1;
    const up = 1 - ((y - rectangle.top) / rectangle.height) * 2;
    setVector(direction, across * TANGENT * aspect, up * TANGENT, -1);
    rotate(camera.rotation, direction, direction);
    // Above the horizon it points at nothing.
    if (direction.y > -0.05) return;
    const way = (this.#place.y - camera.position.y) / direction.y;
    const height = this.#place.y;
    addScaled(camera.position, direction, way, this.#place);
    this.#place.y = height;
  }

  /** @returns true if the key moves the hand. */
  key(code: string, isDown: boolean): boolean {
    if (KEYS[code] === undefined) return false;
    if (isDown) this.#held.add(code);
    else this.#held.delete(code);
    return true;
  }

  lift(notches: number): void {
    this.#place.y = Math.max(0.34, Math.min(HIGHEST, this.#place.y - notches * NOTCH));
  }

  /** The page is left: no key is held any more. */
  rest(): void {
    this.#held.clear();
  }
}

const direction = vector();
