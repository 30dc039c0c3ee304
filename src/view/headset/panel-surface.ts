import { CanvasTexture, LinearMipmapLinearFilter, Matrix4, Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { ReadonlyVector } from '../../core/base/math.ts';
import type { PanelHit, PanelSize } from './panel-hit.ts';
import { rayHit, touchHit } from './panel-hit.ts';

/** Pixels a metre, as many as a headset with 25 to the degree shows: of what is 1 m away and more, and of what is at arm's length. */
const DENSITY = 1400;
export const NEAR_DENSITY = 2800;
/** Texels that are looked at where it is seen from the side. */
const ANISOTROPY = 8;

/** A flat picture in the world, drawn on a canvas by whoever has something to show, seen from its front. */
export class PanelSurface {
  /** The page places it: its middle at the origin, x to the right, y up, its front towards z. */
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly #size: PanelSize;
  readonly #context: CanvasRenderingContext2D | null;
  readonly #texture: CanvasTexture;
  readonly #toPanel = new Matrix4();
  readonly #hit: PanelHit = { x: 0, y: 0, distance: 0 };

  /**
   * @param width and `height` in metres.
   * @param density pixels a metre.
   */
  constructor(width: number, height: number, density = DENSITY) {
    this.#size = { width, height, density };
    const canvas = document.createElement('canvas');
    this.width = canvas.width = Math.round(width * density);
    this.height = canvas.height = Math.round(height * density);
    this.#context = canvas.getContext('2d');
    this.#texture = new CanvasTexture(canvas);
    this.#texture.minFilter = LinearMipmapLinearFilter;
    // Else the nothing around round corners would darken them.
    this.#texture.premultiplyAlpha = true;
    this.#texture.anisotropy = ANISOTROPY;
    this.mesh = new Mesh(new PlaneGeometry(width, height), panelMaterial(this.#texture));
    this.mesh.renderOrder = 15;
  }

  /** Draws it anew, on an empty canvas; to be called only when what it shows has changed. */
  redraw(draw: (context: CanvasRenderingContext2D) => void): void {
    if (this.#context === null) return;
    this.#context.reset();
    draw(this.#context);
    this.#texture.needsUpdate = true;
  }

  /**
   * Where a ray meets its front, or null. Valid until the next question.
   * @param direction of length 1; both in the world.
   */
  ray(origin: ReadonlyVector, direction: ReadonlyVector): PanelHit | null {
    return rayHit(this.#fromWorld(), this.#size, origin, direction, this.#hit) ? this.#hit : null;
  }

  /** Where a fingertip is before it or behind it, or null if it is beside it. Valid until the next question. */
  touch(tip: ReadonlyVector): PanelHit | null {
    return touchHit(this.#fromWorld(), this.#size, tip, this.#hit) ? this.#hit : null;
  }

  dispose(): void {
    this.#texture.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #fromWorld(): Matrix4 {
    this.mesh.updateWorldMatrix(true, false);
    return this.#toPanel.copy(this.mesh.matrixWorld).invert();
  }
}

function panelMaterial(picture: CanvasTexture): ShaderMaterial {
  return new ShaderMaterial({
    name: 'panel',
    transparent: true,
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
        // Round corners let through what is behind them.
        if (gl_FragColor.a < 0.02) discard;
      }
    `,
  });
}
