import type { BodyId } from '../../src/core/base/ids.ts';
import { NO_BODY } from '../../src/core/base/ids.ts';
import { TICK_SECONDS } from '../../src/core/base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../src/core/base/math.ts';
import { putVector } from '../../src/core/base/motion.ts';
import { MOTION, STRIDE } from '../../src/core/base/state.ts';
import { ContactGraph } from '../../src/core/world/contacts.ts';
import type { Level, Template } from '../../src/core/world/level.ts';
import { CUBE_SIZE } from '../../src/levels/arrangements.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { capacityOf } from '../../src/core/world/existence.ts';

/** Share of its speed that a body keeps from tick to tick: it floats on and soon stands still. */
const KEPT_SPEED = 0.8;

/**
 * A Simulation without an engine, for tests of who has what: bodies float where they were put, glide a little
 * when let go, and never touch, unless a test says so in `contacts`.
 */
export class BodilessSimulation implements Simulation {
  readonly count: number;
  readonly contacts: ContactGraph;
  readonly #motion: Float32Array;
  readonly #held: Uint8Array;
  readonly #asleep: Uint8Array;
  /** 1 for an id that has a body. */
  readonly #isHere: Uint8Array;

  constructor(scene: Level) {
    this.count = capacityOf(scene);
    this.contacts = new ContactGraph(this.count);
    this.#motion = new Float32Array(this.count * STRIDE);
    this.#held = new Uint8Array(this.count);
    this.#asleep = new Uint8Array(this.count).fill(1, scene.bodies.length);
    this.#isHere = new Uint8Array(this.count).fill(1, 0, scene.bodies.length);
    scene.bodies.forEach(({ start }, body) => this.#place(body, start));
  }

  #place(body: number, { position, rotation }: ReadonlyPose): void {
    putVector(position, this.#motion, body * STRIDE);
    const { x, y, z, w } = rotation;
    this.#motion.set([x, y, z, w], body * STRIDE + MOTION.rotation);
  }

  step(): void {
    this.contacts.beginStep();
    for (let body = 0; body < this.count; body++) {
      if (this.#held[body] === 1 || this.#asleep[body] === 1) continue;
      const at = body * STRIDE;
      for (let i = 0; i < 3; i++) {
        this.#motion[at + i] += this.#motion[at + MOTION.linear + i] * TICK_SECONDS;
        this.#motion[at + MOTION.linear + i] *= KEPT_SPEED;
        this.#motion[at + MOTION.angular + i] *= KEPT_SPEED;
      }
    }
  }

  capture(out: Float32Array): void {
    for (let body = 0; body < this.count; body++) {
      if (this.#asleep[body] === 1) continue;
      for (let i = body * STRIDE; i < (body + 1) * STRIDE; i++) out[i] = this.#motion[i];
    }
  }

  write(body: BodyId, motion: Float32Array): void {
    for (let i = body * STRIDE; i < (body + 1) * STRIDE; i++) this.#motion[i] = motion[i];
    this.#asleep[body] = 0;
  }

  push(body: BodyId, { x, y, z }: ReadonlyVector): void {
    const at = body * STRIDE + MOTION.linear;
    this.#asleep[body] = 0;
    this.#motion[at] += x;
    this.#motion[at + 1] += y;
    this.#motion[at + 2] += z;
  }

  hold(body: BodyId, _pushes: boolean): void {
    this.#held[body] = 1;
    this.#asleep[body] = 0;
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
    this.#asleep[body] = 1;
  }

  sleep(body: BodyId): void {
    this.#asleep[body] = 1;
  }

  wake(body: BodyId): void {
    if (this.#isHere[body] === 1) this.#asleep[body] = 0;
  }

  isAsleep(body: BodyId): boolean {
    return this.#asleep[body] === 1;
  }

  askAbout(): void {
    // Nothing touches.
  }

  overlapSphere(position: ReadonlyVector, radius: number): BodyId {
    let nearest = NO_BODY;
    let least = radius + CUBE_SIZE / 2;
    for (let body = 0; body < this.count; body++) {
      const [x, y, z] = this.#motion.subarray(body * STRIDE, body * STRIDE + 3);
      const away = Math.hypot(x - position.x, y - position.y, z - position.z);
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
