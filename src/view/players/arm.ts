import type { ReadonlyVector, Vector } from '../../core/base/math.ts';
import { addScaled, length, setVector, vector } from '../../core/base/math.ts';

/** Metres: the bones of an arm. */
export const UPPER_ARM = 0.28;
export const FOREARM = 0.26;
/** The most by which an arm becomes longer, so that it still meets a hand that is a little too far away. */
export const MOST_STRETCH = 1.45;

/** An arm in a picture: its joints, and how much longer it is than its bones. */
export type Arm = { readonly elbow: Vector; readonly wrist: Vector; stretch: number };

const way = vector();
const bend = vector();

/**
 * Finds the elbow of an arm that reaches for a place, and the wrist: at that place, or as near as the arm can be.
 * @param pole the direction in which the elbow bends, for example down and outwards; of any length.
 */
export function reachWith(shoulder: ReadonlyVector, to: ReadonlyVector, pole: ReadonlyVector, out: Arm): Arm {
  setVector(way, to.x - shoulder.x, to.y - shoulder.y, to.z - shoulder.z);
  const wanted = length(way);
  // A hand in the shoulder has no direction.
  if (wanted < 1e-4) setVector(way, 0, -1, 0);
  else setVector(way, way.x / wanted, way.y / wanted, way.z / wanted);
  const straight = UPPER_ARM + FOREARM;
  out.stretch = Math.min(MOST_STRETCH, Math.max(1, wanted / straight));
  const [upper, fore] = [UPPER_ARM * out.stretch, FOREARM * out.stretch];
  const far = Math.min(wanted, upper + fore);
  const near = Math.max(far, Math.abs(upper - fore) + 0.02);
  const along = (near * near + upper * upper - fore * fore) / (2 * near);
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along));

  const shadow = way.x * pole.x + way.y * pole.y + way.z * pole.z;
  addScaled(pole, way, -shadow, bend);
  const size = length(bend);
  // An arm along the pole bends backwards.
  if (size < 1e-4) setVector(bend, 0, 0, 1);
  else setVector(bend, bend.x / size, bend.y / size, bend.z / size);
  addScaled(shoulder, way, along, out.elbow);
  addScaled(out.elbow, bend, aside, out.elbow);
  addScaled(shoulder, way, far, out.wrist);
  return out;
}
