import { STRIDE } from '../../base/state.ts';
import { CUBE_SIZE } from '../../world/scene.ts';
import { POSITION_STEPS } from '../bodies/quantise.ts';

/** Metres: two cubes whose centres are closer than this lie inside one another. */
const TOO_CLOSE = 0.9 * CUBE_SIZE;
/** Pairs of such cubes that a world may have: hands can push some of them into others. */
const MOST_PAIRS = 256;
/** Cells along an axis: more than the world has. */
const CELLS = 8192;

/**
 * True if more cubes lie inside one another than play can bring about. The engine compares all cubes that overlap: a
 * thousand in one place would stop a page for minutes. Its time grows in proportion to the count of bodies.
 * @param state STRIDE whole numbers for each body [W2].
 */
export function isCrowded(state: Int32Array): boolean {
  const count = state.length / STRIDE;
  const cells = new Map<number, number[]>();
  let pairs = 0;
  for (let body = 0; body < count; body++) {
    const cell = cellOf(state, body);
    for (const step of NEIGHBOURS) {
      for (const other of cells.get(cell + step) ?? []) {
        if (areInside(state, body, other) && ++pairs > MOST_PAIRS) return true;
      }
    }
    const here = cells.get(cell);
    if (here === undefined) cells.set(cell, [body]);
    else here.push(body);
  }
  return false;
}

/** The number of the cell that has a body's centre; a cell is as wide as two centres may be too close. */
function cellOf(state: Int32Array, body: number): number {
  const [x, y, z] = [0, 1, 2].map((i) => Math.floor(state[body * STRIDE + i] / WIDTH) + CELLS / 2);
  return (x * CELLS + y) * CELLS + z;
}

function areInside(state: Int32Array, a: number, b: number): boolean {
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const apart = state[a * STRIDE + i] - state[b * STRIDE + i];
    square += apart * apart;
  }
  return square < WIDTH * WIDTH;
}

/** Steps of position. */
const WIDTH = TOO_CLOSE * POSITION_STEPS;
const SIDES = [-1, 0, 1];
/** From a cell's number to those of the cells around it, and to its own. */
const NEIGHBOURS = SIDES.flatMap((x) => SIDES.flatMap((y) => SIDES.map((z) => (x * CELLS + y) * CELLS + z)));
