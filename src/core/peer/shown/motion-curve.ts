import type { Quaternion } from '../../base/math.ts';
import {
  fromAxisAngle,
  multiply,
  nlerp,
  quaternion,
  setQuaternion,
  setVector,
  vector,
} from '../../base/math.ts';
import { MOTION, STRIDE } from '../../base/state.ts';

/**
 * [T7.3] The motion of a body between two others: on the cubic that has their positions and velocities at its ends
 * (Hermite interpolation), but never lower than the lower end. The rotation is a blend of two: the first one turned on,
 * and the last one turned back, each at its own angular velocity. A motion is STRIDE numbers, at index `at` of each
 * array.
 * @param from the motion at the beginning, `to` the one at the end.
 * @param ticks since the beginning, 0 or more; from `span` on it is the end.
 * @param span ticks between the two, at least 1.
 * @param tickSeconds seconds in a tick.
 * @param out gets the motion.
 */
export function curveMotion(
  from: Float32Array,
  to: Float32Array,
  at: number,
  ticks: number,
  span: number,
  tickSeconds: number,
  out: Float32Array,
): void {
  if (ticks >= span) {
    for (let i = at; i < at + STRIDE; i++) out[i] = to[i];
    return;
  }
  const share = ticks / span;
  const rest = 1 - share;
  const blend = share * share * (3 - 2 * share);
  const seconds = span * tickSeconds;
  const v = at + MOTION.linear;
  for (let i = 0; i < 3; i++) {
    const way = to[at + i] - from[at + i];
    let begins = from[v + i];
    let ends = to[v + i];
    if (i === 1) {
      // With these limits the cubic stays above its lower end. A bounce off the floor on the way is not shown.
      begins = Math.max(begins, (3 * Math.min(0, way)) / seconds);
      ends = Math.min(ends, (3 * Math.max(0, way)) / seconds);
    }
    out[at + i] = from[at + i] + way * blend + (begins * rest - ends * share) * share * rest * seconds;
    const mean = (6 * way * share * rest) / seconds;
    out[v + i] = mean + begins * rest * (1 - 3 * share) + ends * share * (1 - 3 * rest);
  }
  for (let i = at + MOTION.angular; i < at + STRIDE; i++) out[i] = from[i] + (to[i] - from[i]) * share;
  turn(from, at, ticks, tickSeconds, first);
  turn(to, at, ticks - span, tickSeconds, last);
  put(nlerp(first, last, blend, first), out, at);
}

/**
 * [T7.4] The motion of a body that keeps its velocities. It falls no lower than the engine has it, which knows the floor.
 * @param from its motion when it began, at index `at`.
 * @param engine its motion in the engine now, at index `at`.
 * @param ticks since it began, 0 or more.
 * @param tickSeconds seconds in a tick.
 * @param out gets the motion, at index `at`.
 */
export function coast(
  from: Float32Array,
  engine: Float32Array,
  at: number,
  ticks: number,
  tickSeconds: number,
  out: Float32Array,
): void {
  const v = at + MOTION.linear;
  for (let i = at; i < at + STRIDE; i++) out[i] = from[i];
  if (ticks === 0) return;
  for (let i = 0; i < 3; i++) out[at + i] += from[v + i] * ticks * tickSeconds;
  if (from[v + 1] < 0 && out[at + 1] < engine[at + 1]) {
    out[at + 1] = engine[at + 1];
    out[v + 1] = engine[v + 1];
  }
  put(turn(from, at, ticks, tickSeconds, first), out, at);
}

/** The rotation of a body that has turned on at its angular velocity for so many ticks, or will have if negative. */
function turn(
  motion: Float32Array,
  at: number,
  ticks: number,
  tickSeconds: number,
  out: Quaternion,
): Quaternion {
  const r = at + MOTION.rotation;
  const w = at + MOTION.angular;
  setQuaternion(out, motion[r], motion[r + 1], motion[r + 2], motion[r + 3]);
  const speed = Math.sqrt(motion[w] ** 2 + motion[w + 1] ** 2 + motion[w + 2] ** 2);
  if (speed === 0) return out;
  setVector(axis, motion[w] / speed, motion[w + 1] / speed, motion[w + 2] / speed);
  return multiply(fromAxisAngle(axis, speed * ticks * tickSeconds, turned), out, out);
}

function put(q: Readonly<Quaternion>, out: Float32Array, at: number): void {
  const r = at + MOTION.rotation;
  out[r] = q.x;
  out[r + 1] = q.y;
  out[r + 2] = q.z;
  out[r + 3] = q.w;
}

/** Work space of single calls. */
const first = quaternion();
const last = quaternion();
const turned = quaternion();
const axis = vector();
