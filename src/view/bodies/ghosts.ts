import type { BufferGeometry, Group } from 'three';
import { BoxGeometry, BufferAttribute, DoubleSide, ShaderMaterial } from 'three';
import { POSE_STRIDE } from '../../core/base/state.ts';
import { NO_SLOT } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Level } from '../../core/world/level.ts';
import type { Shape } from '../../core/world/shape.ts';
import { BodyInstances } from './body-instances.ts';
import type { Rgb } from '../light/colour.ts';
import { displayValues } from '../light/colour.ts';
import { colouringSlot } from './colouring-slot.ts';
import { PresentBodies } from './present-bodies.ts';
import { shapeGeometry } from './shapes.ts';
import { SLOT_LOOKS } from '../slots.ts';

/** Metres: a ghost this far from its body is drawn most clearly. */
const CLEAR_FROM = 0.06;
/** The opacity of a ghost at the place of its body, 0 to 1. */
const FAINTEST = 0.16;
/** The colour of a ghost without authority, and the colours of ghosts under a slot. */
const SLATE = displayValues('#3b4350');
const SLOT_INKS: readonly Rgb[] = SLOT_LOOKS.map(({ colour }) => displayValues(colour));

/** Outlines of the bodies of another peer. They are clearer where the two peers differ. */
export class Ghosts {
  readonly group: Group;
  readonly #present: PresentBodies;
  readonly #instances: BodyInstances;
  readonly #material = ghostMaterial();
  readonly #ink: Float32Array;

  constructor(level: Level) {
    this.#present = new PresentBodies(level);
    this.#instances = new BodyInstances(this.#present, { ink: 4 });
    this.#instances.addMeshes(ghostGeometry, this.#material);
    this.#ink = new Float32Array(this.#present.count * 4);
    this.group = this.#instances.group;
  }

  /**
   * Draws the outlines of another peer's bodies, coloured by their authority.
   * @param own the poses of the drawn bodies, for the comparison.
   */
  place(view: PeerView, own: Float32Array): void {
    const { poses } = view;
    if (this.#present.update(view)) this.#instances.recount();
    for (let body = 0; body < this.#instances.count; body++) {
      const slot = colouringSlot(view, body);
      const colour = slot === NO_SLOT ? SLATE : SLOT_INKS[slot];
      this.#ink.set(colour, body * 4);
      const clear = Math.min(1, apart(poses, own, body * POSE_STRIDE) / CLEAR_FROM);
      this.#ink[body * 4 + 3] = FAINTEST + (1 - FAINTEST) * clear;
    }
    this.#instances.place(poses);
    this.#instances.set('ink', this.#ink);
  }

  dispose(): void {
    this.#instances.dispose();
    this.#material.dispose();
  }
}

function apart(a: Float32Array, b: Float32Array, at: number): number {
  return Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]);
}

/** A box with its borders at 0 and 1 of `uv`; other shapes have no borders to draw. */
function ghostGeometry(shape: Shape): BufferGeometry {
  if (shape.kind === 'box') {
    const [x, y, z] = shape.halfExtents;
    return new BoxGeometry(2 * x, 2 * y, 2 * z);
  }
  const geometry = shapeGeometry(shape, 'coarse');
  const { count } = geometry.getAttribute('position');
  return geometry.setAttribute('uv', new BufferAttribute(new Float32Array(count * 2).fill(0.5), 2));
}

function ghostMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'ghost',
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    vertexShader: /* glsl */ `
      attribute vec4 ink;
      varying vec2 vUv;
      varying vec4 vInk;
      void main() {
        vUv = uv;
        vInk = ink;
        // A little larger, so that a ghost at the place of its body is visible.
        vec4 world = instanceMatrix * vec4(position * 1.015, 1.0);
        gl_Position = projectionMatrix * viewMatrix * world;
      }
    `,
    fragmentShader: /* glsl */ `
      varying vec2 vUv;
      varying vec4 vInk;
      const float LINE_PIXELS = 1.8;

      void main() {
        vec2 inside = min(vUv, 1.0 - vUv) / max(fwidth(vUv), vec2(1e-5));
        float line = clamp(LINE_PIXELS - min(inside.x, inside.y), 0.0, 1.0);
        gl_FragColor = vec4(vInk.rgb, vInk.a * mix(0.09, 0.9, line));
      }
    `,
  });
}
