import type { BufferGeometry, Intersection, Material, Raycaster } from 'three';
import { Group, InstancedBufferAttribute, InstancedMesh, Sphere, StreamDrawUsage, Vector3 } from 'three';
import type { BodyId } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { Shape } from '../../core/world/shape.ts';
import { writeMatrix } from './write-matrix.ts';
import type { PresentBodies } from './present-bodies.ts';

/** The bodies of one shape: their matrices and other attributes, in the order of `bodies`; there is room for more. */
type Part = {
  readonly shape: Shape;
  readonly bodies: readonly BodyId[];
  readonly capacity: number;
  readonly matrices: InstancedBufferAttribute;
  readonly attributes: Readonly<Record<string, InstancedBufferAttribute>>;
};

/** The first body on a ray, and its distance in metres. */
export type Hit = { readonly body: BodyId; readonly distance: number };

/**
 * The bodies of a scene as instances: their matrices and other attributes. These are uploaded once, and
 * several meshes share them.
 */
export class BodyInstances {
  readonly group = new Group();
  readonly count: number;
  readonly #parts: readonly Part[];
  readonly #partOf = new Map<InstancedMesh, Part>();
  readonly #hits: Intersection[] = [];

  /**
   * @param present the bodies to be drawn; its owner updates it, and calls `recount` then.
   * @param attributes the name of each other attribute, and its count of numbers per body.
   */
  constructor(
    { count, shapes, bodiesOf, capacities }: PresentBodies,
    attributes: Readonly<Record<string, number>>,
  ) {
    this.count = count;
    this.#parts = shapes.map((shape, i) => ({
      shape,
      bodies: bodiesOf[i],
      capacity: capacities[i],
      matrices: streamed(capacities[i], 16),
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, size]) => [name, streamed(capacities[i], size)]),
      ),
    }));
  }

  /**
   * Adds one mesh per shape, which draws every body of that shape.
   * @returns the new meshes.
   */
  addMeshes(geometryOf: (shape: Shape) => BufferGeometry, material: Material): readonly InstancedMesh[] {
    return this.#parts.map((part) => {
      const geometry = geometryOf(part.shape);
      for (const [name, values] of Object.entries(part.attributes)) geometry.setAttribute(name, values);
      const mesh = new InstancedMesh(geometry, material, 0);
      mesh.instanceMatrix = part.matrices;
      mesh.count = drawnOf(part);
      // Bodies move everywhere, and a bounding sphere around their old places would hide them.
      mesh.frustumCulled = false;
      mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
      this.#partOf.set(mesh, part);
      this.group.add(mesh);
      return mesh;
    });
  }

  /** Other bodies are present than before: call `place` and `set` after it. */
  recount(): void {
    for (const [mesh, part] of this.#partOf) mesh.count = drawnOf(part);
  }

  /**
   * Moves every body to its pose.
   * @param poses POSE_STRIDE numbers per body.
   */
  place(poses: Float32Array): void {
    for (const part of this.#parts) {
      const { bodies, matrices } = part;
      const drawn = drawnOf(part);
      if (drawn === 0) continue;
      for (let i = 0; i < drawn; i++) {
        writeMatrix(poses, bodies[i] * POSE_STRIDE, matrices.array, i * 16);
      }
      matrices.needsUpdate = true;
    }
  }

  /** Sets one of the other attributes for every body. */
  set(name: string, values: Float32Array): void {
    for (const part of this.#parts) {
      const { bodies } = part;
      const attribute = part.attributes[name];
      const size = attribute.itemSize;
      const drawn = drawnOf(part);
      if (drawn === 0) continue;
      for (let i = 0; i < drawn; i++) {
        for (let k = 0; k < size; k++) attribute.array[i * size + k] = values[bodies[i] * size + k];
      }
      attribute.needsUpdate = true;
    }
  }

  /** Returns the first of the bodies drawn by `meshes` that a ray meets, or null. */
  pick(raycaster: Raycaster, meshes: readonly InstancedMesh[]): Hit | null {
    this.#hits.length = 0;
    for (const mesh of meshes) raycaster.intersectObject(mesh, false, this.#hits);
    let first: Intersection | null = null;
    for (const hit of this.#hits) if (first === null || hit.distance < first.distance) first = hit;
    if (first === null) return null;
    const mesh = meshes.find((each) => each === first.object);
    const body = (mesh && this.#partOf.get(mesh)?.bodies[first.instanceId ?? 0]) ?? NO_BODY;
    return { body, distance: first.distance };
  }

  dispose(): void {
    for (const mesh of this.#partOf.keys()) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
  }
}

/** How many of a shape's bodies are drawn: a host that lies could make more than the level allows. */
function drawnOf({ bodies, capacity }: Part): number {
  return Math.min(bodies.length, capacity);
}

function streamed(count: number, size: number): InstancedBufferAttribute {
  return new InstancedBufferAttribute(new Float32Array(count * size), size).setUsage(StreamDrawUsage);
}
