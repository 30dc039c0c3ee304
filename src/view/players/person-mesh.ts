import type { BufferGeometry, ShaderMaterial } from 'three';
import { Matrix4, Mesh, Quaternion, Vector3 } from 'three';
import type { HandSide } from '../../core/base/ids.ts';
import { HAND_SIDES, LEFT } from '../../core/base/ids.ts';
import type { ReadonlyPose } from '../../core/base/math.ts';
import { vector } from '../../core/base/math.ts';
import type { AvatarView } from '../../core/peer/shown/peer-view.ts';
import { flowFraction } from '../bodies/colour-flow.ts';
import type { Light } from '../light/daylight.ts';
import { CASTS_SHADOW } from '../light/daylight.ts';
import { paintMaterial } from '../light/paint.ts';
import type { Arm } from './arm.ts';
import { FOREARM, reachWith, UPPER_ARM } from './arm.ts';
import type { PersonJoint } from './person-geometry.ts';
import { ELBOW, EYES, MOUTH, NECK, PERSON_JOINTS, personGeometry, SHOULDER } from './person-geometry.ts';
import { Stance } from './stance.ts';

/** Fraction of the remaining way to the voice's loudness that the mouth goes in one frame of 1/90 s. */
const VOICE_FLOW = 0.35;
/** How many times higher the mouth is at full voice, and how much narrower. */
const MOUTH_OPEN = 3.6;
const MOUTH_NARROW = 0.25;
/** Seconds between two blinks, and for one. */
const BLINK_EVERY = 4.3;
const BLINK = 0.14;
/** Metres from a hand's origin back to its wrist. */
const TO_WRIST = new Vector3(0, -0.03, 0.095);
/** Metres that a hand may be from the wrist of its arm; beyond, the arm ends in a hand of its own. */
const APART = 0.12;
/** A hovering body gets narrower at its lower end: at this height in metres it is narrowest, by this share. */
const HOVER = 0.5;
const DRAWN_IN = 0.62;
/** From the shoulder, where the wrist of a resting arm is, and where its elbow points (metres, the right arm). */
const AT_REST = [0.055, -0.52, -0.07] as const;
const ELBOW_OUT = [0.55, -1, 0.35] as const;

/** One player's body: head, face, trunk and arms, in one draw call. The hands that a player moves are drawn elsewhere. */
export class PersonMesh {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #moved: readonly Matrix4[] = PERSON_JOINTS.map(() => new Matrix4());
  readonly #stance = new Stance();
  readonly #toBody = new Matrix4();
  readonly #head = new Matrix4();
  readonly #part = new Matrix4();
  readonly #turn = new Quaternion();
  readonly #scale = new Vector3();
  readonly #wrist = new Vector3();
  readonly #shoulder = new Vector3();
  readonly #pole = new Vector3();
  readonly #arm: Arm = { elbow: vector(), wrist: vector(), stretch: 1 };
  #loudness = 0;
  #blinkIn: number;

