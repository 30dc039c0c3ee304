import { TICK_SECONDS } from '../../core/base/constants.ts';
import type { Pose, Vector } from '../../core/base/math.ts';
import { addScaled, lookAt, pose, rotate, setVector, vector } from '../../core/base/math.ts';
import type { Hand } from '../../lab/game/hand.ts';
import { HAND_STEPS, handAt } from '../../lab/game/hand.ts';
import { VIEWER } from '../../lab/run.ts';
import type { LabScene } from '../../lab/game/scenes.ts';
import { ScriptedPlayer } from '../../lab/game/scripts.ts';
import type { PaneRectangle } from './panes.ts';

/** The camera's vertical field of view in degrees, and the tangent of its half. */
export const LAB_FIELD_OF_VIEW = 45;
const TANGENT = Math.tan((LAB_FIELD_OF_VIEW * Math.PI) / 360);
/** Metres: the camera's place, and half of the width that must be visible. */
const CAMERA_HEIGHT = 5.2;
const CAMERA_BACK = 6.6;
/** A point above the cubes, so that the cubes are in the lower half: the figures are at the upper edge. */
const LOOKS_AT = vector(0, 0.9, 0);
const HALF_WIDTH = 4.4;
/** Metres per second of a hand moved by keys; metres per notch of the wheel; metres of its highest place. */
const KEY_SPEED = 3;
const NOTCH = 0.1;
const HIGHEST = 3;

/** Returns the camera's pose for a pane of this shape: in a narrow pane the camera stands farther away. */
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

/**
 * The hands of both players; every model gets the same. Scripts move them, or the viewer moves its own hand.
 */
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

  /** Returns the hands of a tick. Call it once per tick: keys move the hand at each call. */
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

  /**
   * Moves the hand to the point under the pointer, at its present height.
   * @param x, y the pointer, in pixels from the window's corner.
   */
  point(rectangle: PaneRectangle, x: number, y: number): void {
    const camera = labCamera(rectangle);
    const aspect = rectangle.width / Math.max(1, rectangle.height);
    const across = ((x - rectangle.left) / rectangle.width) * 2 - 1;
    const up = 1 - ((y - rectangle.top) / rectangle.height) * 2;
    setVector(direction, across * TANGENT * aspect, up * TANGENT, -1);
    rotate(camera.rotation, direction, direction);
    // The pointer is above the horizon: there is no such point.
    if (direction.y > -0.05) return;
    const way = (this.#place.y - camera.position.y) / direction.y;
    const height = this.#place.y;
    addScaled(camera.position, direction, way, this.#place);
    this.#place.y = height;
  }

  /** @returns true if this key moves the hand. */
  key(code: string, isDown: boolean): boolean {
    if (KEYS[code] === undefined) return false;
    if (isDown) this.#held.add(code);
    else this.#held.delete(code);
    return true;
  }

  /** Lowers the hand by notches of the wheel, within its limits. */
  lift(notches: number): void {
    this.#place.y = Math.max(0.34, Math.min(HIGHEST, this.#place.y - notches * NOTCH));
  }

  /** The page has lost the focus: releases all keys. */
  releaseKeys(): void {
    this.#held.clear();
  }
}

const direction = vector();
