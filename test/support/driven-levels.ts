import type { Pose } from '../../src/core/base/math.ts';
import { quaternion, vector } from '../../src/core/base/math.ts';
import type { DrivenBody, DrivenPath } from '../../src/core/world/driven/driven.ts';
import type { Level, Template } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';

/** Metres: x, y (up), z. */
type Place = readonly [number, number, number];

/** A cube of half a metre. */
export const CUBE: Template = {
  ...STANDARD_MATERIAL,
  shape: { kind: 'box', halfExtents: [0.25, 0.25, 0.25] },
};

/** A pose that is not turned. */
export function poseAt([x, y, z]: Place): Pose {
  return { position: vector(x, y, z), rotation: quaternion() };
}

/** A driven box of these half extents. */
export function plate(half: Place, at: Place, path: DrivenPath): DrivenBody {
  return {
    shape: { kind: 'box', halfExtents: half },
    start: poseAt(at),
    friction: 0.9,
    restitution: 0,
    path,
  };
}

/** A path up and down again, or to and fro. */
export function shuttle(to: Place, seconds: number, wait: number): DrivenPath {
  return { kind: 'shuttle', to: poseAt(to), seconds, wait };
}

/** A level on a flat floor with driven bodies, and cubes that begin at these places. */
export function drivenLevel(driven: readonly DrivenBody[], cubes: readonly Place[]): Level {
  const bodies = cubes.map((place) => ({ template: CUBE, start: poseAt(place) }));
  return { ...flatLevel('driven', bodies), driven };
}
