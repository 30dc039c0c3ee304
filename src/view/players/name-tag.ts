import type { PerspectiveCamera } from 'three';
import {
  CanvasTexture,
  GreaterDepth,
  Group,
  LessEqualDepth,
  LinearMipmapLinearFilter,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  Vector3,
} from 'three';
import type { Slot } from '../../core/base/ids.ts';
import { MARK_BOX, nameOfSlot, slotLook } from '../slots.ts';

/** Height of a near tag in metres; a far tag is larger so that it can be read, at any distance. */
const HEIGHT = 0.08;
/** How much is seen of the part of a tag that something hides. */
const THROUGH = 0.6;
/** Height of the tag's texture in pixels. */
const PIXELS = 96;
const FONT = `600 ${PIXELS * 0.5}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
const INK = '#22272e';
const PAPER = 'rgba(252, 252, 251, 0.93)';

/** A player's name with colour and mark; it always faces the camera, and is seen through what hides it. */
export class NameTag {
  readonly group = new Group();
  readonly #geometry = new PlaneGeometry(1, 1);
  /** One draws the part in sight, the other the hidden part. */
  readonly #materials = [tagMaterial(1), tagMaterial(THROUGH)] as const;
  readonly #slot: Slot;
  readonly #canvas = document.createElement('canvas');
  readonly #cameraPosition = new Vector3();
  readonly #backwards = new Vector3();
  #texture: CanvasTexture | null = null;
  #name: string | null = null;
  #aspect = 1;

  constructor(slot: Slot) {
    this.#slot = slot;
    for (const material of this.#materials) {
      const mesh = new Mesh(this.#geometry, material);
      mesh.renderOrder = 10;
      this.group.add(mesh);
    }
  }

  /**
   * Shows `name` at a place in the world.
   * @param share the least height, as a share of the picture's.
   */
  update(name: string, x: number, y: number, z: number, camera: PerspectiveCamera, share: number): void {
    if (name !== this.#name) this.#write(name);
    const { position, scale } = this.group;
    position.set(x, y, z);
    camera.getWorldPosition(this.#cameraPosition);
    camera.getWorldDirection(this.#backwards);
    const away = this.#backwards.dot(this.#cameraPosition.negate().add(position));
    const picture = 2 * Math.max(0, away) * Math.tan((camera.fov * Math.PI) / 360);
    const height = Math.max(HEIGHT, picture * share);
    position.y += height / 2;
    scale.set(height * this.#aspect, height, 1);
    // Parallel to the picture, so that a tag at the picture's edge is not slanted; it is never rolled.
    this.group.lookAt(this.#backwards.negate().add(position));
  }

  dispose(): void {
    this.#texture?.dispose();
    for (const material of this.#materials) material.dispose();
    this.#geometry.dispose();
  }

  #write(name: string): void {
    this.#name = name;
    const context = this.#canvas.getContext('2d');
    if (context === null) return;
    const look = slotLook(this.#slot);
    const text = name === '' ? nameOfSlot(this.#slot) : name;
    context.font = FONT;
    const textWidth = Math.min(PIXELS * 7, context.measureText(text).width);
    this.#canvas.width = Math.ceil(PIXELS * 1.42 + textWidth);
    this.#canvas.height = PIXELS;
    this.#aspect = this.#canvas.width / PIXELS;
    // Setting the size has reset the context.
    context.fillStyle = PAPER;
    context.beginPath();
    context.roundRect(2, 2, this.#canvas.width - 4, PIXELS - 4, PIXELS / 2);
    context.fill();
    context.fillStyle = INK;
    context.font = FONT;
    context.textBaseline = 'middle';
    context.fillText(text, PIXELS, PIXELS * 0.52, textWidth);
    const scale = (PIXELS * 0.46) / MARK_BOX;
    context.setTransform(scale, 0, 0, scale, PIXELS * 0.36, PIXELS * 0.27);
    context.fillStyle = look.colour;
    context.fill(new Path2D(look.mark.path));
    this.#show();
  }

  /** A texture keeps its first size, so a new name needs a new texture. */
  #show(): void {
    this.#texture?.dispose();
    const texture = new CanvasTexture(this.#canvas);
    texture.minFilter = LinearMipmapLinearFilter;
    this.#texture = texture;
    for (const { uniforms } of this.#materials) uniforms.picture.value = texture;
  }
}

/** Shows the texture without light; with less than full opacity only where something hides it. */
function tagMaterial(opacity: number): ShaderMaterial {
  return new ShaderMaterial({
    name: 'name tag',
    transparent: true,
    depthWrite: false,
    depthFunc: opacity < 1 ? GreaterDepth : LessEqualDepth,
    uniforms: { picture: { value: null }, opacity: { value: opacity } },
    vertexShader: /* glsl */ `
      varying vec2 vUv;
      void main() {
        vUv = uv;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }
    `,
    fragmentShader: /* glsl */ `
      uniform sampler2D picture;
      uniform float opacity;
      varying vec2 vUv;
      void main() {
        vec4 ink = texture2D(picture, vUv);
        gl_FragColor = vec4(ink.rgb, ink.a * opacity);
      }
    `,
  });
}
