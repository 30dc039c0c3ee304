import type { BufferGeometry, ShaderMaterial } from 'three';
import { CapsuleGeometry, CylinderGeometry, Matrix4, Mesh, Object3D, TorusGeometry } from 'three';
import type { HandSide } from '../../core/base/ids.ts';
import { LEFT } from '../../core/base/ids.ts';
import type { FingerGesture } from '../../core/hands/hand-gesture.ts';
import { chamferedBox } from '../bodies/chamfered-box.ts';
import { flowFraction } from '../bodies/colour-flow.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { joined, painted, paintMaterial } from '../light/paint.ts';

const SHELL = '#e4e6e8';
const DARK = '#3a4048';
/** Radians by which the handle leans forwards. */
const LEAN = -0.5;
/**
 * Fraction of the remaining way that a finger goes in one frame of 1/90 s. The network sends only whether a
 * finger is up or down.
 */
const FINGER_FLOW = 0.25;

/** The moving parts of a hand, and the places of their hinges (metres; x towards the back of the hand). */
const HINGES = {
  body: [0, 0, 0],
  trigger: [0, 0.026, -0.034],
  button: [-0.019, -0.014, -0.002],
  fingers: [0.018, -0.02, -0.02],
  index: [0.018, 0.016, -0.028],
  indexTip: [0, 0, -0.04],
  thumb: [0.016, 0.034, 0.022],
} as const;
type JointName = keyof typeof HINGES;
const JOINT_NAMES = Object.keys(HINGES) as readonly JointName[];

