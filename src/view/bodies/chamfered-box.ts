import { BufferAttribute, BufferGeometry, Vector3 } from 'three';

/** Signs of a box's corners along x, y and z. Bit k of a corner's number is set if sign k is positive. */
const SIGNS = Array.from({ length: 8 }, (_, corner) =>
  [0, 1, 2].map((axis) => ((corner >> axis) & 1) * 2 - 1),
);
const AXES = [0, 1, 2];

/**
 * A box with its edges cut off, and with the normals of its six sides: 44 triangles whose light looks as if
 * the edges were round.
 * @param half half extents in metres.
 * @param cut metres between each edge and the place where the side begins to bend.
 */
export function chamferedBox(half: readonly [number, number, number], cut: number): BufferGeometry {
  const points = SIGNS.flatMap((signs) =>
    AXES.map((side) => new Vector3(...half.map((h, axis) => signs[axis] * (axis === side ? h : h - cut)))),
  );
  const normals = SIGNS.flatMap((signs) => AXES.map((side) => new Vector3().setComponent(side, signs[side])));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', attribute(points));
  geometry.setAttribute('normal', attribute(normals));
  return geometry.setIndex(triangles().flatMap((corners) => outwards(corners, points)));
}

/** Returns the index of a corner's point on the side across an axis. */
function pointOf(corner: number, side: number): number {
  return corner * 3 + side;
}

/** 12 triangles on the sides, 24 along the edges, 8 at the corners, in any winding. */
function triangles(): number[][] {
  const found: number[][] = [];
  for (let corner = 0; corner < 8; corner++) {
    found.push(AXES.map((side) => pointOf(corner, side)));
    for (const axis of AXES) {
      const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
      const [b, c, d] = [corner ^ (1 << next), corner ^ (1 << last), corner ^ (1 << next) ^ (1 << last)];
      // Each side from one corner, each edge from one of its two ends.
      if (((corner >> next) & 1) === 0 && ((corner >> last) & 1) === 0) {
        found.push([corner, b, c].map((at) => pointOf(at, axis)));
        found.push([b, c, d].map((at) => pointOf(at, axis)));
      }
      const far = corner ^ (1 << axis);
      if (far > corner) {
        found.push([pointOf(corner, next), pointOf(corner, last), pointOf(far, next)]);
        found.push([pointOf(corner, last), pointOf(far, next), pointOf(far, last)]);
      }
    }
  }
  return found;
}

/** Returns the triangle's corners in an order that makes its front look away from the middle. */
function outwards([a, b, c]: readonly number[], points: readonly Vector3[]): readonly number[] {
  const normal = new Vector3()
    .subVectors(points[b], points[a])
    .cross(new Vector3().subVectors(points[c], points[a]));
  return normal.dot(points[a]) > 0 ? [a, b, c] : [a, c, b];
}

function attribute(vectors: readonly Vector3[]): BufferAttribute {
  return new BufferAttribute(Float32Array.from(vectors.flatMap((v) => v.toArray())), 3);
}
