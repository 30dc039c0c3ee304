import type { Texture } from 'three';
import { CustomBlending, DstColorFactor, ShaderMaterial, ZeroFactor } from 'three';
import type { Light } from '../light/daylight.ts';
import { LIT_FRAGMENT, LIT_VERTEX } from '../light/daylight.ts';
import { MARK_ATLAS } from '../mark-atlas.ts';

/**
 * Count of numbers per body for each attribute: its colour (see paint in colour.ts); the slot of its mark and
 * the mark's opacity; and how much brighter than others it is, because a hand points at it or holds it.
 */
export const BODY_ATTRIBUTES = { tint: 3, mark: 2, lift: 1 } as const;

/** Matte paint. */
export function bodyMaterial(light: Light): ShaderMaterial {
  return new ShaderMaterial({
    name: 'body',
    ...light,
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      attribute vec3 tint;
      attribute float lift;

      void main() {
        vec3 world = (instanceMatrix * vec4(position, 1.0)).xyz;
        vec3 turned = mat3(instanceMatrix) * normal;
        // Near the floor a wall sees less of the sky.
        float low = 1.0 - clamp(world.y / 0.6, 0.0, 1.0);
        float openness = 1.0 - 0.34 * low * (1.0 - max(turned.y, 0.0));
        light(world, turned, tint, openness);
        vShade *= 1.0 + 0.34 * lift;
        gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      ${LIT_FRAGMENT}
      void main() {
        gl_FragColor = display(vShade + vSunny * sunlit());
      }
    `,
  });
}

/**
 * The marks, printed onto bodies that are drawn already: a mark darkens the body, so it has the body's light.
 */
export function markMaterial(marks: Texture): ShaderMaterial {
  return new ShaderMaterial({
    name: 'mark',
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -4,
    blending: CustomBlending,
    blendSrc: DstColorFactor,
    blendDst: ZeroFactor,
    uniforms: { marks: { value: marks } },
    vertexShader: /* glsl */ `
      ${MARK_ATLAS}
      attribute vec2 face;
      attribute vec2 mark;
      varying vec2 vFace;
      varying vec2 vPlace;
      varying float vStrength;

      void main() {
        vFace = face;
        vPlace = placeInAtlas(face, mark.x);
        vStrength = mark.y * 0.27;
        vec4 world = instanceMatrix * vec4(position, 1.0);
        // A face without a mark gets no area.
        gl_Position = mark.y > 0.02 ? projectionMatrix * viewMatrix * world : vec4(0.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform sampler2D marks;
      varying vec2 vFace;
      varying vec2 vPlace;
      varying float vStrength;

      void main() {
        float inside = step(max(abs(vFace.x), abs(vFace.y)), 1.0);
        gl_FragColor = vec4(vec3(1.0 - texture2D(marks, vPlace).r * vStrength * inside), 1.0);
      }
    `,
  });
}
