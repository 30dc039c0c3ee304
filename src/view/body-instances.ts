import type { BufferGeometry, Intersection, Material, Object3D, Raycaster } from 'three';
import { Group, InstancedBufferAttribute, InstancedMesh, Sphere, StreamDrawUsage, Vector3 } from 'three';
import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY } from '../core/base/ids.ts';
import { POSE_STRIDE } from '../core/base/state.ts';
import type { BodyDescription, Shape } from '../core/world/scene.ts';
import { shapeKey } from './shapes.ts';

/** The bodies of one shape: their matrices and further attributes, in the order of `bodies`. */
type Part = {
  readonly shape: Shape;
  readonly bodies: readonly BodyId[];
  readonly matrices: InstancedBufferAttribute;
  readonly attributes: Readonly<Record<string, InstancedBufferAttribute>>;
};

/** What a ray met first. */
export type Hit = { readonly body: BodyId; readonly distance: number };

/**
 * The bodies of a scene as instances: where they are and what else there is to know of each, uploaded once
 * however many meshes draw them.
 */
export class BodyInstances {
  readonly group = new Group();
  readonly count: number;
  readonly #parts: readonly Part[];
  readonly #meshes: InstancedMesh[] = [];
  readonly #bodiesOf = new Map<Object3D, readonly BodyId[]>();
  readonly #hits: Intersection[] = [];

  /** @param attributes names of further attributes, and how many numbers each has. */
  constructor(bodies: readonly BodyDescription[], attributes: Readonly<Record<string, number>>) {
    this.count = bodies.length;
    this.#parts = alikeBodies(bodies).map((alike) => ({
      shape: bodies[alike[0]].shape,
      bodies: alike,
      matrices: streamed(alike.length, 16),
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, size]) => [name, streamed(alike.length, size)]),
      ),
    }));
  }

  /** Adds a mesh for each shape, drawn once for each body of that shape. */
  addMeshes(geometryOf: (shape: Shape) => BufferGeometry, material: Material): readonly InstancedMesh[] {
    return this.#parts.map((part) => {
      const geometry = geometryOf(part.shape);
      for (const [name, values] of Object.entries(part.attributes)) geometry.setAttribute(name, values);
      const mesh = new InstancedMesh(geometry, material, 0);
      mesh.instanceMatrix = part.matrices;
      mesh.count = part.bodies.length;
      // Bodies are everywhere, and a sphere around where they once were would hide them.
      mesh.frustumCulled = false;
      mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
      this.#meshes.push(mesh);
      this.#bodiesOf.set(mesh, part.bodies);
      this.group.add(mesh);
      return mesh;
    });
  }

  /** Puts every body where `poses` says, POSE_STRIDE numbers a body. */
  place(poses: Float32Array): void {
    for (const { bodies, matrices } of this.#parts) {
      for (let i = 0; i < bodies.length; i++) {
        writeMatrix(poses, bodies[i] * POSE_STRIDE, matrices.array, i * 16);
      }
      matrices.needsUpdate = true;
    }
  }

  /** Sets one of the further attributes for every body. */
  set(name: string, values: Float32Array): void {
    for (const { bodies, attributes } of this.#parts) {
      const attribute = attributes[name];
      const size = attribute.itemSize;
      for (let i = 0; i < bodies.length; i++) {
        for (let k = 0; k < size; k++) attribute.array[i * size + k] = values[bodies[i] * size + k];
      }
      attribute.needsUpdate = true;
    }
  }

  /** The first body that a ray meets among those drawn by `meshes`, or null. */
  pick(raycaster: Raycaster, meshes: readonly InstancedMesh[]): Hit | null {
    this.#hits.length = 0;
    for (const mesh of meshes) raycaster.intersectObject(mesh, false, this.#hits);
    let first: Intersection | null = null;
    for (const hit of this.#hits) if (first === null || hit.distance < first.distance) first = hit;
    if (first === null) return null;
    const body = this.#bodiesOf.get(first.object)?.[first.instanceId ?? 0] ?? NO_BODY;
    return { body, distance: first.distance };
  }

  dispose(): void {
    for (const mesh of this.#meshes) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

/** The bodies of each shape. */
function alikeBodies(bodies: readonly BodyDescription[]): readonly (readonly BodyId[])[] {
  const byShape = new Map<string, BodyId[]>();
  bodies.forEach(({ shape }, id) => {
    const key = shapeKey(shape);
    const alike = byShape.get(key);
    if (alike === undefined) byShape.set(key, [id as BodyId]);
    else alike.push(id as BodyId);
  });
  return [...byShape.values()];
}

function streamed(count: number, size: number): InstancedBufferAttribute {
  return new InstancedBufferAttribute(new Float32Array(count * size), size).setUsage(StreamDrawUsage);
}

/**
 * Writes a pose as a 4 by 4 matrix, column by column, from `at` on.
 * @param poses position and unit quaternion, from `from` on.
 */
export function writeMatrix(
  poses: ArrayLike<number>,
  from: number,
  out: { [index: number]: number },
  at: number,
): void {
  const x = poses[from + 3];
  const y = poses[from + 4];
  const z = poses[from + 5];
  const w = poses[from + 6];
  out[at] = 1 - 2 * (y * y + z * z);
  out[at + 1] = 2 * (x * y + w * z);
  out[at + 2] = 2 * (x * z - w * y);
  out[at + 3] = 0;
  out[at + 4] = 2 * (x * y - w * z);
  out[at + 5] = 1 - 2 * (x * x + z * z);
  out[at + 6] = 2 * (y * z + w * x);
  out[at + 7] = 0;
  out[at + 8] = 2 * (x * z + w * y);
  out[at + 9] = 2 * (y * z - w * x);
  out[at + 10] = 1 - 2 * (x * x + y * y);
  out[at + 11] = 0;
  out[at + 12] = poses[from];
  out[at + 13] = poses[from + 1];
  out[at + 14] = poses[from + 2];
  out[at + 15] = 1;
}
