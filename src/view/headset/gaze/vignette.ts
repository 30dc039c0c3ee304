import { Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import { flowFraction } from '../../bodies/colour-flow.ts';

/** Tangents of the angles from the middle of an eye's picture: where it begins to darken, and where it is dark. */
const CLEAR = 0.34;
const DARK = 0.72;
/** The darkness at the edge, 0 to 1. */
const MOST = 0.92;
/** Fraction of the remaining way that it appears or fades in one frame of 1/90 s. */
const FLOW = 0.08;
const INVISIBLE = 0.01;

/** Darkens the edge of the picture while the player is moved: what the eyes see there makes some feel unwell. */
export class Vignette {
  /** The caller adds it to the world. */
  readonly mesh = new Mesh(new PlaneGeometry(2, 2), vignetteMaterial());
  #shown = 0;

  constructor() {
    this.mesh.frustumCulled = false;
    // Before panels and labels: those don't move with the world.
    this.mesh.renderOrder = 12;
    this.mesh.visible = false;
  }

  /** @param seconds since the last call. */
  update(isMoved: boolean, seconds: number): void {
    this.#shown += ((isMoved ? 1 : 0) - this.#shown) * flowFraction(FLOW, seconds);
    this.mesh.visible = this.#shown > INVISIBLE;
    this.mesh.material.uniforms.shown.value = this.#shown;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** It covers each eye's picture, whose middle is not where the eye looks straight ahead. */
function vignetteMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'vignette',
    transparent: true,
    depthTest: false,
    depthWrite: false,
    uniforms: { shown: { value: 0 } },
    vertexShader: /* glsl */ `
      varying vec2 vTangent;
      void main() {
        vTangent = (position.xy + vec2(projectionMatrix[2][0], projectionMatrix[2][1]))
          / vec2(projectionMatrix[0][0], projectionMatrix[1][1]);
        gl_Position = vec4(position.xy, 0.0, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform float shown;
      varying vec2 vTangent;
      void main() {
        float away = smoothstep(${CLEAR.toFixed(2)}, ${DARK.toFixed(2)}, length(vTangent));
        gl_FragColor = vec4(0.09, 0.11, 0.14, away * shown * ${MOST.toFixed(2)});
      }
    `,
  });
}
