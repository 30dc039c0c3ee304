import type { BufferGeometry } from 'three';
import { Group, Mesh, ShaderMaterial } from 'three';
import type { Level } from '../../core/world/level.ts';
import { floorOf } from '../../core/world/level.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW, DITHER, GRID, LIT_FRAGMENT, LIT_VERTEX } from '../light/daylight.ts';
import { staticGeometry, staticShadow } from './static-geometry.ts';

/** The ground of a level, besides its flat floor: matte, and as light as the floor. A new level needs a new object. */
export class StaticMeshes {
  readonly group = new Group();
  readonly #material: ShaderMaterial;
  readonly #geometries: readonly BufferGeometry[];

  constructor(level: Level, light: Light) {
    this.#material = staticMaterial(light);
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

function staticMaterial(light: Light): ShaderMaterial {
  return new ShaderMaterial({
    name: 'static',
    ...light,
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      varying vec3 vWorld;
      varying float vUp;
      const vec3 ALBEDO = vec3(0.59, 0.595, 0.585);
      void main() {
        vec3 world = (modelMatrix * vec4(position, 1.0)).xyz;
        vec3 turned = mat3(modelMatrix) * normal;
        vWorld = world;
        vUp = turned.y;
        float low = 1.0 - clamp(world.y / 0.6, 0.0, 1.0);
        light(world, turned, ALBEDO, 1.0 - 0.2 * low * (1.0 - max(turned.y, 0.0)));
        gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      ${LIT_FRAGMENT}
      ${DITHER}
      ${GRID}
      varying vec3 vWorld;
      varying float vUp;
      void main() {
        float clear = clearness(vWorld);
        // The floor's grid goes on over what one can walk on.
        float ink = gridInk(vWorld.xz) * clear * clear * smoothstep(0.3, 0.6, vUp);
        gl_FragColor = display((vShade + vSunny * sunlit()) * (1.0 - ink)) + dither();
      }
    `,
  });
}
