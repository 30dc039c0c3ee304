import type { BufferGeometry, ShaderMaterial } from 'three';
import { CapsuleGeometry, CylinderGeometry, Matrix4, Mesh, Object3D } from 'three';
import type { HandSide } from '../../core/base/ids.ts';
import { LEFT } from '../../core/base/ids.ts';
import type { FingerGesture } from '../../core/hands/hand-gesture.ts';
import { chamferedBox } from '../bodies/chamfered-box.ts';
import { flowFraction } from '../bodies/colour-flow.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { joined, painted, paintMaterial } from '../light/paint.ts';

const CUFF = '#e4e6e8';
/** Metres from where thumb and index finger pinch back to the wrist; and radians by which the thumb's side is up. */
const WRIST = [0, -0.024, 0.112] as const;
const ROLL = 0.75;
/** Radians that a finger bends in its knuckle, and in its middle, when it is curled wholly. */
const KNUCKLE_BEND = 1.25;
const MIDDLE_BEND = 1.65;
/** Fraction of the remaining way that a finger goes in one frame of 1/90 s. */
const FINGER_FLOW = 0.25;

/**
 * A right hand: palm down, fingers along -z, the wrist at the origin. `knuckle` is a finger's base, `spread` its turn
 * outwards, `first` and `second` the lengths before and after its middle joint; in metres and radians.
 */
const FINGERS = [
  { knuckle: [-0.03, 0.002, -0.088], spread: 0.07, first: 0.042, second: 0.043, radius: 0.0092 },
  { knuckle: [-0.009, 0.004, -0.092], spread: 0.01, first: 0.046, second: 0.047, radius: 0.0095 },
  { knuckle: [0.0115, 0.002, -0.088], spread: -0.05, first: 0.042, second: 0.044, radius: 0.009 },
  { knuckle: [0.03, -0.002, -0.078], spread: -0.12, first: 0.032, second: 0.035, radius: 0.008 },
] as const;
const THUMB = { base: [-0.029, -0.012, -0.03], first: 0.046, second: 0.034, radius: 0.0105 } as const;
/** The joints: the hand itself, two of each finger, and two of the thumb. */
const THUMB_JOINT = 1 + 2 * FINGERS.length;
const JOINTS = THUMB_JOINT + 2;

/** How far each finger is curled, from index to little, and the thumb; 0 to 1. */
type Curls = [index: number, middle: number, ring: number, little: number, thumb: number];

