import type { BufferGeometry } from 'three';
import { BufferAttribute, PlaneGeometry, ShaderMaterial } from 'three';
import type { Shape } from '../../core/world/shape.ts';
import { halfExtents } from './shapes.ts';

/** A square that lies below a body and has the body's half extents as an attribute. */
export function contactGeometry(shape: Shape): BufferGeometry {
  const square = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
  const half = halfExtents(shape).toArray();
  const { count } = square.getAttribute('position');
  const values = Float32Array.from({ length: count * 3 }, (_, i) => half[i % 3]);
  return square.setAttribute('halfSize', new BufferAttribute(values, 3));
}

/**
 * The dark area on the floor around each body: one soft rectangle per body, shaped by its pose. It disappears
 * when the body is half a metre above the floor. These areas are drawn everywhere; the sun's shadows only in
 * the play area.
 */
export function contactMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'contact shadow',
    transparent: true,
    depthWrite: false,
    vertexShader: /* glsl */ `
      attribute vec3 halfSize;
      varying vec2 vAt;
      varying vec2 vHalf;
      varying float vStrength;
      const float REACH = 0.3;

      void main() {
        mat3 turn = mat3(instanceMatrix);
        vec3 centre = instanceMatrix[3].xyz;
        vec3 a = turn[0] * halfSize.x;
        vec3 b = turn[1] * halfSize.y;
        vec3 c = turn[2] * halfSize.z;
        float gap = centre.y - abs(a.y) - abs(b.y) - abs(c.y);
        // The rectangle is aligned with the body's flattest axis.
        vec3 axis = turn[0];
        if (abs(turn[1].y) < abs(axis.y)) axis = turn[1];
        if (abs(turn[2].y) < abs(axis.y)) axis = turn[2];
        vec2 along = normalize(axis.xz);
        vec2 across = vec2(-along.y, along.x);
        vHalf = vec2(
          abs(dot(a.xz, along)) + abs(dot(b.xz, along)) + abs(dot(c.xz, along)),
          abs(dot(a.xz, across)) + abs(dot(b.xz, across)) + abs(dot(c.xz, across))
        );
        vStrength = 0.55 * clamp(1.0 - gap / 0.5, 0.0, 1.0);
        vStrength *= vStrength * step(0.0, centre.y);
        vec2 size = vStrength > 0.004 ? vHalf + REACH : vec2(0.0);
        vAt = position.xz * size;
        vec2 place = centre.xz + along * vAt.x + across * vAt.y;
        gl_Position = projectionMatrix * viewMatrix * vec4(place.x, 0.003, place.y, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      varying vec2 vAt;
      varying vec2 vHalf;
      varying float vStrength;
      const float REACH = 0.3;

      void main() {
        float outside = length(max(abs(vAt) - vHalf + 0.06, 0.0)) - 0.06;
        float fall = clamp(1.0 - max(outside, 0.0) / (REACH - 0.06), 0.0, 1.0);
        gl_FragColor = vec4(0.16, 0.18, 0.22, vStrength * fall * fall * fall);
      }
    `,
  });
}
