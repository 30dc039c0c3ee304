import type { Texture, Vector3 } from 'three';
import {
  BufferAttribute,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
} from 'three';
import type { SheetRect } from './label-sheet.ts';

/**
 * Pieces of one texture anywhere in the world, in one draw call. They are drawn over everything else, or only over what
 * is farther away than arm's length.
 */
export class Quads {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  readonly #centre: InstancedBufferAttribute;
  readonly #across: InstancedBufferAttribute;
  readonly #upwards: InstancedBufferAttribute;
  readonly #rect: InstancedBufferAttribute;
  readonly #opacity: InstancedBufferAttribute;

  /**
   * @param most pieces at a time.
   * @param picture a texture with premultiplied alpha.
   * @param behind metres from the eye: what is nearer is in front of the pieces; 0 for nothing.
   */
  constructor(most: number, picture: Texture, behind = 0) {
    const attribute = (size: number): InstancedBufferAttribute => {
      const made = new InstancedBufferAttribute(new Float32Array(most * size), size);
      return made.setUsage(DynamicDrawUsage);
    };
    this.#centre = attribute(3);
    this.#across = attribute(3);
    this.#upwards = attribute(3);
    this.#rect = attribute(4);
    this.#opacity = attribute(1);
    const geometry = new InstancedBufferGeometry()
      .setAttribute('position', new BufferAttribute(CORNERS, 3))
      .setAttribute('centre', this.#centre)
      .setAttribute('across', this.#across)
      .setAttribute('upwards', this.#upwards)
      .setAttribute('rect', this.#rect)
      .setAttribute('opacity', this.#opacity)
      .setIndex([0, 1, 2, 2, 1, 3]);
    this.mesh = new Mesh(geometry, quadMaterial(picture, behind));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 20;
    this.clear();
  }

  /** Removes all pieces. Call it before the first piece of a frame is added. */
  clear(): void {
    this.mesh.geometry.instanceCount = 0;
    this.mesh.visible = false;
  }

  /**
   * Adds a piece; pieces beyond the most are left out.
   * @param across from its middle to its right side.
   * @param upwards from its middle to its upper side.
   */
  add(centre: Vector3, across: Vector3, upwards: Vector3, rect: SheetRect, opacity: number): void {
    const { geometry } = this.mesh;
    const i = geometry.instanceCount;
    if (i >= this.#opacity.count) return;
    centre.toArray(this.#centre.array, i * 3);
    across.toArray(this.#across.array, i * 3);
    upwards.toArray(this.#upwards.array, i * 3);
    this.#rect.setXYZW(i, rect[0], rect[1], rect[2], rect[3]);
    this.#opacity.setX(i, opacity);
    geometry.instanceCount = i + 1;
    this.mesh.visible = true;
  }

  /** Call it after the last piece of a frame. */
  commit(): void {
    if (!this.mesh.visible) return;
    for (const attribute of [this.#centre, this.#across, this.#upwards, this.#rect, this.#opacity]) {
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

const CORNERS = new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]);

function quadMaterial(picture: Texture, behind: number): ShaderMaterial {
  return new ShaderMaterial({
    name: 'labels',
    transparent: true,
    depthTest: behind > 0,
    depthWrite: false,
    premultipliedAlpha: true,
    defines: behind > 0 ? { BEHIND: behind.toFixed(3) } : {},
    uniforms: { picture: { value: picture } },
    vertexShader: /* glsl */ `
      attribute vec3 centre;
      attribute vec3 across;
      attribute vec3 upwards;
      attribute vec4 rect;
      attribute float opacity;
      varying vec2 vUv;
      varying float vOpacity;
      void main() {
        vUv = rect.xy + (position.xy * 0.5 + 0.5) * rect.zw;
        vOpacity = opacity;
        vec3 world = centre + across * position.x + upwards * position.y;
        gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
        #ifdef BEHIND
          // The depth test treats the piece as if it were only BEHIND metres from the eye.
          vec4 there = projectionMatrix * vec4(0.0, 0.0, -BEHIND, 1.0);
          gl_Position.z = there.z / there.w * gl_Position.w;
        #endif
      }
    `,
    fragmentShader: /* glsl */ `
      uniform sampler2D picture;
      varying vec2 vUv;
      varying float vOpacity;
      void main() {
        gl_FragColor = texture2D(picture, vUv) * vOpacity;
      }
    `,
  });
}
