import type { BufferGeometry } from 'three';
import { BackSide, Group, Mesh, ShaderMaterial } from 'three';
import type { BodyId } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import { MAX_PLAYERS } from '../../core/base/constants.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Rgb } from '../light/colour.ts';
import { displayValues } from '../light/colour.ts';
import { flowFraction } from './colour-flow.ts';
import type { PresentBodies } from './present-bodies.ts';
import { shapeGeometry } from './shapes.ts';
import { SLOT_LOOKS } from '../slots.ts';

/**
 * A body that a hand points at: a clear line and a little more light. Line widths are fractions of the
 * distance to the eye.
 */
const POINTED_AT = { lineWidth: 0.0046, lift: 0.55 };
/** A held body: a finer line and more light. */
const HELD = { lineWidth: 0.0026, lift: 1 };
/** [A9] A body that a hand reaches for: a wide line in that player's colour, and the light of a held body. */
const REACHED_FOR = { lineWidth: 0.0062, lift: 1 };
/** A body that the player is invited to take: a soft warm line. Its width swells by a share, so many times a second. */
const INVITING = { lineWidth: 0.0055, lift: 0.7 };
const SWELL = 0.45;
const SWELLS = 0.6;
const WARM = displayValues('#ffb637');
/** Fraction of the remaining way that the lift goes in one frame of 1/90 s. */
const LIFT_FLOW = 0.2;
/**
 * The most bodies that have a line at a time: one that is pointed at, one that invites, two selected, two held, and two
 * for the reaching hands of each player.
 */
const MOST_LINES = 6 + 2 * MAX_PLAYERS;
const SLOT_INKS: readonly Rgb[] = SLOT_LOOKS.map(({ colour }) => displayValues(colour));

/**
 * Lines and light for the bodies that the player's own hands use, and for bodies that any hand reaches for.
 */
export class Emphasis {
  readonly group = new Group();
  /** For each body how much brighter it is than others, 0 to 1. */
  readonly lift: Float32Array;
  readonly #target: Float32Array;
  readonly #present: PresentBodies;
  /** For each shape of `present`. */
  readonly #geometries: readonly BufferGeometry[];
  readonly #lines: readonly Mesh<BufferGeometry, ShaderMaterial>[];
  #used = 0;
  #seconds = 0;

  /** @param present the drawn bodies; its owner updates it. */
  constructor(present: PresentBodies) {
    this.#present = present;
    this.lift = new Float32Array(present.count);
    this.#target = new Float32Array(present.count);
    this.#geometries = present.shapes.map((shape) => shapeGeometry(shape, 'fine'));
    this.#lines = Array.from({ length: MOST_LINES }, () => {
      const line = new Mesh<BufferGeometry, ShaderMaterial>(undefined, lineMaterial());
      line.visible = line.frustumCulled = line.matrixAutoUpdate = false;
      return line;
    });
    this.group.add(...this.#lines);
  }

  /**
   * Emphasises the bodies that hands reach for, the bodies that the hands of `view`'s player hold or select,
   * the body `highlight`, and `glow`, which invites to be taken.
   * @returns whether a lift has changed.
   */
  update(view: PeerView, highlight: BodyId, seconds: number, glow: BodyId = NO_BODY): boolean {
    this.#target.fill(0);
    this.#used = 0;
    for (const { slot, present, hands } of view.avatars) {
      if (present) for (const hand of hands) this.#emphasise(hand.reach, REACHED_FOR, SLOT_INKS[slot], view);
    }
    const own = view.avatars.find(({ slot }) => slot === view.self);
    if (own !== undefined) {
      for (const hand of own.hands) this.#emphasise(hand.held, HELD, SLOT_INKS[own.slot], view);
      for (const hand of own.hands) this.#emphasise(hand.selected, POINTED_AT, SLOT_INKS[own.slot], view);
      this.#emphasise(highlight, POINTED_AT, SLOT_INKS[own.slot], view);
    }
    this.#seconds += seconds;
    const swell = 1 + SWELL * Math.sin(this.#seconds * SWELLS * 2 * Math.PI);
    this.#emphasise(glow, { ...INVITING, lineWidth: INVITING.lineWidth * swell }, WARM, view);
    for (let i = this.#used; i < MOST_LINES; i++) this.#lines[i].visible = false;
    const fraction = flowFraction(LIFT_FLOW, seconds);
    let changed = false;
    for (let body = 0; body < this.lift.length; body++) {
      const left = this.#target[body] - this.lift[body];
      if (Math.abs(left) < 1e-6) continue;
      this.lift[body] += Math.abs(left) < 0.01 ? left : left * fraction;
      changed = true;
    }
    return changed;
  }

  /** If two looks want the same body, the first call wins. */
  #emphasise(body: BodyId, look: typeof HELD, ink: Rgb, view: PeerView): void {
    const shape = this.#present.shapeOf(body);
    if (shape < 0 || this.#target[body] > 0) return;
    this.#target[body] = look.lift;
    const line = this.#lines[this.#used++];
    const at = body * POSE_STRIDE;
    line.geometry = this.#geometries[shape];
    line.position.fromArray(view.poses, at);
    line.quaternion.fromArray(view.poses, at + 3);
    line.updateMatrix();
    line.visible = true;
    line.material.uniforms.colour.value = ink;
    line.material.uniforms.lineWidth.value = look.lineWidth;
  }

  dispose(): void {
    for (const line of this.#lines) line.material.dispose();
    for (const geometry of this.#geometries) geometry.dispose();
  }
}

/** The back of a slightly larger body; it is visible as a line around the body. */
function lineMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'line',
    side: BackSide,
    uniforms: { colour: { value: SLOT_INKS[0] }, lineWidth: { value: 0 } },
    vertexShader: /* glsl */ `
      uniform float lineWidth;
      void main() {
        vec3 world = (modelMatrix * vec4(position, 1.0)).xyz;
        world += mat3(modelMatrix) * normal * lineWidth * distance(world, cameraPosition);
        // On the floor the line is around the body's foot.
        world.y = max(world.y, 0.004);
        gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      void main() {
        gl_FragColor = vec4(colour, 1.0);
      }
    `,
  });
}
