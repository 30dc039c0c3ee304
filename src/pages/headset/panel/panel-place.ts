import { HAND_SIDES } from '../../../core/base/ids.ts';
import { rotate, vector } from '../../../core/base/math.ts';
import type { HeadsetPlayer } from '../../../input/headset/headset-player.ts';
import type { PanelSurface } from '../../../view/headset/panel/panel-surface.ts';

/** Where a panel stands, relative to the player. */
export type PanelPlacement = {
  /** Metres: from the head to the panel along the floor, and from the floor to the panel's middle. */
  readonly away: number;
  readonly height: number;
  /** Radians to the left of the direction in which the player looks. */
  readonly left: number;
};

/** Metres: from farther away a panel can't be read. */
const FARTHEST = 3;

/**
 * Keeps a panel near the player. It moves the panel when the player is far from it, and in front of the
 * player when B or Y is pressed.
 */
export class PanelPlace {
  readonly #mesh: PanelSurface['mesh'];
  readonly #standing: PanelPlacement;
  readonly #ahead = vector();
  #isPlaced = false;

  constructor(mesh: PanelSurface['mesh'], standing: PanelPlacement) {
    this.#mesh = mesh;
    this.#standing = standing;
  }

  /** Call it once per frame, after the player's `beginFrame`. */
  update(player: Pick<HeadsetPlayer, 'drawn' | 'pressed'>): void {
    const { x, z } = player.drawn().head.position;
    const { position } = this.#mesh;
    const isFar = Math.hypot(position.x - x, position.z - z) > FARTHEST;
    const isCalled = HAND_SIDES.some((side) => player.pressed(side, 'upper'));
    if (isCalled) this.#place(player, 0);
    else if (isFar || !this.#isPlaced) this.#place(player, this.#standing.left);
    this.#isPlaced = true;
  }

  #place(player: Pick<HeadsetPlayer, 'drawn'>, left: number): void {
    const { position, rotation } = player.drawn().head;
    const { away, height } = this.#standing;
    rotate(rotation, FORWARD, this.#ahead);
    const yaw = Math.atan2(-this.#ahead.x, -this.#ahead.z) + left;
    this.#mesh.position.set(position.x - away * Math.sin(yaw), height, position.z - away * Math.cos(yaw));
    this.#mesh.rotation.set(0, yaw, 0);
  }
}

const FORWARD = vector(0, 0, -1);
