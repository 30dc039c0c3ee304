import { quaternion, vector } from '../core/base/math.ts';
import type { Level, LevelBody, Template } from '../core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../core/world/level.ts';

/** Metres: half the edge of a giant cube. */
const HALF = 0.5;
/** As dense as the cubes of half a metre. */
const GIANT: Template = {
  ...STANDARD_MATERIAL,
  mass: 8,
  shape: { kind: 'box', halfExtents: [HALF, HALF, HALF] },
};
/** Cubes in a tower. */
const HIGH = 20;
/** Metres between the middles of neighbours in a row. */
const STEP = 1.5;

/** Sixty cubes of a metre: one tower of twenty, a stair, and rows to build with. */
export function giants(): Level {
  return flatLevel('giants', [...tower(), ...stair(), ...rows()]);
}

function giant(x: number, y: number, z: number): LevelBody {
  return { template: GIANT, start: { position: vector(x, y, z), rotation: quaternion() } };
}

function tower(): LevelBody[] {
  return Array.from({ length: HIGH }, (_, i) => giant(0, HALF + i, -6));
}

/** Four columns, each a cube higher than the one before: ten cubes. */
function stair(): LevelBody[] {
  return [1, 2, 3, 4].flatMap((high) =>
    Array.from({ length: high }, (_, i) => giant(-7 + high * 1.02, HALF + i, -2)),
  );
}

function rows(): LevelBody[] {
  return Array.from({ length: 30 }, (_, i) =>
    giant(((i % 6) - 2.5) * STEP, HALF, 1.5 + Math.floor(i / 6) * STEP),
  );
}
