import { Group, Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { Slot } from '../../../core/base/ids.ts';
import { NO_SLOT } from '../../../core/base/ids.ts';
import type { ReadonlyVector } from '../../../core/base/math.ts';
import { displayValues } from '../../light/colour.ts';
import { flowFraction } from '../../bodies/colour-flow.ts';
import { slotLook } from '../../slots.ts';
import { sampleLine } from './lines.ts';
import { Ribbons } from './ribbon.ts';

const POINTS = 32;
/** Width of the arc in metres. */
const WIDTH = 0.009;
/** Radius of the mark on the floor, in metres. */
const RING = 0.42;
/** Metres: above the floor and its contact shadows. */
const RING_HEIGHT = 0.006;
const NOWHERE = '#8d949c';
/** Fraction of the remaining way that it appears or fades in one frame of 1/90 s. */
const FADE_FLOW = 0.3;
const INVISIBLE = 0.01;

/** The place to which a player is about to jump, in the world. */
export type ArcAim = {
  readonly active: boolean;
  /** x, y, z of each point, from the hand to the floor; at least two points. */
  readonly points: Float32Array;
  /** A point on the floor. */
  readonly target: ReadonlyVector;
  readonly valid: boolean;
};

/**
 * The arc of a teleport, and a ring at its target. If the player can't jump there, the arc is grey and has no
 * ring.
 */
export class TeleportArc {
  /** The caller adds it to the world. */
  readonly group = new Group();
  readonly #arc = new Ribbons(1, POINTS, WIDTH);
  readonly #ring = new Mesh(new PlaneGeometry(2 * RING, 2 * RING).rotateX(-Math.PI / 2), ringMaterial());
  #slot: Slot = NO_SLOT;
  #valid = false;
  #shown = 0;
  #landing = 0;

  constructor() {
    this.#ring.renderOrder = 5;
    this.group.add(this.#arc.mesh, this.#ring);
    this.group.visible = false;
  }

  /**
   * Draws the arc, or fades it.
   * @param seconds since the last call.
   */
  update(aim: ArcAim, self: Slot, seconds: number): void {
    const fraction = flowFraction(FADE_FLOW, seconds);
    this.#shown += ((aim.active ? 1 : 0) - this.#shown) * fraction;
    this.#landing += ((aim.active && aim.valid ? 1 : 0) - this.#landing) * fraction;
    this.group.visible = this.#shown > INVISIBLE;
    if (!this.group.visible) return;
    if (aim.active) {
      sampleLine(aim.points, this.#arc.points);
      this.#ring.position.set(aim.target.x, aim.target.y + RING_HEIGHT, aim.target.z);
      this.#paint(self, aim.valid);
    }
    this.#arc.opacity[0] = this.#shown * 0.9;
    this.#ring.visible = this.#landing > INVISIBLE;
    this.#ring.material.uniforms.opacity.value = this.#landing;
  }

  dispose(): void {
    this.#arc.dispose();
    this.#ring.geometry.dispose();
    this.#ring.material.dispose();
  }

  #paint(slot: Slot, valid: boolean): void {
    if (slot === NO_SLOT || (slot === this.#slot && valid === this.#valid)) return;
    this.#slot = slot;
    this.#valid = valid;
    const { colour } = slotLook(slot);
    this.#arc.colour = valid ? colour : NOWHERE;
    this.#ring.material.uniforms.colour.value = displayValues(colour);
  }
}

/** A ring with a dot in its middle, and a glow between them. */
function ringMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'landing ring',
    transparent: true,
    depthWrite: false,
    uniforms: { colour: { value: [1, 1, 1] }, opacity: { value: 0 } },
    vertexShader: /* glsl */ `
      varying vec2 vAt;
      void main() {
        vAt = uv * 2.0 - 1.0;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      uniform float opacity;
      varying vec2 vAt;

      /** How much of a pixel lies within a circle. */
      float within(float radius, float away, float pixel) {
        return clamp((radius - away) / pixel + 0.5, 0.0, 1.0);
      }

      void main() {
        float away = length(vAt);
        float pixel = fwidth(away);
        float ring = within(0.96, away, pixel) - within(0.86, away, pixel);
        float dot = within(0.13, away, pixel);
        float glow = 0.3 * away * away * within(0.86, away, pixel);
        gl_FragColor = vec4(colour, opacity * max(max(ring, dot), glow));
      }
    `,
  });
}
