/**
 * Vectors and quaternions as plain mutable objects. A function fills its last parameter, `out`, and returns it, so that
 * the steady state allocates nothing. Right-handed, y up, -z forward; metres, seconds, radians. Rotations are unit
 * quaternions.
 */
export type Vector = { x: number; y: number; z: number };
export type Quaternion = { x: number; y: number; z: number; w: number };
/** A position and a rotation. */
export type Pose = { readonly position: Vector; readonly rotation: Quaternion };

export type ReadonlyVector = Readonly<Vector>;
export type ReadonlyQuaternion = Readonly<Quaternion>;
export type ReadonlyPose = { readonly position: ReadonlyVector; readonly rotation: ReadonlyQuaternion };

/** A new vector. */
export function vector(x = 0, y = 0, z = 0): Vector {
  return { x, y, z };
}

/** A new quaternion; by default no rotation. */
export function quaternion(x = 0, y = 0, z = 0, w = 1): Quaternion {
  return { x, y, z, w };
}

/** A new pose: at the origin, not rotated. */
export function pose(): Pose {
  return { position: vector(), rotation: quaternion() };
}

/** Sets all three components. @returns `out`. */
export function setVector(out: Vector, x: number, y: number, z: number): Vector {
  out.x = x;
  out.y = y;
  out.z = z;
  return out;
}

/** Sets all four components. @returns `out`. */
export function setQuaternion(out: Quaternion, x: number, y: number, z: number, w: number): Quaternion {
  out.x = x;
  out.y = y;
  out.z = z;
  out.w = w;
  return out;
}

/** Copies a vector. @returns `out`. */
export function copyVector(from: ReadonlyVector, out: Vector): Vector {
  return setVector(out, from.x, from.y, from.z);
}

/** Copies a quaternion. @returns `out`. */
export function copyQuaternion(from: ReadonlyQuaternion, out: Quaternion): Quaternion {
  return setQuaternion(out, from.x, from.y, from.z, from.w);
}

/** Copies a pose. @returns `out`. */
export function copyPose(from: ReadonlyPose, out: Pose): Pose {
  copyVector(from.position, out.position);
  copyQuaternion(from.rotation, out.rotation);
  return out;
}

/** The length of v. */
export function length(v: ReadonlyVector): number {
  return Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/** The distance between two points. */
export function distance(a: ReadonlyVector, b: ReadonlyVector): number {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return Math.sqrt(x * x + y * y + z * z);
}

/** a + b·scale */
export function addScaled(a: ReadonlyVector, b: ReadonlyVector, scale: number, out: Vector): Vector {
  return setVector(out, a.x + b.x * scale, a.y + b.y * scale, a.z + b.z * scale);
}

/** The point on the line from a (t = 0) to b (t = 1). `out` may be either. */
export function lerpVector(a: ReadonlyVector, b: ReadonlyVector, t: number, out: Vector): Vector {
  return setVector(out, a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t);
}

/** v rotated by the unit quaternion q. `out` may be v. */
export function rotate(q: ReadonlyQuaternion, v: ReadonlyVector, out: Vector): Vector {
  const tx = 2 * (q.y * v.z - q.z * v.y);
  const ty = 2 * (q.z * v.x - q.x * v.z);
  const tz = 2 * (q.x * v.y - q.y * v.x);
  return setVector(
    out,
    v.x + q.w * tx + (q.y * tz - q.z * ty),
    v.y + q.w * ty + (q.z * tx - q.x * tz),
    v.z + q.w * tz + (q.x * ty - q.y * tx),
  );
}

/** v rotated by the inverse of the unit quaternion q. `out` may be v. */
export function rotateBack(q: ReadonlyQuaternion, v: ReadonlyVector, out: Vector): Vector {
  conjugate(q, back);
  return rotate(back, v, out);
}

/** The product a b: the rotation b, followed by a. `out` may be either. */
export function multiply(a: ReadonlyQuaternion, b: ReadonlyQuaternion, out: Quaternion): Quaternion {
  return setQuaternion(
    out,
    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  );
}

/** The inverse of a unit quaternion. `out` may be q. */
export function conjugate(q: ReadonlyQuaternion, out: Quaternion): Quaternion {
  return setQuaternion(out, -q.x, -q.y, -q.z, q.w);
}

/** q scaled to unit length; no rotation if its length is 1e-9 or less, or not a number. `out` may be q. */
export function normalize(q: ReadonlyQuaternion, out: Quaternion): Quaternion {
  const size = Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(size > 1e-9)) return setQuaternion(out, 0, 0, 0, 1);
  return setQuaternion(out, q.x / size, q.y / size, q.z / size, q.w / size);
}

