import { fromAxisAngle, quaternion, vector } from '../core/base/math.ts';
import type { StaticBody } from '../core/world/level.ts';
import type { StaticShape } from '../core/world/shape.ts';

/** The ground of the playground, besides its floor: a hill, a ramp, three slopes and a tray. */
export function playgroundStatics(): StaticBody[] {
  return [hill(), ramp(), ...slopes(), ...tray()];
}

function fixed(shape: StaticShape, x: number, y: number, z: number, rotation = quaternion()): StaticBody {
  return { shape, pose: { position: vector(x, y, z), rotation }, friction: 0.6, restitution: 0.1 };
}

/** A round hill of two metres, with a smaller one beside it. It ends a little below the floor. */
function hill(): StaticBody {
  const [columns, rows] = [28, 28];
  const size = [14, 14] as const;
  const heights = Array.from({ length: (rows + 1) * (columns + 1) }, (_, i) => {
    const x = (((i % (columns + 1)) / columns) * 2 - 1) * (size[0] / 2);
    const z = ((Math.floor(i / (columns + 1)) / rows) * 2 - 1) * (size[1] / 2);
    return 2.1 * dome(x + 1, z, 5.6) + 1.1 * dome(x - 3.4, z + 2, 3.4) - 0.04;
  });
  return fixed({ kind: 'height field', columns, rows, heights, size }, 15, 0, -4);
}

/** 1 in the middle, 0 from the radius on, and smooth between. */
function dome(x: number, z: number, radius: number): number {
  const share = Math.max(0, 1 - (x * x + z * z) / (radius * radius));
  return share * share;
}

/** A ramp with a landing: a mesh. */
function ramp(): StaticBody {
  const [low, high, half] = [-2.4, 0.6, 0.9];
  const end = 2.2;
  const top = 1;
  const side = (z: number): number[] => [low, 0, z, high, top, z, end, top, z, end, 0, z];
  return fixed(
    {
      kind: 'mesh',
      vertices: [...side(half), ...side(-half)],
      triangles: [
        ...[0, 1, 4, 4, 1, 5], // the slope
        ...[1, 2, 5, 5, 2, 6], // the landing
        ...[2, 3, 6, 6, 3, 7], // its end
        ...[0, 3, 1, 1, 3, 2], // the sides
        ...[4, 5, 7, 5, 6, 7],
        ...[0, 4, 3, 3, 4, 7], // the bottom
      ],
    },
    9,
    0,
    5,
  );
}

/** Boards with their middles 1.1 m up; friction holds a box on the first two. */
function slopes(): StaticBody[] {
  return [24, 29, 33].map((degrees, i) => {
    const rotation = fromAxisAngle(vector(1, 0, 0), (degrees * Math.PI) / 180, quaternion());
    return fixed({ kind: 'box', halfExtents: [0.7, 0.2, 1.8] }, -12.5 + i * 1.7, 1.1, -2, rotation);
  });
}

/** Four low walls around the marbles. */
function tray(): StaticBody[] {
  const [x, z] = [0.62, 0.42];
  return [
    fixed({ kind: 'box', halfExtents: [x, 0.04, 0.02] }, 0, 0.04, 1.55 - z),
    fixed({ kind: 'box', halfExtents: [x, 0.04, 0.02] }, 0, 0.04, 1.55 + z),
    fixed({ kind: 'box', halfExtents: [0.02, 0.04, z] }, -x, 0.04, 1.55),
    fixed({ kind: 'box', halfExtents: [0.02, 0.04, z] }, x, 0.04, 1.55),
  ];
}
