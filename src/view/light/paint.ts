import type { BufferGeometry, Matrix4 } from 'three';
import { BufferAttribute, ShaderMaterial } from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { paint } from './colour.ts';
import type { Light } from './daylight.ts';
import { LIT_FRAGMENT, LIT_VERTEX } from './daylight.ts';

/** Gives a geometry one colour ('#rrggbb') and one joint of its material, with which it moves. */
export function painted(geometry: BufferGeometry, colour: string, joint = 0): BufferGeometry {
  const loose = geometry.index === null ? geometry : geometry.toNonIndexed();
  const { count } = loose.getAttribute('position');
  const rgb = paint(colour);
  const colours = Float32Array.from({ length: count * 3 }, (_, i) => rgb[i % 3]);
  loose.setAttribute('color', new BufferAttribute(colours, 3));
  loose.setAttribute('joint', new BufferAttribute(new Float32Array(count).fill(joint), 1));
  loose.deleteAttribute('uv');
  return loose;
}

/** Joins painted geometries into one, so that they need one draw call. */
export function joined(parts: readonly BufferGeometry[]): BufferGeometry {
  return mergeVertices(mergeGeometries([...parts]), 1e-5);
}

/**
 * Matte paint; the geometry contains its colour.
 * @param joints matrices from each joint's place in the geometry to its present place; empty for a rigid
 * object.
 */
export function paintMaterial(light: Light, joints: readonly Matrix4[] = []): ShaderMaterial {
  return new ShaderMaterial({
    name: 'paint',
    vertexColors: true,
    defines: joints.length > 0 ? { ...light.defines, JOINTS: joints.length } : light.defines,
    uniforms: { ...light.uniforms, joints: { value: joints } },
    vertexShader: /* glsl */ `
      ${LIT_VERTEX}
      #ifdef JOINTS
        uniform mat4 joints[JOINTS];
        attribute float joint;
      #endif

      void main() {
        vec4 place = vec4(position, 1.0);
        vec3 turned = normal;
        #ifdef JOINTS
          mat4 moved = joints[int(joint + 0.5)];
          place = moved * place;
          turned = mat3(moved) * turned;
        #endif
        vec3 world = (modelMatrix * place).xyz;
        turned = mat3(modelMatrix) * turned;
        light(world, turned, color, 1.0);
        // Floor and cubes reflect light on faces that are turned away from the sun: friends face each other.
        vec3 fromSun = normalize(vec3(-TO_SUN.x, 0.3, -TO_SUN.z));
        vShade += color * SUN * (0.36 * max(dot(turned, fromSun), 0.0));
        // The sky on what is seen at a grazing angle: enough to tell plastic from plaster.
        float rim = 1.0 - max(dot(turned, normalize(cameraPosition - world)), 0.0);
        vShade += SKY * (rim * rim * rim * 0.22);
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
