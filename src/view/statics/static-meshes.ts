import type { BufferGeometry, ShaderMaterial } from 'three';
import { Group, Mesh } from 'three';
import type { Level } from '../../core/world/level.ts';
import { floorOf } from '../../core/world/level.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { staticGeometry, staticShadow } from './static-geometry.ts';
import { staticMaterial } from './static-material.ts';

/** The ground of a level, besides its flat floor: matte, and as light as the floor. A new level needs a new object. */
export class StaticMeshes {
  readonly group = new Group();
  readonly #material: ShaderMaterial;
  readonly #geometries: readonly BufferGeometry[];

  constructor(level: Level, light: Light) {
    this.#material = staticMaterial(light, 'static');
    const floor = floorOf(level);
    const drawn = level.statics.filter((fixed) => fixed !== floor);
    this.#geometries = drawn.flatMap(({ shape }) => [staticGeometry(shape), staticShadow(shape)]);
    drawn.forEach(({ pose: { position: p, rotation: q } }, i) => {
      for (const isShadow of [false, true]) {
        const mesh = new Mesh(this.#geometries[2 * i + Number(isShadow)], this.#material);
        mesh.position.set(p.x, p.y, p.z);
        mesh.quaternion.set(q.x, q.y, q.z, q.w);
        if (isShadow) mesh.layers.set(CASTS_SHADOW);
        this.group.add(mesh);
      }
    });
  }

  dispose(): void {
    for (const geometry of this.#geometries) geometry.dispose();
    this.#material.dispose();
  }
}
