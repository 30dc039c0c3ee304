import type { BufferGeometry, ShaderMaterial } from 'three';
import { Group, Mesh } from 'three';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { Level } from '../../core/world/level.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { shadowGeometry, shapeGeometry } from '../bodies/shapes.ts';
import { staticMaterial } from './static-material.ts';

/** The driven bodies of a level [K1], where a view has them: darker than the ground, so that one sees what moves. */
export class DrivenMeshes {
  readonly group = new Group();
  readonly #material: ShaderMaterial;
  readonly #geometries: readonly BufferGeometry[];
  readonly #bodies: readonly Group[];

  constructor({ driven = [] }: Level, light: Light) {
    this.#material = staticMaterial(light, 'driven');
    this.#geometries = driven.flatMap(({ shape }) => [shapeGeometry(shape, 'fine'), shadowGeometry(shape)]);
    this.#bodies = driven.map(({ start: { position: p, rotation: q } }, i) => {
      const body = new Group();
      const shadow = new Mesh(this.#geometries[2 * i + 1], this.#material);
      shadow.layers.set(CASTS_SHADOW);
      body.add(new Mesh(this.#geometries[2 * i], this.#material), shadow);
      body.position.set(p.x, p.y, p.z);
      body.quaternion.set(q.x, q.y, q.z, q.w);
      return body;
    });
    for (const body of this.#bodies) this.group.add(body);
  }

  /** @param poses of a PeerView, which may not be filled yet. */
  update(poses: Float32Array): void {
    this.#bodies.forEach(({ position, quaternion }, i) => {
      const at = i * POSE_STRIDE + 3;
      if (poses[at] === 0 && poses[at + 1] === 0 && poses[at + 2] === 0 && poses[at + 3] === 0) return;
      position.fromArray(poses, i * POSE_STRIDE);
      quaternion.fromArray(poses, i * POSE_STRIDE + 3);
    });
  }

  dispose(): void {
    for (const geometry of this.#geometries) geometry.dispose();
    this.#material.dispose();
  }
}