/** Normalised linear interpolation from a to b on the shorter way; close to slerp for rotations that differ little. */
export function nlerp(a: ReadonlyQuaternion, b: ReadonlyQuaternion, t: number, out: Quaternion): Quaternion {
  const s = dot(a, b) < 0 ? -t : t;
  setQuaternion(
    out,
    a.x * (1 - t) + b.x * s,
    a.y * (1 - t) + b.y * s,
    a.z * (1 - t) + b.z * s,
    a.w * (1 - t) + b.w * s,
  );
  return normalize(out, out);
}

/** By how much the square of a unit rotation's length may differ from 1. Rounding to 32 bits gives a hundredth of it. */
const UNIT_SLACK = 1e-3;

/** True for a rotation of about unit length; false for one with a number that is not finite. */
export function isUnit({ x, y, z, w }: ReadonlyQuaternion): boolean {
  return Math.abs(x * x + y * y + z * z + w * w - 1) <= UNIT_SLACK;
}

/** The dot product of two quaternions; 1 or -1 if both are the same rotation. */
export function dot(a: ReadonlyQuaternion, b: ReadonlyQuaternion): number {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/** The angle in radians, 0 to pi, between two unit rotations. */
export function angleBetween(a: ReadonlyQuaternion, b: ReadonlyQuaternion): number {
  return 2 * Math.acos(Math.min(1, Math.abs(dot(a, b))));
}

/** Returns the same direction between -pi and pi, in radians. */
export function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** The rotation by `angle` radians about a unit axis. */
export function fromAxisAngle(axis: ReadonlyVector, angle: number, out: Quaternion): Quaternion {
  const s = Math.sin(angle / 2);
  return setQuaternion(out, axis.x * s, axis.y * s, axis.z * s, Math.cos(angle / 2));
}

/** The rotation that looks from `from` to `to` with -z forward and no roll. */
export function lookAt(from: ReadonlyVector, to: ReadonlyVector, out: Quaternion): Quaternion {
  const x = to.x - from.x;
  const y = to.y - from.y;
  const z = to.z - from.z;
  const yaw = Math.atan2(-x, -z);
  const pitch = Math.atan2(y, Math.sqrt(x * x + z * z));
  const [sy, cy, sp, cp] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(pitch / 2), Math.cos(pitch / 2)];
  return setQuaternion(out, cy * sp, sy * cp, -sy * sp, cy * cp);
}

/** The pose in the world of a pose that is given in the frame of `parent`. `out` may be `local`. */
export function composePose(parent: ReadonlyPose, local: ReadonlyPose, out: Pose): Pose {
  rotate(parent.rotation, local.position, out.position);
  addScaled(out.position, parent.position, 1, out.position);
  multiply(parent.rotation, local.rotation, out.rotation);
  return out;
}

/** The pose in the frame of `parent` of a pose in the world: the inverse of composePose. */
export function relativePose(parent: ReadonlyPose, world: ReadonlyPose, out: Pose): Pose {
  addScaled(world.position, parent.position, -1, out.position);
  rotateBack(parent.rotation, out.position, out.position);
  conjugate(parent.rotation, back);
  multiply(back, world.rotation, out.rotation);
  return out;
}

/** The pose between a (t = 0) and b (t = 1). */
export function lerpPose(a: ReadonlyPose, b: ReadonlyPose, t: number, out: Pose): Pose {
  lerpVector(a.position, b.position, t, out.position);
  nlerp(a.rotation, b.rotation, t, out.rotation);
  return out;
}

const back = quaternion();
