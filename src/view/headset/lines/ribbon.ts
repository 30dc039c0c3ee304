import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from 'three';
import { displayValues } from '../../light/colour.ts';

/** Metres from the eye: a ribbon farther away gets wider, so that it stays visible. */
const NEAR = 1;

/** Thin bands in the world that always face the eye, in one draw call. */
export class Ribbons {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  /** x, y, z of each ribbon's points, one ribbon after the other; read at each drawing. */
  readonly points: Float32Array;
  /** One value per ribbon, 0 to 1. */
  readonly opacity: Float32Array;

  /**
   * @param count of ribbons.
   * @param pointCount points per ribbon.
   * @param width in metres, near the eye.
   */
  constructor(count: number, pointCount: number, width: number) {
    this.points = new Float32Array(count * pointCount * 3);
    this.opacity = new Float32Array(count);
    const material = ribbonMaterial(count, pointCount);
    material.uniforms.points.value = this.points;
    material.uniforms.opacity.value = this.opacity;
    material.uniforms.width.value = width;
    this.mesh = new Mesh(ribbonGeometry(count, pointCount), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 6;
  }

  /** @param hex '#rrggbb'. */
  set colour(hex: string) {
    this.mesh.material.uniforms.colour.value = displayValues(hex);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** The "position" of a vertex contains the number of its ribbon, of its point, and of its side. */
function ribbonGeometry(count: number, pointCount: number): BufferGeometry {
  const positions: number[] = [];
  const index: number[] = [];
  for (let ribbon = 0; ribbon < count; ribbon++) {
    for (let point = 0; point < pointCount; point++) {
      const first = positions.length / 3;
      positions.push(ribbon, point, -1, ribbon, point, 1);
      if (point + 1 < pointCount) index.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
    }
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(new Float32Array(positions), 3))
    .setIndex(index);
}

function ribbonMaterial(count: number, pointCount: number): ShaderMaterial {
  return new ShaderMaterial({
    name: 'ribbon',
    transparent: true,
    depthWrite: false,
    // A ribbon faces the eye, so both of its sides may be visible.
    side: DoubleSide,
    defines: { RIBBONS: count, POINTS: pointCount },
    uniforms: {
      points: { value: null },
      opacity: { value: null },
      width: { value: 0 },
      colour: { value: [1, 1, 1] },
    },
    vertexShader: /* glsl */ `
      uniform vec3 points[RIBBONS * POINTS];
      uniform float opacity[RIBBONS];
      uniform float width;
      varying float vAcross;
      varying float vOpacity;

      void main() {
        int ribbon = int(position.x + 0.5);
        int point = int(position.y + 0.5);
        int first = ribbon * POINTS;
        vec3 here = points[first + point];
        vec3 way = points[first + min(point + 1, POINTS - 1)] - points[first + max(point - 1, 0)];
        vec3 toEye = cameraPosition - here;
        vec3 across = cross(way, toEye);
        float size = length(across);
        across = size > 1e-7 ? across / size : vec3(0.0);
        float grown = max(1.0, length(toEye) / ${NEAR.toFixed(1)});
        here += across * (position.z * 0.5 * width * grown);
        // It fades in, so that it seems to come out of the hand.
        vOpacity = opacity[ribbon] * smoothstep(0.0, 0.22, position.y / float(POINTS - 1));
        vAcross = position.z;
        gl_Position = projectionMatrix * viewMatrix * vec4(here, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      varying float vAcross;
      varying float vOpacity;
      void main() {
        // The player's colour with a lighter core, and soft edges.
        float edge = abs(vAcross);
        vec3 shown = mix(colour, vec3(1.0), 0.2 * (1.0 - smoothstep(0.0, 0.5, edge)));
        gl_FragColor = vec4(shown, vOpacity * (1.0 - smoothstep(0.55, 1.0, edge)));
      }
    `,
  });
}
