import type { BodyId } from '../../core/base/ids.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { ReadonlyPose } from '../../core/base/math.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import { writeMatrix } from '../bodies/write-matrix.ts';

/**
 * The part of three's Object3D that is placed, in every version. Poses are in the world: its parent is the scene, or an
 * object that is not moved, turned or scaled.
 */
export type Placeable = {
  readonly position: { set(x: number, y: number, z: number): unknown };
  readonly quaternion: { set(x: number, y: number, z: number, w: number): unknown };
  visible: boolean;
};

/** The part of three's InstancedMesh that is placed. */
export type Instances = {
  readonly instanceMatrix: { readonly array: { [index: number]: number }; needsUpdate: boolean };
  count: number;
};

/** Puts an object at a pose. */
export function placeAt(object: Placeable, { position, rotation }: ReadonlyPose): void {
  object.position.set(position.x, position.y, position.z);
  object.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
}

/** Puts an object where a view has a body; hides it if the view has no such body. */
export function placeBody(view: PeerView, body: BodyId, object: Placeable): void {
  object.visible = view.exists[body] === 1;
  const at = body * POSE_STRIDE;
  const { poses } = view;
  object.position.set(poses[at], poses[at + 1], poses[at + 2]);
  object.quaternion.set(poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
}

/**
 * Puts the instances of a mesh where a view has some bodies, in their order, without those that are absent.
 * @param mesh has room for all of them. Its bounding sphere is not kept: set `frustumCulled` to false.
 */
export function placeInstances(view: PeerView, bodies: readonly BodyId[], mesh: Instances): void {
  const { instanceMatrix } = mesh;
  let count = 0;
  for (const body of bodies)
    if (view.exists[body] === 1)
      writeMatrix(view.poses, body * POSE_STRIDE, instanceMatrix.array, 16 * count++);
  mesh.count = count;
  instanceMatrix.needsUpdate = true;
}
