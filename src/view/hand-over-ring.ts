import { Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { Slot } from '../core/base/ids.ts';
import type { ReadonlyVector } from '../core/base/math.ts';
import { displayValues } from './light/colour.ts';
import { slotLook } from './slots.ts';

/** Seconds that the ring lasts, and the metres from its middle to its rim at the start and at the end. */
const LASTS = 0.9;
const FROM = 0.3;
const TO = 0.95;

/** A ring that widens around a body that has gone from one player's hand to another's. One draw call while it lasts. */
export class HandOverRing {
  /** The caller adds it to the world. */
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  #age = LASTS;

  constructor() {
    this.mesh = new Mesh(new PlaneGeometry(2 * TO, 2 * TO), ringMaterial());
    this.mesh.visible = false;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 6;
  }

  /** It begins, in the colour of the player that has the body now. */
  begin(to: Slot): void {
    this.#age = 0;
    this.mesh.material.uniforms.colour.value = displayValues(slotLook(to).colour);
  }

  /**
   * Draws it around a place.
   * @param seconds since the last call.
   */
  update({ x, y, z }: ReadonlyVector, seconds: number): void {
    this.mesh.visible = this.#age < LASTS;
    if (!this.mesh.visible) return;
    const share = this.#age / LASTS;
    this.#age += seconds;
    this.mesh.position.set(x, y, z);
    // Fast at first, then slower.
    const widened = 1 - (1 - share) ** 3;
    this.mesh.material.uniforms.radius.value = FROM + (TO - FROM) * widened;
    this.mesh.material.uniforms.opacity.value = 1 - share;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** It faces each eye, and the body does not hide it. */
function ringMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'hand-over ring',
    transparent: true,
    depthTest: false,
    depthWrite: false,
    uniforms: { colour: { value: displayValues('#ffffff') }, radius: { value: FROM }, opacity: { value: 0 } },
    vertexShader: /* glsl */ `
      varying vec2 place;
      void main() {
        place = position.xy;
        vec4 middle = viewMatrix * modelMatrix * vec4(0.0, 0.0, 0.0, 1.0);
        gl_Position = projectionMatrix * (middle + vec4(position.xy, 0.0, 0.0));
      }
    `,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      uniform float radius;
      uniform float opacity;
      varying vec2 place;
      void main() {
        float off = (length(place) - radius * 0.94) / (radius * 0.06);
        float rim = exp(-off * off * 1.5);
        float glow = 0.22 * smoothstep(radius, radius * 0.4, length(place)) * step(length(place), radius);
        gl_FragColor = vec4(mix(colour, vec3(1.0), 0.25 * rim), opacity * min(1.0, rim + glow));
      }
    `,
  });
}
