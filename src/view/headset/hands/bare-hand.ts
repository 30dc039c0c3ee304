import type { BufferGeometry, Object3D, ShaderMaterial } from 'three';
import { Matrix4, Mesh, SkinnedMesh } from 'three';
import type { Light } from '../../light/daylight.ts';
import { ownHandMaterial } from './own-hand-paint.ts';

const MATRIX = 16;
const FINGERS = ['index', 'middle', 'ring', 'pinky'] as const;
/** WebXR's joints in WebXR's order. */
const JOINT_NAMES: readonly string[] = [
  'wrist',
  'thumb-metacarpal',
  'thumb-phalanx-proximal',
  'thumb-phalanx-distal',
  'thumb-tip',
  ...FINGERS.flatMap((finger) =>
    ['metacarpal', 'phalanx-proximal', 'phalanx-intermediate', 'phalanx-distal', 'tip'].map(
      (bone) => `${finger}-finger-${bone}`,
    ),
  ),
];

/**
 * A tracked hand: one mesh whose skin follows 25 joints. Its joints are in world coordinates, wherever the
 * mesh is in the scene.
 */
export class BareHand {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #unbind: readonly Matrix4[];
  /** The joint of each bone of the skin. */
  readonly #joints: readonly number[];
  readonly #moved: readonly Matrix4[];
  readonly #joint = new Matrix4();

  /**
   * @param scene the model.
   * @throws Error if it is not a hand with WebXR's joints.
   */
  constructor(scene: Object3D, light: Light) {
    const source = scene.getObjectByProperty('type', 'SkinnedMesh');
    if (!(source instanceof SkinnedMesh)) throw new Error('a hand has no skin');
    const { bones, boneInverses } = source.skeleton;
    this.#joints = bones.map(({ name }) => JOINT_NAMES.indexOf(name));
    if (this.#joints.includes(-1)) throw new Error('a hand has a bone that is no joint');
    this.#unbind = boneInverses;
    this.#moved = bones.map(() => new Matrix4());
    const material = ownHandMaterial(light, { joints: this.#moved, picture: null, band: [0, 0] });
    this.mesh = new Mesh(source.geometry as BufferGeometry, material);
    this.mesh.frustumCulled = false;
    // The joints are in world coordinates.
    this.mesh.matrixWorldAutoUpdate = false;
  }

  /**
   * Moves the hand.
   * @param joints 25 column-major matrices in WebXR's order, from a joint to the world.
   */
  move(joints: Float32Array): void {
    for (let i = 0; i < this.#moved.length; i++) {
      this.#joint.fromArray(joints, this.#joints[i] * MATRIX);
      this.#moved[i].multiplyMatrices(this.#joint, this.#unbind[i]);
    }
  }

  /**
   * If the player sees its real hand, this one is not painted; it only hides the bodies behind it. It is
   * drawn first, so the picture of the real room stays visible there.
   */
  set unseen(unseen: boolean) {
    this.mesh.material.colorWrite = !unseen;
    this.mesh.renderOrder = unseen ? -1 : 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