  /** @param phase 0 to 1: so that not all players blink together. */
  constructor(colour: string, light: Light, phase: number) {
    this.mesh = new Mesh(personGeometry(colour), paintMaterial(light, this.#moved));
    this.mesh.layers.enable(CASTS_SHADOW);
    // The geometry's bounds do not include the joints' movement.
    this.mesh.frustumCulled = false;
    this.#blinkIn = BLINK_EVERY * (0.5 + phase);
  }

  /** Moves the body below the head, and the arms to the hands. @param seconds since the last call. */
  update(avatar: AvatarView, seconds: number): void {
    const { mesh } = this;
    this.#stance.update(avatar.head, seconds);
    const { neck, yaw, floor } = this.#stance;
    mesh.position.set(neck.x, floor, neck.z);
    mesh.rotation.set(0, yaw, 0);
    mesh.updateMatrixWorld(true);
    this.#toBody.copy(mesh.matrixWorld).invert();
    const rise = neck.y - floor - NECK;
    this.#matrix('torso').makeTranslation(0, rise, 0);
    const narrow = 1 - DRAWN_IN * Math.min(1, floor / HOVER);
    this.#matrix('base').makeScale(narrow, 1, narrow);
    this.#updateFace(avatar.head, avatar.voice, seconds);
    for (const side of HAND_SIDES) this.#updateArm(side, avatar, rise);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #matrix(joint: PersonJoint): Matrix4 {
    return this.#moved[PERSON_JOINTS.indexOf(joint)];
  }

  #updateFace({ position, rotation }: ReadonlyPose, voice: number, seconds: number): void {
    this.#turn.copy(rotation);
    this.#head.compose(this.#wrist.copy(position), this.#turn, this.#scale.setScalar(1));
    this.#head.premultiply(this.#toBody);
    const bound = this.#part.makeTranslation(-EYES[0], -EYES[1], -EYES[2]);
    this.#matrix('head').multiplyMatrices(this.#head, bound);

    this.#loudness += (voice - this.#loudness) * flowFraction(VOICE_FLOW, seconds);
    const open = Math.min(1, this.#loudness);
    const [x, y, z] = MOUTH;
    this.#scale.set(1 - MOUTH_NARROW * open, 1 + MOUTH_OPEN * open, 1);
    this.#scaled('mouth', x, y, z);

    this.#blinkIn -= seconds;
    if (this.#blinkIn < 0) this.#blinkIn += BLINK_EVERY;
    this.#scale.set(1, this.#blinkIn < BLINK ? 0.12 : 1, 1);
    this.#scaled('eyes', 0, 0, 0);
  }

  /** A part of the face, scaled about a point that is given from the eyes. */
  #scaled(joint: PersonJoint, x: number, y: number, z: number): void {
    const matrix = this.#matrix(joint).copy(this.#head);
    matrix.multiply(this.#part.makeTranslation(x, y, z));
    matrix.scale(this.#scale);
    matrix.multiply(this.#part.makeTranslation(-x - EYES[0], -y - EYES[1], -z - EYES[2]));
  }

  #updateArm(side: HandSide, { hands }: AvatarView, rise: number): void {
    const outwards = side === LEFT ? -1 : 1;
    const hand = hands[side];
    const shoulder = this.#shoulder.set(outwards * SHOULDER[0], SHOULDER[1] + rise, SHOULDER[2]);
    const wrist = this.#wrist;
    if (hand.tracked) {
      wrist.copy(TO_WRIST).applyQuaternion(this.#turn.copy(hand.pose.rotation));
      wrist.add(hand.pose.position).applyMatrix4(this.#toBody);
    } else wrist.set(outwards * AT_REST[0], AT_REST[1], AT_REST[2]).add(shoulder);
    const pole = this.#pole.set(outwards * ELBOW_OUT[0], ELBOW_OUT[1], ELBOW_OUT[2]);
    const arm = reachWith(shoulder, wrist, pole, this.#arm);
    const isApart = wrist.distanceTo(arm.wrist) > APART;
    const name = side === LEFT ? 'left' : 'right';
    const x = outwards * SHOULDER[0];
    this.#bone(this.#matrix(`${name}Upper`), shoulder, arm.elbow, [x, SHOULDER[1]], UPPER_ARM);
    const fore = this.#bone(this.#matrix(`${name}Fore`), arm.elbow, arm.wrist, [x, ELBOW], FOREARM);
    const own = this.#matrix(`${name}Hand`);
    if (hand.tracked && !isApart) own.makeScale(0, 0, 0);
    else own.copy(fore);
  }

  /** Puts a bone of the geometry, which hangs down from a point, between two points of the body's space. */
  #bone(
    matrix: Matrix4,
    from: Readonly<{ x: number; y: number; z: number }>,
    to: Readonly<{ x: number; y: number; z: number }>,
    [x, y]: readonly [number, number],
    length: number,
  ): Matrix4 {
    const way = this.#pole.set(to.x - from.x, to.y - from.y, to.z - from.z);
    const long = Math.max(1e-4, way.length());
    this.#turn.setFromUnitVectors(DOWN, way.divideScalar(long));
    matrix.makeRotationFromQuaternion(this.#turn).setPosition(from.x, from.y, from.z);
    matrix.scale(this.#scale.set(1, long / length, 1));
    return matrix.multiply(this.#part.makeTranslation(-x, -y, 0));
  }
}

const DOWN = new Vector3(0, -1, 0);
