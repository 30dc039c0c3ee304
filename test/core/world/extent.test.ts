import { beforeAll, describe, expect, it } from 'vitest';
import type { Pose, Vector } from '../../../src/core/base/math.ts';
import { distance, normalize, pose, quaternion, setQuaternion, vector } from '../../../src/core/base/math.ts';
import { Random } from '../../../src/core/base/random.ts';
import {
  distanceToBody,
  halfSize,
  nearestInBody,
  reachBelow,
} from '../../../src/core/world/extent/extent.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { Shape } from '../../../src/core/world/shape.ts';
import type { Simulation } from '../../../src/core/world/simulation.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';

beforeAll(loadPhysics);

const SHAPES: readonly Shape[] = [
  { kind: 'box', halfExtents: [0.25, 0.1, 0.4] },
  { kind: 'ball', radius: 0.3 },
  { kind: 'capsule', radius: 0.2, halfHeight: 0.5 },
  { kind: 'cylinder', radius: 0.3, halfHeight: 0.2 },
  { kind: 'cone', radius: 0.3, halfHeight: 0.4 },
  {
    kind: 'hull',
    points: [
      [0.5, 0, 0],
      [-0.5, 0.1, 0],
      [0, 0.3, 0],
      [0, -0.2, 0.4],
      [0.1, -0.3, -0.4],
    ],
  },
  {
    kind: 'compound',
    parts: [
      { shape: { kind: 'cylinder', radius: 0.05, halfHeight: 0.5 }, pose: pose() },
      {
        shape: { kind: 'box', halfExtents: [0.3, 0.1, 0.1] },
        pose: { position: vector(0.1, 0.5, 0), rotation: quaternion(0, 0, 0.6, 0.8) },
      },
    ],
  },
];

function turned(random: Random): Pose {
  const at = pose();
  const part = (): number => random.between(-1, 1);
  normalize(setQuaternion(at.rotation, part(), part(), part(), part()), at.rotation);
  at.position.y = 5;
  return at;
}

/** A world in which a body hangs still; an engine finds it from the first step on. */
function hang(shape: Shape, start: Pose): Simulation {
  const level = flatLevel('one', [{ template: { ...STANDARD_MATERIAL, shape }, start }]);
  const simulation = createRapierSimulation({ ...level, gravity: 0 });
  simulation.step();
  return simulation;
}

describe.each(SHAPES)('the extent of a $kind', (shape) => {
  const random = new Random(7);
  const starts = Array.from({ length: 12 }, () => turned(random));

  it('reaches down as far as the engine finds it, in any rotation', () => {
    for (const start of starts) {
      const simulation = hang(shape, start);
      const reach = reachBelow(shape, start.rotation);
      // The bottom of the body is where thin spheres from below begin to meet it.
      const meets = (below: number): boolean => {
        for (let x = -1; x <= 1; x += 0.02)
          for (let z = -1; z <= 1; z += 0.02)
            if (simulation.overlapSphere(vector(x, 5 - below, z), 0.02) === 0) return true;
        return false;
      };
      expect(meets(reach - 0.01), `just above ${reach} m below the centre`).toBe(true);
      expect(meets(reach + 0.021), `just below ${reach} m below the centre`).toBe(false);
      simulation.dispose();
    }
  });

  it('is less than its half size, and its box is as far as the engine has the body, or nearer', () => {
    const half = halfSize(shape, vector());
    for (const start of starts) {
      const simulation = hang(shape, start);
      expect(reachBelow(shape, start.rotation)).toBeLessThanOrEqual(
        Math.sqrt(half.x ** 2 + half.y ** 2 + half.z ** 2) + 1e-9,
      );
      for (let i = 0; i < 20; i++) {
        const point = vector(random.between(-1.5, 1.5), random.between(3.5, 6.5), random.between(-1.5, 1.5));
        const away = distanceToBody(shape, start.position, start.rotation, point);
        if (away <= 0.01) continue;
        expect(simulation.overlapSphere(point, away - 0.005)).not.toBe(0);
        if (shape.kind === 'box') expect(simulation.overlapSphere(point, away + 0.005)).toBe(0);
      }
      simulation.dispose();
    }
  });
});

describe('the distance to a compound', () => {
  const shape: Shape = {
    kind: 'compound',
    parts: [
      { shape: { kind: 'box', halfExtents: [1, 0.05, 0.05] }, pose: pose() },
      {
        shape: { kind: 'box', halfExtents: [1, 0.05, 0.05] },
        pose: { position: vector(0, 0, 0.5), rotation: quaternion(0, Math.SQRT1_2, 0, Math.SQRT1_2) },
      },
    ],
  };
  const NONE = quaternion();

  it('is that to its nearest part, not to the box around all', () => {
    const away = (x: number, y: number, z: number): number =>
      distanceToBody(shape, vector(5, 5, 5), NONE, vector(5 + x, 5 + y, 5 + z));
    expect(away(0.6, 0, 1)).toBeCloseTo(0.55);
    expect(away(1, 0.3, 0)).toBeCloseTo(0.25);
    expect(away(0, 0, 1.8)).toBeCloseTo(0.3);
    expect(away(0.9, 0, 0)).toBeCloseTo(-0.05);
    expect(away(0, 0, 1.2)).toBeCloseTo(-0.05);
  });

  it('leads to the point of its nearest part, in the frame of the body', () => {
    const turned = { position: vector(5, 5, 5), rotation: quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2) };
    const away = (x: number, y: number, z: number, wished: Vector): number =>
      distance(nearestInBody(shape, turned, vector(5 + x, 5 + y, 5 + z), vector()), wished);
    // The body's x points up, and its y to the left.
    expect(away(-0.3, 1.4, 0, vector(1, 0.05, 0))).toBeCloseTo(0);
    expect(away(0, 0.3, 1, vector(0.05, 0, 1))).toBeCloseTo(0);
    expect(away(0.02, 0.4, 0.01, vector(0.4, -0.02, 0.01)), 'inside, the point itself').toBeCloseTo(0);
  });

  it('leads to the surface of a ball, and to the side of a hull that lies beside its origin', () => {
    const away = (of: Shape, point: Vector, wished: Vector): number =>
      distance(nearestInBody(of, pose(), point, vector()), wished);
    const hull: Shape = {
      kind: 'hull',
      points: [
        [0, 0, 0],
        [2, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    };
    expect(away({ kind: 'ball', radius: 0.5 }, vector(3, 4, 0), vector(0.3, 0.4, 0))).toBeCloseTo(0);
    expect(away(hull, vector(-2, 0.5, 0.5), vector(0, 0.5, 0.5))).toBeCloseTo(0);
  });
});
