import type { ReadonlyVector } from '../../core/base/math.ts';
import type { Joint, JointKind } from '../../core/world/joints/joint.ts';

/** A joint that is drawn: a rope, or a spring. */
export type Tether = Extract<Joint, { kind: 'rope' | 'spring' }>;

/** Straight pieces of which a tether is drawn, if a level has few of them. */
export const PIECES = { rope: 12, spring: 72 } as const;
/** Turns of a spring, and the radius of its coil in metres. */
const TURNS = 9;
const COIL_RADIUS = 0.045;
/** The share of a spring's length, at each end, over which the coil narrows to its hook. */
const HOOK = 0.08;

/** True for a joint, or a kind of joint, that is drawn. */
export function isTether<Kind extends JointKind>(joint: Kind): joint is Extract<Kind, Pick<Tether, 'kind'>> {
  return joint.kind === 'rope' || joint.kind === 'spring';
}

/**
 * Fills the points of a tether between its two ends.
 * @param floor metres: no point of a slack rope is lower; -Infinity without a floor.
 * @param pieces straight ones; with a single one it is a line.
 * @param out gets x, y, z of `pieces` + 1 points; the caller's.
 */
export function tetherPath(
  tether: Tether,
  from: ReadonlyVector,
  to: ReadonlyVector,
  floor: number,
  pieces: number,
  out: Float32Array,
): void {
  if (tether.kind === 'rope') ropePath(tether.length, from, to, floor, pieces, out);
  else springPath(from, to, pieces, out);
}

/**
 * A slack rope hangs in a parabola. Its sag is the one at which the parabola has the rope's length: exactly so for a
 * rope that is nearly taut, and within a seventh for one whose ends meet.
 */
function ropePath(
  length: number,
  from: ReadonlyVector,
  to: ReadonlyVector,
  floor: number,
  pieces: number,
  out: Float32Array,
): void {
  const [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
  const sag = Math.sqrt((3 / 16) * Math.max(0, length * length - (x * x + y * y + z * z)));
  for (let i = 0; i <= pieces; i++) {
    const share = i / pieces;
    const hangs = from.y + y * share - 4 * sag * share * (1 - share);
    out[3 * i] = from.x + x * share;
    out[3 * i + 1] = i === 0 || i === pieces ? hangs : Math.max(floor, hangs);
    out[3 * i + 2] = from.z + z * share;
  }
}

/** A spring is a coil about the line between its ends. */
function springPath(from: ReadonlyVector, to: ReadonlyVector, pieces: number, out: Float32Array): void {
  const [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
  const length = Math.hypot(x, y, z);
  // A direction across the line, from whichever axis is farther from it; and a second one across both.
  const isUpright = Math.abs(y) > 0.7 * length;
  const flat = Math.hypot(x, isUpright ? y : z) || 1;
  const across = isUpright ? [y / flat, -x / flat, 0] : [z / flat, 0, -x / flat];
  const along = length === 0 ? [0, 1, 0] : [x / length, y / length, z / length];
  const second = [
    along[1] * across[2] - along[2] * across[1],
    along[2] * across[0] - along[0] * across[2],
    along[0] * across[1] - along[1] * across[0],
  ];
  for (let i = 0; i <= pieces; i++) {
    const share = i / pieces;
    const radius = COIL_RADIUS * Math.min(1, share / HOOK, (1 - share) / HOOK);
    const angle = share * TURNS * 2 * Math.PI;
    const [c, s] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    out[3 * i] = from.x + x * share + c * across[0] + s * second[0];
    out[3 * i + 1] = from.y + y * share + c * across[1] + s * second[1];
    out[3 * i + 2] = from.z + z * share + c * across[2] + s * second[2];
  }
}
