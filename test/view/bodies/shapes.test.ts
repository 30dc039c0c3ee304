import type { BufferGeometry } from 'three';
import { Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../../src/core/world/shape.ts';
import { contactGeometry } from '../../../src/view/bodies/contact-shadows.ts';
import { chamferedBox } from '../../../src/view/bodies/chamfered-box.ts';
import {
  halfExtents,
  markGeometry,
  shadowGeometry,
  shapeGeometry,
  shapeKey,
} from '../../../src/view/bodies/shapes.ts';

const BOX: Shape = { kind: 'box', halfExtents: [0.25, 0.1, 0.4] };
const SPHERE: Shape = { kind: 'ball', radius: 0.3 };
const CAPSULE: Shape = { kind: 'capsule', radius: 0.2, halfHeight: 0.5 };
const HULL: Shape = {
  kind: 'hull',
  points: [
    [0.5, 0, 0],
    [-0.5, 0, 0],
    [0, 0.3, 0],
    [0, -0.2, 0.4],
    [0, -0.2, -0.4],
  ],
};
const CYLINDER: Shape = { kind: 'cylinder', radius: 0.3, halfHeight: 0.2 };
const CONE: Shape = { kind: 'cone', radius: 0.3, halfHeight: 0.4 };
const SHAPES = [BOX, SPHERE, CAPSULE, HULL, CYLINDER, CONE];
/** A hammer: a bar with a head at its upper end, turned by a quarter. */
const HAMMER: Shape = {
  kind: 'compound',
  parts: [
    { shape: CYLINDER, pose: { position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } } },
    {
      shape: BOX,
      pose: {
        position: { x: 0, y: 1, z: 0 },
        rotation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 },
      },
    },
  ],
};

type Triangle = { readonly corners: readonly Vector3[]; readonly normal: Vector3 };

function triangles(geometry: BufferGeometry): Triangle[] {
  const position = geometry.getAttribute('position');
  const at = (i: number): Vector3 =>
    new Vector3().fromBufferAttribute(position, geometry.index === null ? i : geometry.index.getX(i));
  const count = geometry.index === null ? position.count : geometry.index.count;
  return Array.from({ length: count / 3 }, (_, t) => {
    const corners = [at(3 * t), at(3 * t + 1), at(3 * t + 2)];
    const normal = new Vector3()
      .subVectors(corners[1], corners[0])
      .cross(new Vector3().subVectors(corners[2], corners[0]));
    return { corners, normal };
  });
}

describe.each(SHAPES)('a $kind', (shape) => {
  test.each(['fine', 'coarse'] as const)('fills its extents when %s', (detail) => {
    const geometry = shapeGeometry(shape, detail);
    geometry.computeBoundingBox();
    const size = geometry.boundingBox?.getSize(new Vector3()) ?? new Vector3();
    const half = halfExtents(shape);
    // A hull's extents are measured from its centre, so it may fill only one side of them.
    const low = shape.kind === 'hull' ? 1 : 1.99;
    (['x', 'y', 'z'] as const).forEach((axis) => {
      expect(size[axis]).toBeLessThanOrEqual(2 * half[axis] + 1e-6);
      expect(size[axis]).toBeGreaterThanOrEqual(low * half[axis] - 0.05 * half[axis]);
    });
  });

  test('faces outwards on every side', () => {
    for (const geometry of [
      shapeGeometry(shape, 'coarse'),
      shadowGeometry(shape),
      markGeometry(shape, 'coarse'),
    ]) {
      for (const { corners, normal } of triangles(geometry)) {
        if (normal.length() > 1e-9) expect(normal.dot(corners[0])).toBeGreaterThan(-1e-9);
      }
    }
  });

  test('has room for a mark', () => {
    const face = markGeometry(shape, 'coarse').getAttribute('face');
    const reach = Math.max(...Array.from({ length: face.count }, (_, i) => Math.abs(face.getX(i))));
    expect(reach).toBeGreaterThanOrEqual(1 - 1e-6);
  });
});

