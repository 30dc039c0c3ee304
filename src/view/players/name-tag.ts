import type { Camera } from 'three';
import { CanvasTexture, LinearMipmapLinearFilter, Mesh, ShaderMaterial, PlaneGeometry, Vector3 } from 'three';
import type { Slot } from '../../core/base/ids.ts';
import { MARK_BOX, nameOfSlot, slotLook } from '../slots.ts';

/** Height of a near tag in metres; a far tag is larger so that it can be read. */
const HEIGHT = 0.08;
/** Metres up to which a tag keeps its size. */
const NEAR = 2.2;
/** The largest factor for a far tag. */
const MOST_GROWTH = 4;
/** Height of the tag's texture in pixels. */
const PIXELS = 96;
const FONT = `600 ${PIXELS * 0.5}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
const INK = '#22272e';
const PAPER = 'rgba(252, 252, 251, 0.93)';

/** A player's name with colour and mark; it always faces the camera. */
export class NameTag {
  readonly mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  readonly #slot: Slot;
  readonly #canvas = document.createElement('canvas');
  readonly #cameraPosition = new Vector3();
  readonly #backwards = new Vector3();
  #texture: CanvasTexture | null = null;
  #name: string | null = null;
  #aspect = 1;

  constructor(slot: Slot) {
    this.#slot = slot;
    this.mesh = new Mesh(new PlaneGeometry(1, 1), tagMaterial());
    this.mesh.renderOrder = 10;
  }

  /** Shows `name` at a place in the world. */
  update(name: string, x: number, y: number, z: number, camera: Camera): void {
    if (name !== this.#name) this.#write(name);
    const { position, scale } = this.mesh;
    position.set(x, y, z);
    camera.getWorldPosition(this.#cameraPosition);
    const away = position.distanceTo(this.#cameraPosition);
    const height = HEIGHT * Math.min(MOST_GROWTH, Math.max(1, away / NEAR));
    position.y += height / 2;
    scale.set(height * this.#aspect, height, 1);
    // Parallel to the picture, so that a tag at the picture's edge is not slanted; it is never rolled.
    camera.getWorldDirection(this.#backwards);
    this.mesh.lookAt(this.#backwards.negate().add(position));
  }

  dispose(): void {
    this.#texture?.dispose();
    this.mesh.material.dispose();
    this.mesh.geometry.dispose();
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
    this.mesh.material.uniforms.picture.value = texture;
  }
}

/** Shows the texture without light. */
function tagMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'name tag',
    transparent: true,
    depthWrite: false,
    uniforms: { picture: { value: null } },
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
