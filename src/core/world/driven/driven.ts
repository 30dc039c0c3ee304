import type { Pose, ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import {
  addScaled,
  copyPose,
  fromAxisAngle,
  lerpPose,
  multiply,
  normalize,
  quaternion,
  rotate,
  vector,
} from '../../base/math.ts';
import type { Shape } from '../shape.ts';

/** Driven bodies in a level, at most: each costs every peer time in every tick. */
export const MAX_DRIVEN = 64;

/** The path of a driven body: a function of the room's time, the same on every peer. */
export type DrivenPath =
  /**
   * It turns for ever about an axis through a point of the world: a turntable, a carousel.
   * @property period seconds for a whole turn; below 0 it turns the other way.
   */
  | {
      readonly kind: 'turn';
      readonly pivot: ReadonlyVector;
      /** Its length does not count, but is not 0. */
      readonly axis: ReadonlyVector;
      readonly period: number;
    }
  /** It waits at its start, goes to another pose, waits there, and comes back, for ever: a lift, an automatic door. */
  | {
      readonly kind: 'shuttle';
      readonly to: ReadonlyPose;
      /** Seconds of one way. */
      readonly seconds: number;
      /** Seconds at each end. */
      readonly wait: number;
    }
  /** It stays, and its surface moves in metres a second: a belt. */
  | { readonly kind: 'belt'; readonly velocity: ReadonlyVector };

/** [K1] A body that nothing moves but the room's time. It pushes what it meets, and nothing pushes it. */
export type DrivenBody = {
  readonly shape: Shape;
  /** Where it is when the room's time begins. */
  readonly start: ReadonlyPose;
  readonly friction: number;
  readonly restitution: number;
  readonly path: DrivenPath;
};

/**
 * [K1.1] Where a driven body is.
 * @param seconds of the room's time; below 0 counts as 0.
 * @returns out.
 */
export function drivenPose({ start, path }: DrivenBody, seconds: number, out: Pose): Pose {
  const time = Math.max(0, seconds);
  switch (path.kind) {
    case 'turn': {
      const { pivot, axis, period } = path;
      const { x, y, z } = axis;
      const long = Math.sqrt(x * x + y * y + z * z);
      unit.x = x / long;
      unit.y = y / long;
      unit.z = z / long;
      const turns = time / period;
      fromAxisAngle(unit, 2 * Math.PI * (turns - Math.floor(turns)), turn);
      addScaled(start.position, pivot, -1, arm);
      addScaled(pivot, rotate(turn, arm, arm), 1, out.position);
      normalize(multiply(turn, start.rotation, out.rotation), out.rotation);
      return out;
    }
    case 'shuttle': {
      const { seconds: way, wait, to } = path;
      const half = way + wait;
      const halves = Math.floor(time / half);
      const share = ease(Math.max(0, time - halves * half - wait) / way);
      return lerpPose(start, to, halves % 2 === 0 ? share : 1 - share, out);
    }
    case 'belt':
      return copyPose(start, out);
  }
}

/** From 0 to 1 without a jerk: at most 1.5 times as fast as evenly. */
function ease(t: number): number {
  const share = Math.min(1, t);
  return share * share * (3 - 2 * share);
}

/** Work space of single calls. */
const unit = vector();
const arm = vector();
const turn = quaternion();
