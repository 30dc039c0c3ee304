import { BufferAttribute, Raycaster, Mesh, Vector3 } from 'three';
import { beforeAll, expect, test } from 'vitest';
import { quaternion, vector } from '../../../src/core/base/math.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { StaticShape } from '../../../src/core/world/shape.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { playground } from '../../../src/levels/playground.ts';
import { staticGeometry, staticShadow } from '../../../src/view/statics/static-geometry.ts';

beforeAll(loadPhysics);

const FIELD: StaticShape = {
  kind: 'height field',
  columns: 2,
  rows: 3,
  heights: [0, 0.4, 0, 0.2, 0, 0.6, 0.5, 0.1, 0, 0, 0.3, 0.2],
  size: [4, 6],
};

test('a height field is drawn where a marble comes to touch it', () => {
  const mesh = new Mesh(staticGeometry(FIELD));
  const radius = 0.01;
  const places = [-1.7, -0.6, 0.3, 1.4].flatMap((x) => [-2.6, -1.1, 0.4, 2.3].map((z) => [x, z] as const));
  const level = flatLevel(
    'field',
    places.map(([x, z]) => ({
      template: { ...STANDARD_MATERIAL, shape: { kind: 'ball', radius }, mass: 0.1 },
      start: { position: vector(x, 0.9, z), rotation: quaternion() },
    })),
  );
  const ground = {
    shape: FIELD,
    pose: { position: vector(), rotation: quaternion() },
    friction: 1,
    restitution: 0,
  };
  const simulation = createRapierSimulation({ ...level, statics: [ground] });
  const motion = new Float32Array(simulation.count * STRIDE);
  const met = new Map<number, number>();
  for (let tick = 0; tick < 60; tick++) {
    simulation.step();
    simulation.capture(motion);
    const { landed, landedCount } = simulation.contacts;
    for (const body of landed.slice(0, landedCount))
      met.set(body, met.get(body) ?? motion[body * STRIDE + 1]);
  }
  places.forEach(([x, z], body) => {
    const [hit] = new Raycaster(new Vector3(x, 5, z), new Vector3(0, -1, 0)).intersectObject(mesh);
    expect(Math.abs((met.get(body) ?? -1) - hit.point.y - radius), `at ${x}, ${z}`).toBeLessThan(0.03);
  });
  simulation.dispose();
});

test('all ground of the playground is drawn with normals, and casts a shadow', () => {
  for (const { shape } of playground().statics) {
    for (const geometry of [staticGeometry(shape), staticShadow(shape)]) {
      const normals = geometry.getAttribute('normal');
      expect(normals).toBeInstanceOf(BufferAttribute);
      for (let i = 0; i < normals.count; i++)
        expect(Math.hypot(normals.getX(i), normals.getY(i), normals.getZ(i))).toBeCloseTo(1, 3);
    }
  }
});
