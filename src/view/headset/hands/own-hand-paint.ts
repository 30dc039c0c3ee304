import type { Matrix4, Texture } from 'three';
import { ShaderMaterial } from 'three';
import { paint } from '../../light/colour.ts';
import type { Light } from '../../light/daylight.ts';
import { LIT_FRAGMENT, LIT_VERTEX } from '../../light/daylight.ts';
import type { SlotLook } from '../../slots.ts';

/** The parts of an own hand that its paint depends on. */
export type OwnHandPaint = {
  /** Matrices from each joint's place in the geometry to its present place. */
  readonly joints: readonly Matrix4[];
  /** The device's own texture; null paints all of it in the player's colour. */
  readonly picture: Texture | null;
  /** The range along z, in metres, of the band in the player's colour around a device. */
  readonly band: readonly [number, number];
};

/** Paint for a player's own hands. The geometry needs `skinIndex` and `skinWeight`, four numbers each. */
export function ownHandMaterial(light: Light, { joints, picture, band }: OwnHandPaint): ShaderMaterial {
  return new ShaderMaterial({
    name: 'own hand',
    defines: { ...light.defines, JOINTS: joints.length, ...(picture === null ? {} : { PICTURE: 1 }) },
    uniforms: {
      ...light.uniforms,
      joints: { value: joints },
      picture: { value: picture },
      band: { value: band },
      colour: { value: [1, 1, 1] },
    },
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      uniform mat4 joints[JOINTS];
      attribute vec4 skinIndex;
      attribute vec4 skinWeight;
      varying float vGloss;
      varying float vAlong;
      varying vec2 vUv;

      void main() {
        ivec4 index = ivec4(skinIndex + 0.5);
        mat4 moved = joints[index.x] * skinWeight.x + joints[index.y] * skinWeight.y
          + joints[index.z] * skinWeight.z + joints[index.w] * skinWeight.w;
        vec3 world = (modelMatrix * moved * vec4(position, 1.0)).xyz;
        vec3 turned = normalize(mat3(modelMatrix) * mat3(moved) * normal);
        light(world, turned, vec3(1.0), 1.0);
        vec3 toEye = normalize(cameraPosition - world);
        float rim = 1.0 - max(dot(turned, toEye), 0.0);
        float glint = max(dot(turned, normalize(toEye + TO_SUN)), 0.0);
        glint *= glint * glint * glint;
        glint *= glint * glint * glint;
        vGloss = 0.12 * rim * rim * rim + 0.07 * glint;
        vAlong = position.z;
        #ifdef PICTURE
          vUv = uv;
        #endif
        gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      ${LIT_FRAGMENT}
      uniform sampler2D picture;
      uniform vec3 colour;
      uniform vec2 band;
      varying float vGloss;
      varying float vAlong;
      varying vec2 vUv;

      void main() {
        vec3 albedo = colour;
        #ifdef PICTURE
          vec3 shown = texture2D(picture, vUv).rgb;
          albedo = vAlong > band.x && vAlong < band.y ? colour : shown * shown;
        #endif
        gl_FragColor = display(albedo * (vShade + vSunny * sunlit()) + vGloss);
      }
    `,
  });
}

/** Gives a hand its player's colour. */
export function tint(material: ShaderMaterial, { colour }: SlotLook): void {
  material.uniforms.colour.value = paint(colour);
}
