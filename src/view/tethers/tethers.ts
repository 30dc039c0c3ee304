import type { ShaderMaterial } from 'three';
import { CylinderGeometry, Group, InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import type { Pose } from '../../core/base/math.ts';
import { composePose, copyPose, pose, setQuaternion, setVector } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { JointEnd } from '../../core/world/joints/joint.ts';
import { madeIn } from '../../core/world/joints/making.ts';
import type { Level } from '../../core/world/level.ts';
import { floorOf } from '../../core/world/level.ts';
import type { Light } from '../light/daylight.ts';
import { staticMaterial } from '../statics/static-material.ts';
import { isTether, PIECES, tetherPath } from './tether-path.ts';

/** Metres: the radius of a rope, and of a spring's wire. */
const RADIUS = 0.009;
const SIDES = 6;

/** The ropes and springs of a level, also those that players make, between their bodies as they are drawn. One draw call. */
export class Tethers {
  readonly group = new Group();
  readonly #geometry = new CylinderGeometry(1, 1, 1, SIDES, 1, true);
  readonly #material: ShaderMaterial;
  readonly #mesh: InstancedMesh;
  readonly #floor: number;
  /** False in a level with very many tethers: each is a line. */
  readonly #isFine: boolean;
  readonly #points = new Float32Array(3 * (Math.max(...Object.values(PIECES)) + 1));
  /** Scratch. */
  readonly #ends: readonly [Pose, Pose] = [pose(), pose()];
  readonly #matrix = new Matrix4();
  readonly #middle = new Vector3();
  readonly #way = new Vector3();
  readonly #turn = new Quaternion();
  readonly #scale = new Vector3();

  constructor(level: Level, light: Light) {
    this.#material = staticMaterial(light, 'tether');
    const [most, isFine] = piecesOf(level);
    this.#isFine = isFine;
    this.#mesh = new InstancedMesh(this.#geometry, this.#material, most);
    this.#mesh.count = 0;
    // Its bounds would have to be found anew in each frame.
    this.#mesh.frustumCulled = false;
    this.group.add(this.#mesh);
    const floor = floorOf(level);
    this.#floor = floor === null ? -Infinity : RADIUS;
  }

  /** Draws the tethers between the bodies of a view. */
  update(view: PeerView): void {
    let pieces = 0;
    const most = this.#mesh.instanceMatrix.count;
    for (const joint of view.joints) {
      if (joint === null || !isTether(joint)) continue;
      const [one, other] = this.#ends;
      if (!placeEnd(joint.ends[0], view, one) || !placeEnd(joint.ends[1], view, other)) continue;
      const parts = this.#isFine ? PIECES[joint.kind] : 1;
      tetherPath(joint, one.position, other.position, this.#floor, parts, this.#points);
      // While a page changes its level, the view may still be of the one before.
      for (let i = 0; i < parts && pieces < most; i++) this.#place(i, pieces++);
    }
    this.#mesh.count = pieces;
    this.#mesh.visible = pieces > 0;
    const { instanceMatrix } = this.#mesh;
    instanceMatrix.clearUpdateRanges();
    instanceMatrix.addUpdateRange(0, 16 * pieces);
    instanceMatrix.needsUpdate = pieces > 0;
  }

  dispose(): void {
    this.#mesh.dispose();
    this.#geometry.dispose();
    this.#material.dispose();
  }

  /** Lays an instance from one point of the path to the next. */
  #place(point: number, instance: number): void {
    const from = this.#middle.fromArray(this.#points, 3 * point);
    const way = this.#way.fromArray(this.#points, 3 * point + 3).sub(from);
    const length = way.length();
    from.addScaledVector(way, 0.5);
    this.#turn.setFromUnitVectors(UP, length === 0 ? UP : way.divideScalar(length));
    this.#matrix.compose(from, this.#turn, this.#scale.set(RADIUS, length, RADIUS));
    this.#mesh.setMatrixAt(instance, this.#matrix);
  }
}

const UP = new Vector3(0, 1, 0);

/** A level that may need more pieces draws each tether as a line: so many have 72,000 triangles. */
const MOST_FINE = 6000;

/** The most pieces that the tethers of a level can have, those that players make among them, and whether they are fine. */
function piecesOf(level: Level): readonly [most: number, isFine: boolean] {
  const own = (level.joints ?? []).filter((joint) => isTether(joint));
  const kinds = (level.making?.kinds ?? []).filter((kind) => isTether(kind));
  const made = kinds.length === 0 ? 0 : madeIn(level);
  const mostOfOne = Math.max(0, ...kinds.map(({ kind }) => PIECES[kind]));
  const fine = own.reduce((sum, { kind }) => sum + PIECES[kind], made * mostOfOne);
  return fine <= MOST_FINE ? [fine, true] : [own.length + made, false];
}

/** Finds the place of a joint's end in the world, as drawn. @returns false if its body is not there. */
function placeEnd({ body, frame }: JointEnd, { poses, exists }: PeerView, out: Pose): boolean {
  if (body === null) copyPose(frame, out);
  else if (exists[body] !== 1) return false;
  else {
    const at = body * POSE_STRIDE;
    setVector(parent.position, poses[at], poses[at + 1], poses[at + 2]);
    setQuaternion(parent.rotation, poses[at + 3], poses[at + 4], poses[at + 5], poses[at + 6]);
    composePose(parent, frame, out);
  }
  return true;
}

/** Scratch of placeEnd. */
const parent = pose();
