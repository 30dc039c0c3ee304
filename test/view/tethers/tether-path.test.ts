import { describe, expect, test } from 'vitest';
import { pose, vector } from '../../../src/core/base/math.ts';
import type { Joint } from '../../../src/core/world/joints/joint.ts';
import type { Tether } from '../../../src/view/tethers/tether-path.ts';
import { isTether, PIECES, tetherPath } from '../../../src/view/tethers/tether-path.ts';

const WORLD = { body: null, frame: pose() };
const ENDS = { ends: [WORLD, WORLD], collides: true } as const;
const ROPE: Tether = { kind: 'rope', length: 2, ...ENDS };
const SPRING: Tether = { kind: 'spring', length: 1, stiffness: 100, damping: 1, ...ENDS };

type Point = readonly [number, number, number];

function pathOf(tether: Tether, from: Point, to: Point, floor = -Infinity): Point[] {
  const out = new Float32Array(3 * (PIECES[tether.kind] + 1));
  tetherPath(tether, vector(...from), vector(...to), floor, PIECES[tether.kind], out);
  return Array.from({ length: PIECES[tether.kind] + 1 }, (_, i) => [
    out[3 * i],
    out[3 * i + 1],
    out[3 * i + 2],
  ]);
}

function lengthOf(path: readonly Point[]): number {
  return path.slice(1).reduce((sum, at, i) => sum + Math.hypot(...at.map((n, k) => n - path[i][k])), 0);
}

test('ropes and springs are drawn, and no other joint', () => {
  const ball: Joint = { kind: 'ball', ...ENDS };
  expect([ROPE, SPRING, ball].map(isTether)).toEqual([true, true, false]);
});

describe('a rope', () => {
  test('goes from one end to the other', () => {
    const path = pathOf(ROPE, [1, 2, 3], [2, 1, 3]);
    expect(path[0]).toEqual([1, 2, 3]);
    expect(path.at(-1)).toEqual([2, 1, 3]);
  });

  test('is straight when it is taut, and when it is stretched', () => {
    for (const reach of [2, 2.1])
      for (const [, y] of pathOf(ROPE, [0, 1, 0], [reach, 1, 0])) expect(y).toBeCloseTo(1, 6);
  });

  test.each([1.9, 1.5, 1, 0.5, 0])('has about its length while its ends are %d m apart', (apart) => {
    const long = lengthOf(pathOf(ROPE, [0, 3, 0], [apart, 3, 0]));
    expect(Math.abs(long - 2)).toBeLessThan(2 / 7);
  });

  test('hangs down, but not below the floor', () => {
    const path = pathOf(ROPE, [0, 0.3, 0], [1, 0.3, 0], 0.01);
    const heights = path.map(([, y]) => y);
    expect(Math.min(...heights)).toBeCloseTo(0.01, 6);
    expect(heights[0]).toBeCloseTo(0.3, 6);
  });
});

describe('a spring', () => {
  test.each<[Point, Point]>([
    [
      [0, 0, 0],
      [0, 0.6, 0],
    ],
    [
      [1, 1, 1],
      [2, 1, 1],
    ],
    [
      [1, 1, 1],
      [1, 1, 2],
    ],
    [
      [0, 0, 0],
      [-0.3, 0.4, 0.5],
    ],
  ])('winds about the line from %o to %o, and begins and ends on it', (from, to) => {
    const path = pathOf(SPRING, from, to);
    const close = (a: Point, b: Point): void => a.forEach((n, i) => expect(n).toBeCloseTo(b[i], 5));
    close(path[0], from);
    close(path[path.length - 1], to);
    const way = to.map((n, i) => n - from[i]);
    const length = Math.hypot(...way);
    const radii = path.map((at) => {
      const off = at.map((n, i) => n - from[i]);
      const along = off.reduce((sum, n, i) => sum + n * way[i], 0) / length;
      return Math.sqrt(Math.max(0, off.reduce((sum, n) => sum + n * n, 0) - along * along));
    });
    expect(Math.max(...radii)).toBeCloseTo(0.045, 3);
    expect(lengthOf(path)).toBeGreaterThan(2 * length);
  });

  test('whose ends meet has numbers for all of its points', () => {
    expect(pathOf(SPRING, [1, 1, 1], [1, 1, 1]).flat().every(Number.isFinite)).toBe(true);
  });
});

test.each([ROPE, SPRING])('of a single piece, a $kind is a line', (tether) => {
  const out = new Float32Array(6);
  tetherPath(tether, vector(1, 2, 3), vector(1.5, 2, 3), 0, 1, out);
  expect([...out]).toEqual([1, 2, 3, 1.5, 2, 3]);
});
