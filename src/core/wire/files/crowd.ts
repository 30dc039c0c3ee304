import type { BodyId, Existence } from '../../base/ids.ts';
import { STRIDE } from '../../base/state.ts';
import { templateOf } from '../../world/existence.ts';
import type { Level, Template } from '../../world/level.ts';
import type { ConvexShape, Shape } from '../../world/shape.ts';
import { POSITION_STEPS } from '../bodies/quantise.ts';

/** Two bodies lie inside one another if their centres are closer than this part of their inner radii together. */
const TOO_CLOSE = 0.9;
/** Pairs of such bodies that a world may have: hands can push some of them into others. */
const MOST_PAIRS = 256;

/**
 * True if more bodies lie inside one another than play can bring about. The engine compares all bodies that overlap: a
 * thousand in one place would stop a page for minutes. Its time grows in proportion to the count of bodies, if their
 * sizes are alike.
 * @param existence for each id whether there is a body, and which [S1].
 * @param state STRIDE whole numbers for each id [W2].
 */
export function isCrowded(level: Level, existence: Uint16Array, state: Int32Array): boolean {
  const radii = Float64Array.from(existence, (value, body) =>
    radiusOf(templateOf(level, body as BodyId, value as Existence)),
  );
  const width = Math.max(1, 2 * radii.reduce((most, radius) => Math.max(most, radius), 0));
  const cells = new Map<string, number[]>();
  let pairs = 0;
  for (let body = 0; body < radii.length; body++) {
    if (radii[body] === 0) continue;
    const [x, y, z] = [0, 1, 2].map((i) => Math.floor(state[body * STRIDE + i] / width));
    for (const [i, j, k] of NEIGHBOURS) {
      for (const other of cells.get(`${x + i} ${y + j} ${z + k}`) ?? []) {
        if (areInside(state, body, other, radii[body] + radii[other]) && ++pairs > MOST_PAIRS) return true;
      }
    }
    const here = cells.get(`${x} ${y} ${z}`);
    if (here === undefined) cells.set(`${x} ${y} ${z}`, [body]);
    else here.push(body);
  }
  return false;
}

/** Steps within which another body lies inside one of a template; 0 without a body. */
function radiusOf(template: Template | null): number {
  return template === null ? 0 : innerRadius(template.shape) * TOO_CLOSE * POSITION_STEPS;
}

function areInside(state: Int32Array, a: number, b: number, width: number): boolean {
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const apart = state[a * STRIDE + i] - state[b * STRIDE + i];
    square += apart * apart;
  }
  return square < width * width;
}

/** The radius in metres of a ball that is surely inside a shape, about its centre; a compound counts by its first part. */
function innerRadius(shape: Shape): number {
  return shape.kind === 'compound' ? innerRadius(shape.parts[0].shape) : radiusInside(shape);
}

function radiusInside(shape: ConvexShape): number {
  switch (shape.kind) {
    case 'box':
      return Math.min(...shape.halfExtents);
    case 'ball':
    case 'capsule':
      return shape.radius;
    case 'cylinder':
      return Math.min(shape.radius, shape.halfHeight);
    case 'cone':
      return Math.min(shape.radius, shape.halfHeight) / 2;
    case 'hull':
      // A guess: a hull may be flatter than that.
      return Math.min(...shape.points.map(([x, y, z]) => Math.sqrt(x * x + y * y + z * z))) / 3;
  }
}

const SIDES = [-1, 0, 1];
/** From a cell to those around it, and to itself. */
const NEIGHBOURS = SIDES.flatMap((x) => SIDES.flatMap((y) => SIDES.map((z) => [x, y, z] as const)));