/** A hand without a controller, in one draw call. The place where thumb and index finger meet is the origin. */
export class BareHandMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #outwards: 1 | -1;
  readonly #root = new Object3D();
  readonly #joints: readonly Object3D[];
  readonly #unbind: readonly Matrix4[];
  readonly #moved: readonly Matrix4[] = Array.from({ length: JOINTS }, () => new Matrix4());
  readonly #curls: Curls = [0, 0, 0, 0, 0];
  readonly #wanted: Curls = [0, 0, 0, 0, 0];

  /** @param colour of the hand, '#rrggbb'. */
  constructor(side: HandSide, colour: string, light: Light) {
    this.#outwards = side === LEFT ? -1 : 1;
    this.#root.position.set(...WRIST);
    this.#root.rotation.z = -this.#outwards * ROLL;
    this.#joints = this.#createJoints();
    this.#bend();
    const parts = this.#parts(colour);
    this.#unbind = this.#joints.map(({ matrixWorld }) => matrixWorld.clone().invert());
    this.mesh = new Mesh(joined(parts), paintMaterial(light, this.#moved));
    this.mesh.layers.enable(CASTS_SHADOW);
    // The geometry's bounds do not include the joints' movement.
    this.mesh.frustumCulled = false;
  }

  /** Moves the fingers. */
  move(to: Readonly<FingerGesture>, seconds: number): void {
    const fraction = flowFraction(FINGER_FLOW, seconds);
    curlsOf(to, this.#wanted);
    for (let i = 0; i < this.#curls.length; i++)
      this.#curls[i] += (this.#wanted[i] - this.#curls[i]) * fraction;
    this.#bend();
    for (let i = 0; i < JOINTS; i++) {
      this.#moved[i].multiplyMatrices(this.#joints[i].matrixWorld, this.#unbind[i]);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #createJoints(): Object3D[] {
    const child = (parent: Object3D, [x, y, z]: readonly [number, number, number]): Object3D => {
      const made = new Object3D();
      made.position.set(this.#outwards * x, y, z);
      made.rotation.order = 'YXZ';
      parent.add(made);
      return made;
    };
    const fingers = FINGERS.flatMap(({ knuckle, first }) => {
      const finger = child(this.#root, knuckle);
      return [finger, child(finger, [0, 0, -first])];
    });
    const thumb = child(this.#root, THUMB.base);
    return [this.#root, ...fingers, thumb, child(thumb, [0, 0, -THUMB.first])];
  }

  #bend(): void {
    const curls = this.#curls;
    FINGERS.forEach(({ spread }, i) => {
      const [knuckle, middle] = [this.#joints[1 + 2 * i], this.#joints[2 + 2 * i]];
      knuckle.rotation.set(-KNUCKLE_BEND * curls[i], this.#outwards * spread * (1 - curls[i]), 0);
      middle.rotation.x = -0.06 - MIDDLE_BEND * curls[i];
    });
    const bent = curls[4];
    const [thumb, tip] = [this.#joints[THUMB_JOINT], this.#joints[THUMB_JOINT + 1]];
    // An open thumb points aside; a bent one lies under the index finger.
    thumb.rotation.set(-0.18 - 0.3 * bent, this.#outwards * (0.72 - 0.68 * bent), 0);
    tip.rotation.set(0, -this.#outwards * (0.15 + 0.35 * bent), 0);
    this.#root.updateMatrixWorld(true);
  }

  /** Each part of the hand in the frame of the mesh, as the joints are now. */
  #parts(colour: string): BufferGeometry[] {
    const [back, heel] = [
      chamferedBox([0.04, 0.014, 0.036], 0.012),
      chamferedBox([0.031, 0.016, 0.03], 0.014),
    ];
    const cuff = new CylinderGeometry(0.03, 0.033, 0.03, 16).scale(1, 1, 0.8).rotateX(Math.PI / 2);
    const at = (joint: number, paint: string, geometry: BufferGeometry): BufferGeometry =>
      painted(geometry.applyMatrix4(this.#joints[joint].matrixWorld), paint, joint);
    return [
      at(0, colour, back.translate(0, -0.003, -0.058)),
      at(0, colour, heel.translate(0, -0.005, -0.024)),
      at(0, CUFF, cuff.translate(0, -0.003, 0.006)),
      ...FINGERS.flatMap(({ first, second, radius }, i) => [
        at(1 + 2 * i, colour, bone(first, radius)),
        at(2 + 2 * i, colour, bone(second, radius * 0.93)),
      ]),
      at(THUMB_JOINT, colour, bone(THUMB.first, THUMB.radius)),
      at(THUMB_JOINT + 1, colour, bone(THUMB.second, THUMB.radius * 0.92)),
    ];
  }
}

/** Writes how a hand is curled: stretched out, pointing, at rest, pinching, or a fist with its thumb up. */
function curlsOf({ grip, pointing, thumbUp }: Readonly<FingerGesture>, out: Curls): void {
  const rest = 0.2;
  const isFist = thumbUp && !pointing;
  const held = isFist ? 1 : 0.55;
  const others = pointing ? (thumbUp ? 0.03 : 0.5) : rest + (held - rest) * grip;
  out[0] = pointing ? 0.03 : rest + ((isFist ? 1 : 0.5) - rest) * grip;
  out[1] = out[2] = out[3] = others;
  out[4] = thumbUp ? 0 : 0.35 + 0.65 * grip;
}

/** One bone of a finger, from the origin along -z. */
function bone(length: number, radius: number): BufferGeometry {
  return new CapsuleGeometry(radius, length, 3, 9).rotateX(Math.PI / 2).translate(0, 0, -length / 2);
}
