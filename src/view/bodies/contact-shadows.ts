import type { BufferGeometry } from 'three';
import { BufferAttribute, PlaneGeometry, ShaderMaterial } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { ReadonlyPose } from '../../core/base/math.ts';
import { pose } from '../../core/base/math.ts';
import type { ConvexShape, Shape } from '../../core/world/shape.ts';
import { halfExtents } from './shapes.ts';

/** The forms that the shader knows; their numbers are written there, too. */
const ANGULAR = 0;
const CAPSULE = 1;
const CYLINDER = 2;
const FORMS = {
  box: ANGULAR,
  hull: ANGULAR,
  ball: CAPSULE,
  capsule: CAPSULE,
  cylinder: CYLINDER,
  cone: CYLINDER,
} as const;

/**
 * A square that lies below a body, or one below each part of a compound. Its attributes are the half extents and the
 * form of the part, and its place in the frame of the body.
 */
export function contactGeometry(shape: Shape): BufferGeometry {
  if (shape.kind !== 'compound') return square(shape, pose());
  return mergeGeometries(shape.parts.map((part) => square(part.shape, part.pose)));
}

function square(shape: ConvexShape, { position: p, rotation: q }: ReadonlyPose): BufferGeometry {
  const geometry = new PlaneGeometry(2, 2).rotateX(-Math.PI / 2);
  geometry.setAttribute('halfSize', repeated([...halfExtents(shape).toArray(), FORMS[shape.kind]]));
  geometry.setAttribute('place', repeated([p.x, p.y, p.z]));
  return geometry.setAttribute('turned', repeated([q.x, q.y, q.z, q.w]));
}

/** The same values for the four corners of a square. */
function repeated(values: readonly number[]): BufferAttribute {
  return new BufferAttribute(Float32Array.from([...values, ...values, ...values, ...values]), values.length);
}

/** Finds the place on the floor, the size and the strength of each dark area. */
const VERTEX = /* glsl */ `
  attribute vec4 halfSize;
  attribute vec3 place;
  attribute vec4 turned;
  varying vec2 vAt;
  varying vec2 vHalf;
  varying float vStrength;
  varying float vReach;
  varying float vRound;

  vec3 turn(vec3 v) {
    vec3 side = 2.0 * cross(turned.xyz, v);
    return mat3(instanceMatrix) * (v + turned.w * side + cross(turned.xyz, side));
  }

  void main() {
    vec3 x = turn(vec3(1.0, 0.0, 0.0));
    vec3 y = turn(vec3(0.0, 1.0, 0.0));
    vec3 z = turn(vec3(0.0, 0.0, 1.0));
    vec3 centre = (instanceMatrix * vec4(place, 1.0)).xyz;
    vec3 a = x * halfSize.x;
    vec3 b = y * halfSize.y;
    vec3 c = z * halfSize.z;
    float upright = abs(y.y);
    float below = abs(a.y) + abs(b.y) + abs(c.y);
    vRound = 0.0;
    if (halfSize.w > 1.5) {
      below = halfSize.x * sqrt(1.0 - min(1.0, upright * upright)) + halfSize.y * upright;
      vRound = upright * upright;
    } else if (halfSize.w > 0.5) {
      below = halfSize.x + (halfSize.y - halfSize.x) * upright;
      vRound = 1.0;
    }
    float gap = centre.y - below;
    // The rectangle is aligned with the body's flattest axis.
    vec3 axis = x;
    if (abs(y.y) < abs(axis.y)) axis = y;
    if (abs(z.y) < abs(axis.y)) axis = z;
    vec2 along = normalize(axis.xz);
    vec2 across = vec2(-along.y, along.x);
    vHalf = vec2(
      abs(dot(a.xz, along)) + abs(dot(b.xz, along)) + abs(dot(c.xz, along)),
      abs(dot(a.xz, across)) + abs(dot(b.xz, across)) + abs(dot(c.xz, across))
    );
    if (halfSize.w > 0.5 && halfSize.w < 1.5) {
      // Only the lowest part of a ball is near the floor.
      float foot = min(1.0, sqrt(0.5 / halfSize.x));
      vHalf = vec2(halfSize.x * foot) + (halfSize.y - halfSize.x) * vec2(abs(dot(y.xz, along)), abs(dot(y.xz, across)));
    }
    float least = min(halfSize.x, min(halfSize.y, halfSize.z));
    vReach = min(0.3, 1.2 * least + 0.02);
    vStrength = 0.55 * clamp(1.0 - gap / (vReach / 0.6), 0.0, 1.0);
    vStrength *= vStrength * step(0.0, centre.y);
    vec2 size = vStrength > 0.004 ? vHalf + vReach : vec2(0.0);
    vAt = position.xz * size;
    vec2 at = centre.xz + along * vAt.x + across * vAt.y;
    gl_Position = projectionMatrix * viewMatrix * vec4(at.x, 0.003, at.y, 1.0);
  }
`;

/**
 * The dark area on the floor around each body: one soft rectangle or round for each, shaped by its pose. It disappears
 * when the body is half a metre above the floor, or a small body a few times its size. These areas are drawn everywhere;
 * the sun's shadows only in the play area.
 */
export function contactMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'contact shadow',
    transparent: true,
    depthWrite: false,
    vertexShader: VERTEX,
    fragmentShader: /* glsl */ `
      varying vec2 vAt;
      varying vec2 vHalf;
      varying float vStrength;
      varying float vReach;
      varying float vRound;

      void main() {
        float corner = mix(0.2 * vReach, min(vHalf.x, vHalf.y), vRound);
        float outside = length(max(abs(vAt) - vHalf + corner, 0.0)) - corner;
        float fall = clamp(1.0 - max(outside, 0.0) / (0.8 * vReach), 0.0, 1.0);
        gl_FragColor = vec4(0.16, 0.18, 0.22, vStrength * fall * fall * fall);
      }
    `,
  });
}