test('a compound is drawn as its parts, each in its place, with marks on each', () => {
  const geometry = shapeGeometry(HAMMER, 'fine');
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox ?? { min: new Vector3(), max: new Vector3() };
  // The box is 0.5 m long, and stands on end.
  expect([max.y, min.y, max.x, max.z].map((n) => Number(n.toFixed(3)))).toEqual([1.25, -0.2, 0.3, 0.4]);
  expect(halfExtents(HAMMER).y).toBeCloseTo(1.25, 6);
  const marks = markGeometry(HAMMER, 'fine').getAttribute('position');
  const heights = Array.from({ length: marks.count }, (_, i) => marks.getY(i));
  expect(Math.min(...heights)).toBeCloseTo(-0.2, 3);
  expect(Math.max(...heights)).toBeCloseTo(1.25, 3);
  expect(contactGeometry(HAMMER).getAttribute('place').count).toBe(8);
});

test('edges are round in proportion, but never by more than 8 cm', () => {
  const flat = (half: number): number => {
    const { array } = shapeGeometry(
      { kind: 'cylinder', radius: half, halfHeight: half },
      'fine',
    ).getAttribute('position');
    let most = 0;
    for (let i = 0; i < array.length; i += 3)
      if (Math.abs(array[i + 1] - half) < 1e-6) most = Math.max(most, Math.hypot(array[i], array[i + 2]));
    return half - most;
  };
  expect(flat(0.01)).toBeCloseTo(0.0013, 5);
  expect(flat(10)).toBeCloseTo(0.08, 5);
});

test('a mark repeats along a long side, stays legible on a large one, and is not on a narrow one', () => {
  const sizes = (half: readonly [number, number, number]): [count: number, largest: number] => {
    const geometry = markGeometry({ kind: 'box', halfExtents: half }, 'fine');
    const largest = triangles(geometry).map(({ normal }) => Math.sqrt(normal.length()) / 2);
    return [largest.length / 2, Math.max(...largest)];
  };
  expect(sizes([1.5, 0.03, 0.12])).toEqual([2 * 4, expect.closeTo(0.05, 2)]);
  const [count, largest] = sizes([10, 1, 0.4]);
  expect(count).toBeGreaterThan(10);
  expect(largest).toBeLessThanOrEqual(0.5);
});

test('a box’s shadow begins farther in than its visible edges end', () => {
  const flatTo = (geometry: BufferGeometry): number => {
    const { array } = geometry.getAttribute('position');
    let most = 0;
    for (let i = 0; i < array.length; i += 3)
      if (Math.abs(array[i] - halfExtents(BOX).x) < 1e-6) most = Math.max(most, array[i + 1]);
    return most;
  };
  const visible = flatTo(shapeGeometry(BOX, 'coarse'));
  expect(visible).toBeGreaterThan(0);
  expect(flatTo(shadowGeometry(BOX))).toBeLessThan(visible - 0.005);
});

test('a mark on a box is a square on each side that reads the right way round from outside', () => {
  const geometry = markGeometry(BOX, 'coarse');
  const face = geometry.getAttribute('face');
  expect(face.count).toBe(36);
  triangles(geometry).forEach(({ normal }, t) => {
    const [u, v] = [0, 1, 2].reduce(
      ([us, vs], k) => [
        [...us, face.getX(3 * t + k)],
        [...vs, face.getY(3 * t + k)],
      ],
      [[], []] as number[][],
    );
    for (const value of [...u, ...v]) expect(Math.abs(value)).toBeCloseTo(1, 6);
    // The same orientation on the face as in space, seen from outside: not mirrored.
    const area = (u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0]);
    expect(area).toBeGreaterThan(0);
    expect(normal.length()).toBeGreaterThan(0);
  });
});

test('a chamfered box is closed: every edge is shared by two triangles, in opposite directions', () => {
  const geometry = chamferedBox([0.25, 0.1, 0.4], 0.02);
  const index = geometry.index === null ? [] : [...geometry.index.array];
  expect(index).toHaveLength(44 * 3);
  const edges = new Set<string>();
  for (let i = 0; i < index.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const edge = `${index[i + k]} ${index[i + ((k + 1) % 3)]}`;
      expect(edges.has(edge)).toBe(false);
      edges.add(edge);
    }
  }
  for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
});

test('shapes have one key exactly if they look the same', () => {
  expect(shapeKey({ kind: 'box', halfExtents: [0.25, 0.1, 0.4] })).toBe(shapeKey(BOX));
  expect(shapeKey({ kind: 'ball', radius: 0.31 })).not.toBe(shapeKey(SPHERE));
  expect(new Set(SHAPES.map(shapeKey)).size).toBe(SHAPES.length);
});
