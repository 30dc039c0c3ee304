import type { RapierContext } from '@react-three/rapier';
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { BodyId } from '../core/base/ids.ts';
import { POSE_STRIDE } from '../core/base/state.ts';
import type { PeerView } from '../core/peer/shown/peer-view.ts';

/** Places the objects of RigidBody components: shared ones where a view has them, others where the engine has them. */
export class BodyPlacer {
  readonly #bodies: RapierContext['rigidBodyStates'];
  readonly #ids: ReadonlyMap<number, BodyId>;
  readonly #position = new Vector3();
  readonly #rotation = new Quaternion();
  readonly #scale = new Vector3();
  readonly #matrix = new Matrix4();

  /**
   * @param bodies those of all RigidBody components, by their handles in the engine.
   * @param ids of the shared ones, by the same.
   */
  constructor(bodies: RapierContext['rigidBodyStates'], ids: ReadonlyMap<number, BodyId>) {
    this.#bodies = bodies;
    this.#ids = ids;
  }

  /** Places all objects. A shared body that is not there now is not drawn. */
  place(view: PeerView): void {
    for (const [handle, state] of this.#bodies) {
      const { object, invertedWorldMatrix, scale } = state;
      const id = this.#ids.get(handle);
      if (id === undefined) {
        if (state.rigidBody.isFixed()) continue;
        this.#position.copy(state.rigidBody.translation());
        this.#rotation.copy(state.rigidBody.rotation());
      } else {
        object.visible = view.exists[id] === 1;
        this.#position.fromArray(view.poses, id * POSE_STRIDE);
        this.#rotation.fromArray(view.poses, id * POSE_STRIDE + 3);
      }
      this.#matrix.compose(this.#position, this.#rotation, scale).premultiply(invertedWorldMatrix);
      if (state.meshType === 'instancedMesh') state.setMatrix(this.#matrix);
      else this.#matrix.decompose(object.position, object.quaternion, this.#scale);
    }
  }
}
