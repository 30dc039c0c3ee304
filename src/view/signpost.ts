import type { BufferGeometry } from 'three';
import {
  CanvasTexture,
  CylinderGeometry,
  Group,
  LinearMipmapLinearFilter,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
} from 'three';
import type { ReadonlyVector } from '../core/base/math.ts';
import { chamferedBox } from './bodies/chamfered-box.ts';
import { flowFraction } from './bodies/colour-flow.ts';
import type { Light } from './light/daylight.ts';
import { CASTS_SHADOW } from './light/daylight.ts';
import { joined, painted, paintMaterial } from './light/paint.ts';

/** Metres: the board, the height of its middle, and the post below it. */
const BOARD = { width: 0.52, height: 0.19, depth: 0.02 } as const;
const HEIGHT = 0.4;
const POST = 0.013;
const FOOT = 0.075;
/** Radians by which the board leans back, so that it faces the eyes of a player who stands in front of it. */
const LEAN = -0.42;
/** Pixels per metre of the board's picture. */
const DENSITY = 1300;
const INK = '#27303a';
const SOFT = '#5d6874';
const BOARD_COLOUR = '#f4f3ef';
const POST_COLOUR = '#8d949c';
/** Metres: the letters of the code, and of the word above them. */
const LETTERS = 0.1;
const WORD = 0.03;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Fraction of the remaining way that it turns to the viewer in one frame of 1/90 s. */
const FLOW = 0.06;

/** A small signpost with the room's code. In each player's picture it faces that player. */
export class Signpost {
  /** The caller adds it to the world. */
  readonly group = new Group();
  readonly #stand: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #picture: CanvasTexture;
  readonly #writing: Mesh<PlaneGeometry, ShaderMaterial>;
  #isNew = true;

  /** @param code of the room. */
  constructor(code: string, light: Light) {
    this.#stand = new Mesh(standGeometry(), paintMaterial(light));
    this.#stand.layers.enable(CASTS_SHADOW);
    this.#picture = writtenBoard(code);
    this.#writing = new Mesh(new PlaneGeometry(BOARD.width, BOARD.height), writingMaterial(this.#picture));
    this.#writing.rotation.x = LEAN;
    this.#writing.position.set(
      0,
      HEIGHT - Math.sin(LEAN) * (BOARD.depth / 2 + 0.001),
      Math.cos(LEAN) * (BOARD.depth / 2 + 0.001),
    );
    this.group.add(this.#stand, this.#writing);
  }

  /** Puts it on the floor somewhere, in metres. */
  place({ x, z }: ReadonlyVector): void {
    this.group.position.set(x, 0, z);
    this.#isNew = true;
  }

  /**
   * Turns it to the viewer.
   * @param eye in the world.
   * @param seconds since the last call.
   */
  update(eye: ReadonlyVector, seconds: number): void {
    const { position, rotation } = this.group;
    const way = Math.atan2(eye.x - position.x, eye.z - position.z) - rotation.y;
    const turn = way - 2 * Math.PI * Math.round(way / (2 * Math.PI));
    rotation.y += turn * (this.#isNew ? 1 : flowFraction(FLOW, seconds));
    this.#isNew = false;
  }

  /** @param isSeen false hides it. */
  show(isSeen: boolean): void {
    this.group.visible = isSeen;
  }

  dispose(): void {
    this.#picture.dispose();
    for (const { geometry, material } of [this.#stand, this.#writing]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

function standGeometry(): BufferGeometry {
  const board = chamferedBox([BOARD.width / 2, BOARD.height / 2, BOARD.depth / 2], 0.008);
  const post = new CylinderGeometry(POST, POST, HEIGHT, 12).translate(0, HEIGHT / 2, -BOARD.depth);
  const foot = new CylinderGeometry(FOOT * 0.92, FOOT, 0.014, 24).translate(0, 0.007, -BOARD.depth);
  return joined([
    painted(board.rotateX(LEAN).translate(0, HEIGHT, 0), BOARD_COLOUR),
    painted(post, POST_COLOUR),
    painted(foot, POST_COLOUR),
  ]);
}

function writtenBoard(code: string): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(BOARD.width * DENSITY);
  canvas.height = Math.round(BOARD.height * DENSITY);
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillStyle = SOFT;
    context.font = `600 ${WORD * DENSITY}px ${FONT}`;
    context.fillText('Room', canvas.width / 2, canvas.height * 0.27);
    context.fillStyle = INK;
    context.font = `700 ${LETTERS * DENSITY}px ${FONT}`;
    const step = (canvas.width * 0.86) / Math.max(1, code.length);
    Array.from(code).forEach((letter, i) => {
      const at = canvas.width / 2 + (i - (code.length - 1) / 2) * step;
      context.fillText(letter, at, canvas.height * 0.82, step);
    });
  }
  const texture = new CanvasTexture(canvas);
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 8;
  texture.premultiplyAlpha = true;
  return texture;
}

/** Ink on the board. */
function writingMaterial(picture: CanvasTexture): ShaderMaterial {
  return new ShaderMaterial({
    name: 'writing',
    transparent: true,
    depthWrite: false,
    premultipliedAlpha: true,
    uniforms: { picture: { value: picture } },
    vertexShader: /* glsl */ `
      varying vec2 vUv;
      void main() {
        vUv = uv;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform sampler2D picture;
      varying vec2 vUv;
      void main() {
        gl_FragColor = texture2D(picture, vUv);
      }
    `,
  });
}
