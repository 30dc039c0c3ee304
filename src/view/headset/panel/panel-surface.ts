import { CanvasTexture, LinearMipmapLinearFilter, Matrix4, Mesh, PlaneGeometry, ShaderMaterial } from 'three';
import type { ReadonlyVector } from '../../../core/base/math.ts';
import type { PanelHit, PanelSize } from './panel-hit.ts';
import { rayHit, touchHit } from './panel-hit.ts';

/**
 * Pixels per metre that a headset with 25 pixels per degree can show: at 1 m or more, and at arm's length.
 */
const DENSITY = 1400;
export const NEAR_DENSITY = 2800;
/** Texture samples if the panel is seen from the side. */
const ANISOTROPY = 8;

/** A flat picture in the world, seen from its front. Other code draws it on a canvas. */
export class PanelSurface {
  /** The page places it: its middle is the origin, x is right, y is up, and its front looks along z. */
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
   * @param width in metres.
   * @param height in metres.
   * @param density pixels per metre.
   */
  constructor(width: number, height: number, density = DENSITY) {
    this.#size = { width, height, density };
    const canvas = document.createElement('canvas');
    this.width = canvas.width = Math.round(width * density);
    this.height = canvas.height = Math.round(height * density);
    this.#context = canvas.getContext('2d');
    this.#texture = new CanvasTexture(canvas);
    this.#texture.minFilter = LinearMipmapLinearFilter;
    // Otherwise the transparent pixels around round corners would darken them.
    this.#texture.premultiplyAlpha = true;
    this.#texture.anisotropy = ANISOTROPY;
    this.mesh = new Mesh(new PlaneGeometry(width, height), panelMaterial(this.#texture));
    this.mesh.renderOrder = 15;
  }

  /** Draws the picture again, on an empty canvas. Call it only when the picture has changed. */
  redraw(draw: (context: CanvasRenderingContext2D) => void): void {
    if (this.#context === null) return;
    this.#context.reset();
    draw(this.#context);
    this.#texture.needsUpdate = true;
  }

  /**
   * Returns where a ray meets the front, or null. The result is overwritten by the next call.
   * @param origin in the world.
   * @param direction in the world, of length 1.
   */
  ray(origin: ReadonlyVector, direction: ReadonlyVector): PanelHit | null {
    return rayHit(this.#fromWorld(), this.#size, origin, direction, this.#hit) ? this.#hit : null;
  }

  /**
   * Returns where a fingertip is in front of the panel or behind it, or null if it is beside it. The result
   * is overwritten by the next call.
   */
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
        // Round corners are transparent.
        if (gl_FragColor.a < 0.02) discard;
      }
    `,
  });
}
