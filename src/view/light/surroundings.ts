import type { BufferGeometry } from 'three';
import { BackSide, CircleGeometry, Group, Mesh, ShaderMaterial, SphereGeometry } from 'three';
import type { Light } from './daylight.ts';
import { DITHER, GRID, LIT_FRAGMENT, LIT_VERTEX, SKY } from './daylight.ts';

/** Metres to the edge of the floor, where the floor has the horizon's colour. */
const FLOOR_RADIUS = 320;
/** Radians from the zenith down: below this angle the floor always covers the sky. */
const SKY_DEPTH = Math.PI * 0.55;

/**
 * The floor and the sky. The floor is drawn after the bodies and the sky last, so only visible pixels are
 * painted.
 */
export class Surroundings {
  readonly group = new Group();
  readonly #meshes: readonly Mesh<BufferGeometry, ShaderMaterial>[];

  constructor(light: Light) {
    const floor = new Mesh<BufferGeometry, ShaderMaterial>(
      new CircleGeometry(FLOOR_RADIUS, 64).rotateX(-Math.PI / 2),
      floorMaterial(light),
    );
    floor.renderOrder = 1;
    const sky = new Mesh<BufferGeometry, ShaderMaterial>(
      new SphereGeometry(1, 24, 22, 0, 2 * Math.PI, 0, SKY_DEPTH),
      skyMaterial(),
    );
    sky.frustumCulled = false;
    sky.renderOrder = 2;
    this.#meshes = [floor, sky];
    this.group.add(floor, sky);
  }

  /** Whether there is a flat floor; if not, the level has ground of its own, and only the sky is drawn. */
  showFloor(shown: boolean): void {
    this.#meshes[0].visible = shown;
  }

  dispose(): void {
    for (const { geometry, material } of this.#meshes) {
      geometry.dispose();
      material.dispose();
    }
  }
}

function floorMaterial(light: Light): ShaderMaterial {
  return new ShaderMaterial({
    name: 'floor',
    ...light,
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      varying vec3 vWorld;
      void main() {
        vWorld = position;
        findShadow(position, vec3(0.0, 1.0, 0.0));
        gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      ${LIT_FRAGMENT}
      ${DITHER}
      varying vec3 vWorld;
      const vec3 ALBEDO = vec3(0.63, 0.615, 0.59);

      ${GRID}

      void main() {
        vec3 floorLight = SKY + SUN * TO_SUN.y * sunlit();
        float clear = clearness(vWorld);
        float ink = gridInk(vWorld.xz) * clear * clear;
        vec3 colour = mix(HORIZON, ALBEDO * (1.0 - ink) * floorLight, clear);
        gl_FragColor = display(colour) + dither();
      }
    `,
  });
}

function skyMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'sky',
    side: BackSide,
    depthWrite: false,
    vertexShader: /* glsl */ `
      ${SKY}
      varying vec3 vColour;
      void main() {
        vColour = sky(position);
        gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
        // As far away as anything can be.
        gl_Position.z = gl_Position.w;
      }
    `,
    fragmentShader: /* glsl */ `
      ${DITHER}
      varying vec3 vColour;
      void main() {
        gl_FragColor = vec4(vColour + dither(), 1.0);
      }
    `,
  });
}
