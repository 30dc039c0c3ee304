import { BodySet } from '../core/base/body-set.ts';
import type { BodyId } from '../core/base/ids.ts';
import { NO_BODY } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { addScaled, copyQuaternion, pose, rotate } from '../core/base/math.ts';
import { putVector } from '../core/base/motion.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import { ContactGraph } from '../core/world/contacts.ts';
import type { Joint } from '../core/world/joints/joint.ts';
import type { Level, Template } from '../core/world/level.ts';
import { CUBE_SIZE } from '../levels/arrangements.ts';
import type { Simulation } from '../core/world/simulation.ts';
import { capacityOf } from '../core/world/existence.ts';

/** Moves a body that nobody holds on by one tick: its motion stands in `motion` from `at` on. */
export type BodyStep = (motion: Float32Array, at: number) => void;

/**
 * A Simulation without an engine, which allocates nothing: bodies move as `moveOn` says, and never touch, unless the
 * caller says so in `contacts`.
 */
export class BodilessSimulation implements Simulation {
  readonly count: number;
  readonly contacts: ContactGraph;
  readonly #moveOn: BodyStep;
  readonly #motion: Float32Array;
  readonly #held: Uint8Array;
  readonly awake: BodySet;
  readonly #joints: (Joint | null)[];
  readonly #pulled = pose();
  /** 1 for an id that has a body. */
  readonly #isHere: Uint8Array;

  constructor(level: Level, moveOn: BodyStep) {
    this.#moveOn = moveOn;
    this.#joints = [...level.joints];
    this.count = capacityOf(level);
    this.contacts = new ContactGraph(this.count);
    this.#motion = new Float32Array(this.count * STRIDE);
    this.#held = new Uint8Array(this.count);
    this.awake = new BodySet(this.count);
    this.#isHere = new Uint8Array(this.count).fill(1, 0, level.bodies.length);
    level.bodies.forEach(({ start }, body) => {
      this.#place(body, start);
      this.awake.add(body);
    });
    for (const { ends } of level.joints)
      if (ends[0].body !== null && ends[1].body !== null)
        this.contacts.tie(ends[0].body as BodyId, ends[1].body as BodyId);
  }

  setJoint(number: number, joint: Joint | null): void {
    const [a, b] = this.#joints[number]?.ends ?? NO_ENDS;
    if (a.body !== null && b.body !== null) this.contacts.untie(a.body as BodyId, b.body as BodyId);
    this.#joints[number] = joint;
    const [one, other] = joint?.ends ?? NO_ENDS;
    if (one.body !== null && other.body !== null) this.contacts.tie(one.body as BodyId, other.body as BodyId);
  }

  #place(body: number, { position, rotation }: ReadonlyPose): void {
    putVector(position, this.#motion, body * STRIDE);
    putVector(rotation, this.#motion, body * STRIDE + MOTION.rotation);
    this.#motion[body * STRIDE + MOTION.rotation + 3] = rotation.w;
  }

  step(): void {
    this.contacts.beginStep();
    for (let body = 0; body < this.count; body++) {
      if (this.#held[body] === 0 && this.awake.has(body)) this.#moveOn(this.#motion, body * STRIDE);
    }
  }

  capture(out: Float32Array): void {
    for (let body = 0; body < this.count; body++) {
      if (!this.awake.has(body)) continue;
      for (let i = body * STRIDE; i < (body + 1) * STRIDE; i++) out[i] = this.#motion[i];
    }
  }

  write(body: BodyId, motion: Float32Array): void {
    for (let i = body * STRIDE; i < (body + 1) * STRIDE; i++) this.#motion[i] = motion[i];
    this.awake.add(body);
  }

  push(body: BodyId, { x, y, z }: ReadonlyVector): boolean {
    const at = body * STRIDE + MOTION.linear;
    this.awake.add(body);
    this.#motion[at] += x;
    this.#motion[at + 1] += y;
    this.#motion[at + 2] += z;
    return true;
  }

  pull(_hand: number, body: BodyId, grip: ReadonlyVector, { position, rotation }: ReadonlyPose): void {
    rotate(rotation, grip, this.#pulled.position);
    addScaled(position, this.#pulled.position, -1, this.#pulled.position);
    copyQuaternion(rotation, this.#pulled.rotation);
    this.#place(body, this.#pulled);
    this.awake.add(body);
  }

  drive(): void {
    // It has no driven bodies.
  }

  isCarried(): boolean {
    return false;
  }

  endPull(): void {
    // A body that is no more pulled moves on as others do.
  }

  hold(body: BodyId, _pushes: boolean): void {
    this.#held[body] = 1;
    this.awake.add(body);
  }

  moveHeld(body: BodyId, pose: ReadonlyPose): void {
    this.#place(body, pose);
  }

  release(body: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void {
    this.#held[body] = 0;
    putVector(linear, this.#motion, body * STRIDE + MOTION.linear);
    putVector(angular, this.#motion, body * STRIDE + MOTION.angular);
  }

  place(body: BodyId, _template: Template, motion: Float32Array): void {
    this.#isHere[body] = 1;
    this.#held[body] = 0;
    this.write(body, motion);
  }

  remove(body: BodyId): void {
    this.#isHere[body] = 0;
    this.contacts.clear(body);
    this.#held[body] = 0;
    this.awake.delete(body);
  }

  sleep(body: BodyId): void {
    this.awake.delete(body);
  }

  wake(body: BodyId): void {
    if (this.#isHere[body] === 1) this.awake.add(body);
  }

  isAsleep(body: BodyId): boolean {
    return !this.awake.has(body);
  }

  askAbout(): void {
    // Nothing touches.
  }

  overlapSphere(position: ReadonlyVector, radius: number): BodyId {
    let nearest = NO_BODY;
    let least = radius + CUBE_SIZE / 2;
    for (let body = 0; body < this.count; body++) {
      if (this.#isHere[body] === 0) continue;
      const at = body * STRIDE;
      const x = this.#motion[at] - position.x;
      const y = this.#motion[at + 1] - position.y;
      const z = this.#motion[at + 2] - position.z;
      const away = Math.sqrt(x * x + y * y + z * z);
      if (away >= least) continue;
      least = away;
      nearest = body as BodyId;
    }
    return nearest;
  }

  castRay(): BodyId {
    return NO_BODY;
  }

  castSphere(): BodyId {
    return NO_BODY;
  }

  dispose(): void {
    this.#motion.fill(0);
  }
}

const NO_ENDS = [{ body: null }, { body: null }] as const;
