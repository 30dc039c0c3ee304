import { Matrix4, MeshBasicMaterial, Quaternion, Raycaster, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { pose } from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { LevelBody } from '../../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../../src/core/world/level.ts';
import type { Shape } from '../../../src/core/world/shape.ts';
import { BodyInstances } from '../../../src/view/bodies/body-instances.ts';
import { writeMatrix } from '../../../src/view/bodies/write-matrix.ts';
import { PresentBodies } from '../../../src/view/bodies/present-bodies.ts';
import { shapeGeometry } from '../../../src/view/bodies/shapes.ts';

const CUBE: Shape = { kind: 'box', halfExtents: [0.25, 0.25, 0.25] };
const BALL: Shape = { kind: 'ball', radius: 0.25 };

function bodyOf(shape: Shape): LevelBody {
  return { template: { ...STANDARD_MATERIAL, shape }, start: pose() };
}

/** Bodies in a row along x, one metre apart. */
function row(shapes: readonly Shape[]): Float32Array {
  return Float32Array.from(shapes.flatMap((_, i) => [i, 1, 0, 0, 0, 0, 1]));
}

test('a pose becomes the same matrix as in three', () => {
  const rotation = new Quaternion(0.1, -0.5, 0.3, 0.8).normalize();
  const position = new Vector3(1, -2, 3);
  const written = new Matrix4();
  writeMatrix([9, ...position.toArray(), ...rotation.toArray()], 1, written.elements, 0);
  const composed = new Matrix4().compose(position, rotation, new Vector3(1, 1, 1));
  written.elements.forEach((value, i) => expect(value).toBeCloseTo(composed.elements[i], 6));
});

describe('bodies of several shapes', () => {
  const shapes = [CUBE, BALL, CUBE, BALL, BALL];

  function create(): { instances: BodyInstances; meshes: ReturnType<BodyInstances['addMeshes']> } {
    const instances = new BodyInstances(new PresentBodies(flatLevel('shapes', shapes.map(bodyOf))), {
      tint: 3,
    });
    const meshes = instances.addMeshes((shape) => shapeGeometry(shape, 'coarse'), new MeshBasicMaterial());
    instances.place(row(shapes));
    return { instances, meshes };
  }

  test('are drawn by one mesh for each shape', () => {
    const { meshes } = create();
    expect(meshes.map(({ count }) => count)).toEqual([2, 3]);
  });

  test('are at their poses', () => {
    const { meshes } = create();
    const places = meshes.map((mesh) =>
      Array.from({ length: mesh.count }, (_, i) => {
        const matrix = new Matrix4();
        mesh.getMatrixAt(i, matrix);
        return new Vector3().setFromMatrixPosition(matrix).x;
      }),
    );
    expect(places).toEqual([
      [0, 2],
      [1, 3, 4],
    ]);
  });

  test('have their own values of other attributes', () => {
    const { instances, meshes } = create();
    instances.set('tint', Float32Array.from(shapes.flatMap((_, i) => [i, i, i])));
    const reds = meshes.map((mesh) => {
      const tint = mesh.geometry.getAttribute('tint');
      return Array.from({ length: mesh.count }, (_, i) => tint.getX(i));
    });
    expect(reds).toEqual([
      [0, 2],
      [1, 3, 4],
    ]);
  });

  test('are picked where they are drawn, the nearest first', () => {
    const { instances, meshes } = create();
    const pick = (from: Vector3, towards: Vector3): ReturnType<BodyInstances['pick']> =>
      instances.pick(new Raycaster(from, towards), meshes);
    const hit = pick(new Vector3(2, 1, 5), new Vector3(0, 0, -1));
    expect(hit?.body).toBe(2);
    expect(hit?.distance).toBeCloseTo(4.75, 3);
    expect(pick(new Vector3(9, 1, 0), new Vector3(-1, 0, 0))?.body).toBe(4);
    expect(pick(new Vector3(0.5, 1, 5), new Vector3(0, 0, -1))).toBeNull();
    const moved = row(shapes);
    moved.set([2, 30, 0], 2 * POSE_STRIDE);
    instances.place(moved);
    expect(pick(new Vector3(2, 1, 5), new Vector3(0, 0, -1))).toBeNull();
    expect(pick(new Vector3(2, 30, 5), new Vector3(0, 0, -1))?.body).toBe(2);
  });
});
