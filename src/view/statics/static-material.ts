import { ShaderMaterial } from 'three';
import type { Light } from '../light/daylight.ts';
import { DITHER, GRID, LIT_FRAGMENT, LIT_VERTEX } from '../light/daylight.ts';

/** Shares of light that come back, in red, green and blue. */
const ALBEDOS = {
  static: '0.59, 0.595, 0.585',
  driven: '0.32, 0.36, 0.42',
  tether: '0.30, 0.27, 0.23',
} as const;

/** The material of what never moves, with the floor's grid; or of driven bodies or instances of tethers, without it. */
export function staticMaterial(light: Light, kind: keyof typeof ALBEDOS): ShaderMaterial {
  return new ShaderMaterial({
    name: kind,
    ...light,
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      varying vec3 vWorld;
      varying float vUp;
      const vec3 ALBEDO = vec3(${ALBEDOS[kind]});
      void main() {
        mat4 place = modelMatrix;
        #ifdef USE_INSTANCING
          place = place * instanceMatrix;
        #endif
        vec3 world = (place * vec4(position, 1.0)).xyz;
        vec3 turned = normalize(mat3(place) * normal);
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
        float ink = ${kind === 'static' ? 'gridInk(vWorld.xz) * clear * clear * smoothstep(0.3, 0.6, vUp)' : '0.0'};
        gl_FragColor = display((vShade + vSunny * sunlit()) * (1.0 - ink)) + dither();
      }
    `,
  });
}
