import { CircleGeometry, Group, Mesh, ShaderMaterial } from 'three';
import type { HandSide } from '../../../core/base/ids.ts';
import { HAND_SIDES } from '../../../core/base/ids.ts';
import type { ReadonlyVector } from '../../../core/base/math.ts';
import { addScaled, vector } from '../../../core/base/math.ts';
import { bentLine } from '../lines/lines.ts';
import { displayValues } from '../../light/colour.ts';
import { Ribbons } from '../lines/ribbon.ts';

/** Points of a line; the line fades in over the first ones. */
const POINTS = 8;
/** Width of a line in metres. */
const WIDTH = 0.003;
const OPACITY = 0.7;
/** Metres between a dot and its panel. */
const BEFORE = 0.002;
/** The dot's size while the hand presses, as a fraction of its normal size. */
const PRESSED_SIZE = 0.65;
const COLOUR = '#2a6f97';

/** Pointers of own hands at a panel: a line from each finger, and a dot where it meets the panel. */
export class PanelPointers {
  /** The caller adds it to the panel's mesh. */
  readonly group = new Group();
  readonly #lines = new Ribbons(HAND_SIDES.length, POINTS, WIDTH);
  readonly #dots: readonly Mesh<CircleGeometry, ShaderMaterial>[];
  readonly #bend = vector();

  /** @param dotRadius in metres. */
  constructor(dotRadius: number) {
    const geometry = new CircleGeometry(dotRadius, 24);
    const material = dotMaterial(dotRadius);
    this.#dots = HAND_SIDES.map(() => new Mesh(geometry, material));
    for (const dot of this.#dots) {
      dot.renderOrder = 17;
      dot.visible = false;
    }
    this.#lines.colour = COLOUR;
    // After the panel's soft edge, so that the line visibly ends on the panel.
    this.#lines.mesh.renderOrder = 16;
    this.#lines.mesh.visible = false;
    this.group.add(this.#lines.mesh, ...this.#dots);
  }

  /**
   * Shows a hand's dot.
   * @param right metres from the panel's middle.
   * @param up metres from the panel's middle.
   */
  point(side: HandSide, right: number, up: number, pressed: boolean): void {
    const dot = this.#dots[side];
    dot.visible = true;
    dot.position.set(right, up, BEFORE);
    dot.scale.setScalar(pressed ? PRESSED_SIZE : 1);
    this.#setOpacity(side, 0);
  }

  /** Draws a hand's line; both ends are in the world. */
  line(side: HandSide, from: ReadonlyVector, to: ReadonlyVector): void {
    addScaled(from, to, 1, this.#bend);
    addScaled(this.#bend, this.#bend, -0.5, this.#bend);
    bentLine(from, this.#bend, to, this.#lines.points, side * POINTS, POINTS);
    this.#setOpacity(side, OPACITY);
  }

  /** Hides a hand's dot and line. */
  hide(side: HandSide): void {
    this.#dots[side].visible = false;
    this.#setOpacity(side, 0);
  }

  #setOpacity(side: HandSide, opacity: number): void {
    this.#lines.opacity[side] = opacity;
    this.#lines.mesh.visible = this.#lines.opacity.some((each) => each > 0);
  }

  dispose(): void {
    this.#lines.dispose();
    const [{ geometry, material }] = this.#dots;
    geometry.dispose();
    material.dispose();
  }
}

/** A dark dot with a light edge: visible on paper and on dark buttons. */
function dotMaterial(radius: number): ShaderMaterial {
  return new ShaderMaterial({
    name: 'panel dot',
    transparent: true,
    depthWrite: false,
    uniforms: { colour: { value: displayValues(COLOUR) } },
    vertexShader: /* glsl */ `
      varying float vOut;
      void main() {
        vOut = length(position.xy) / ${radius.toFixed(5)};
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform vec3 colour;
      varying float vOut;
      void main() {
        vec3 shown = mix(colour, vec3(1.0), smoothstep(0.5, 0.62, vOut));
        gl_FragColor = vec4(shown, 1.0 - smoothstep(0.85, 1.0, vOut));
      }
    `,
  });
}