/** A gloved hand around a controller, plain or drawn by something else. The index finger points along -z. */
export class HandMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  /** 1 for the right hand, -1 for the left: the direction from the palm to the back of the hand. */
  readonly #outwards: number;
  readonly #root = new Object3D();
  readonly #joints: Readonly<Record<JointName, Object3D>>;
  /** Matrices from the geometry to each joint's frame, and from there to the joint's present place. */
  readonly #unbind: readonly Matrix4[];
  readonly #moved: readonly Matrix4[] = JOINT_NAMES.map(() => new Matrix4());
  #pointing = 0;
  #thumbUp = 0;

  /**
   * @param colour of the glove, '#rrggbb'.
   * @param holdsPlain whether a plain controller belongs to the mesh.
   */
  constructor(side: HandSide, colour: string, light: Light, holdsPlain: boolean) {
    this.#outwards = side === LEFT ? -1 : 1;
    this.#joints = this.#createJoints();
    this.#bend(REST);
    const parts = handParts(this.#outwards, colour, holdsPlain);
    const geometries = JOINT_NAMES.flatMap((name, i) =>
      parts[name].map(([geometry, paint]) =>
        painted(geometry.applyMatrix4(this.#joints[name].matrixWorld), paint, i),
      ),
    );
    this.#unbind = JOINT_NAMES.map((name) => this.#joints[name].matrixWorld.clone().invert());
    this.mesh = new Mesh(joined(geometries), paintMaterial(light, this.#moved));
    this.mesh.layers.enable(CASTS_SHADOW);
    // The geometry's bounds do not include the joints' movement.
    this.mesh.frustumCulled = false;
  }

  /** Moves the buttons and fingers. */
  move(to: Readonly<FingerGesture>, seconds: number): void {
    const fraction = flowFraction(FINGER_FLOW, seconds);
    this.#pointing += ((to.pointing ? 1 : 0) - this.#pointing) * fraction;
    this.#thumbUp += ((to.thumbUp ? 1 : 0) - this.#thumbUp) * fraction;
    this.#bend(to);
    for (let i = 0; i < JOINT_NAMES.length; i++) {
      this.#moved[i].multiplyMatrices(this.#joints[JOINT_NAMES[i]].matrixWorld, this.#unbind[i]);
    }
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #createJoints(): Record<JointName, Object3D> {
    const joint = (name: JointName): Object3D => {
      const [x, y, z] = HINGES[name];
      const made = new Object3D();
      made.position.set(this.#outwards * x, y, z);
      made.rotation.order = 'YXZ';
      this.#root.add(made);
      return made;
    };
    const index = joint('index');
    const indexTip = joint('indexTip');
    index.add(indexTip);
    return {
      body: joint('body'),
      trigger: joint('trigger'),
      button: joint('button'),
      fingers: joint('fingers'),
      index,
      indexTip,
      thumb: joint('thumb'),
    };
  }

  #bend({ grip, trigger }: Pick<FingerGesture, 'grip' | 'trigger'>): void {
    const outwards = this.#outwards;
    const curl = 1 - this.#pointing;
    const joints = this.#joints;
    joints.trigger.rotation.x = -0.15 - 0.5 * trigger;
    joints.button.position.x = outwards * (HINGES.button[0] + 0.006 * grip);
    joints.fingers.rotation.y = -outwards * 0.42 * (1 - grip);
    joints.index.rotation.set(-0.14 * curl, outwards * curl * (0.2 + 0.16 * trigger), 0);
    joints.indexTip.rotation.y = outwards * curl * (0.55 + 0.75 * trigger);
    joints.thumb.rotation.set(0.05 + 1.15 * this.#thumbUp, outwards * (0.42 - 0.3 * this.#thumbUp), 0);
    this.#root.updateMatrixWorld(true);
  }
}

const REST = { grip: 0, trigger: 0 };

/** A geometry in the frame of its joint, and its colour. */
type HandPart = readonly [BufferGeometry, string];

function handParts(
  outwards: number,
  colour: string,
  holdsPlain: boolean,
): Record<JointName, readonly HandPart[]> {
  const trigger: HandPart = [roundedBox(0.015, 0.026, 0.013, 0.006).translate(0, -0.011, 0), DARK];
  const button: HandPart = [roundedBox(0.008, 0.03, 0.015, 0.0035).rotateX(LEAN), DARK];
  return {
    body: [...(holdsPlain ? controller(outwards) : []), ...palm(outwards, colour)],
    trigger: holdsPlain ? [trigger] : [],
    button: holdsPlain ? [button] : [],
    fingers: curledFingers(outwards).map((geometry): HandPart => [geometry, colour]),
    index: [[finger(0.038), colour]],
    indexTip: [[finger(0.032), colour]],
    thumb: [[finger(0.046), colour]],
  };
}

function roundedBox(x: number, y: number, z: number, radius: number): BufferGeometry {
  return chamferedBox([x / 2, y / 2, z / 2], radius);
}

/** One bone of a finger, from the origin along -z. */
function finger(length: number): BufferGeometry {
  return new CapsuleGeometry(0.0098, length, 2, 7).rotateX(Math.PI / 2).translate(0, 0, -length / 2);
}

function controller(outwards: number): HandPart[] {
  const arc = (250 * Math.PI) / 180;
  const ring = new TorusGeometry(0.053, 0.0052, 4, 18, arc)
    .rotateZ(1.5 * Math.PI - arc / 2)
    .rotateX(Math.PI / 2 + LEAN)
    .translate(0, 0.004, -0.018);
  return [
    [new CapsuleGeometry(0.0165, 0.07, 2, 10).rotateX(LEAN).translate(0, -0.012, 0.006), SHELL],
    [disc(0.028, 0.017, 0, 0.034, -0.014), SHELL],
    [disc(0.0245, 0.002, 0, 0.0432, -0.0117), DARK],
    [disc(0.005, 0.01, -outwards * 0.007, 0.048, -0.017), DARK],
    [disc(0.0095, 0.004, -outwards * 0.007, 0.054, -0.0155), SHELL],
    [disc(0.0042, 0.005, outwards * 0.011, 0.0455, -0.004), SHELL],
    [disc(0.0042, 0.005, outwards * 0.013, 0.0425, -0.018), SHELL],
    [ring, DARK],
  ];
}

/** A disc whose top looks up and a little backwards, like a controller's face. */
function disc(radius: number, height: number, x: number, y: number, z: number): BufferGeometry {
  return new CylinderGeometry(radius, radius, height, radius > 0.01 ? 14 : 8)
    .rotateX(0.25)
    .translate(x, y, z);
}

function palm(outwards: number, colour: string): HandPart[] {
  const back = roundedBox(0.028, 0.078, 0.066, 0.013).rotateX(LEAN * 0.8);
  const heel = roundedBox(0.042, 0.05, 0.05, 0.02);
  const cuff = new CylinderGeometry(0.029, 0.031, 0.024, 14).scale(0.85, 1, 1).rotateX(Math.PI / 2 - 0.35);
  return [
    [back.translate(outwards * 0.024, -0.012, 0.012), colour],
    [heel.translate(outwards * 0.015, -0.022, 0.05), colour],
    [cuff.translate(outwards * 0.014, -0.032, 0.083), SHELL],
  ];
}

/**
 * Three fingers around the handle: each lies across its front, and its tip comes back along the inner side.
 */
function curledFingers(outwards: number): BufferGeometry[] {
  return [0, 1, 2].flatMap((i) => {
    const y = 0.016 - 0.0195 * i;
    const z = -0.007 + 0.0105 * i;
    const across = new CapsuleGeometry(0.0098, 0.034, 2, 7).rotateZ(Math.PI / 2);
    const tip = new CapsuleGeometry(0.009, 0.014, 2, 7).rotateX(Math.PI / 2);
    return [across.translate(-outwards * 0.009, y, z), tip.translate(-outwards * 0.036, y, z + 0.012)];
  });
}
