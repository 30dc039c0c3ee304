import { BufferAttribute, BufferGeometry } from 'three';

/** A place on a profile: metres from the axis and upwards, and the normal there. */
type ProfilePoint = readonly [out: number, up: number, normalOut: number, normalUp: number];

/** Points on each round edge, besides its first. */
const ON_EDGE = 3;

/**
 * A cylinder or a cone about the y axis with rounded edges.
 * @param top metres: the radius at the top; 0 for a cone.
 * @param bottom metres: the radius at the bottom.
 * @param half metres: half the height.
 * @param rounding metres: the radius of its edges.
 * @param segments around the axis.
 */
export function turned(
  top: number,
  bottom: number,
  half: number,
  rounding: number,
  segments: number,
): BufferGeometry {
  const side = Math.hypot(2 * half, bottom - top);
  const [sideOut, sideUp] = [(2 * half) / side, (bottom - top) / side];
  const profile: ProfilePoint[] = [
    [0, -half, 0, -1],
    ...edge(bottom, -half, [0, -1], [sideOut, sideUp], rounding),
    ...(top > 0
      ? edge(top, half, [sideOut, sideUp], [0, 1], rounding)
      : arc(0, half - rounding / sideUp, [sideOut, sideUp], [0, 1], rounding)),
  ];
  if (top > 0) profile.push([0, half, 0, 1]);
  return revolve(profile, segments);
}

/** The round edge at a corner between two sides with these normals. */
function edge(
  out: number,
  up: number,
  from: readonly [number, number],
  to: readonly [number, number],
  radius: number,
): ProfilePoint[] {
  const share = radius / (1 + from[0] * to[0] + from[1] * to[1]);
  return arc(out - share * (from[0] + to[0]), up - share * (from[1] + to[1]), from, to, radius);
}

function arc(
  out: number,
  up: number,
  from: readonly [number, number],
  to: readonly [number, number],
  radius: number,
): ProfilePoint[] {
  const [first, last] = [Math.atan2(from[1], from[0]), Math.atan2(to[1], to[0])];
  return Array.from({ length: ON_EDGE + 1 }, (_, i): ProfilePoint => {
    const angle = first + ((last - first) * i) / ON_EDGE;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return [Math.max(0, out + radius * x), up + radius * y, x, y];
  });
}

/** Turns a profile, from the bottom to the top, about the y axis. */
function revolve(profile: readonly ProfilePoint[], segments: number): BufferGeometry {
  const positions: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  for (let s = 0; s <= segments; s++) {
    const angle = (2 * Math.PI * s) / segments;
    const [sin, cos] = s === segments ? [0, 1] : [Math.sin(angle), Math.cos(angle)];
    for (const [out, up, normalOut, normalUp] of profile) {
      positions.push(out * sin, up, out * cos);
      normals.push(normalOut * sin, normalUp, normalOut * cos);
    }
  }
  const high = profile.length;
  for (let s = 0; s < segments; s++) {
    for (let p = 0; p + 1 < high; p++) {
      const [a, b] = [s * high + p, (s + 1) * high + p];
      if (profile[p][0] > 0) index.push(a, b, b + 1);
      if (profile[p + 1][0] > 0) index.push(a, b + 1, a + 1);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
  return geometry.setIndex(index);
}
