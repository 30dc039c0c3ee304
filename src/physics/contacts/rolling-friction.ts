import type { BodyId } from '../../core/base/ids.ts';
import type { Level, Template } from '../../core/world/level.ts';
import type { RawRigidBodySet, RawVector, RigidBody } from '../engine-types.ts';
import type { SpinReader } from '../motion-reader.ts';

/** The resistance to the turning of one body. */
type Roller = {
  readonly id: BodyId;
  readonly handle: number;
  /** N·m·s: the torque of a tick. */
  readonly impulse: number;
  /** kg m²: its least moment of inertia. */
  readonly inertia: number;
};

/**
 * Rolling friction, which the engine lacks: a torque against the turning of each body that touches something, as great as
 * its weight times its template's `rollingFriction`. Without it the engine keeps a lying cylinder going for ever.
 */
export class RollingFriction {
  readonly #gravity: number;
  readonly #tickSeconds: number;
  /** The bodies whose templates have rolling friction. */
  readonly #rollers: Roller[] = [];
  readonly #spin = new Float32Array(3);

  constructor({ gravity, rate }: Pick<Level, 'gravity' | 'rate'>) {
    this.#gravity = gravity;
    this.#tickSeconds = 1 / rate;
  }

  /** A body is in the world from now on. */
  add(id: BodyId, { rollingFriction, mass }: Template, body: RigidBody): void {
    const impulse = rollingFriction * mass * this.#gravity * this.#tickSeconds;
    if (impulse === 0) return;
    body.recomputeMassPropertiesFromColliders();
    const { x, y, z } = body.principalInertia();
    this.#rollers.push({ id, handle: body.handle, impulse, inertia: Math.min(x, y, z) });
  }

  /** A body has left the world; does nothing without rolling friction. */
  remove(id: BodyId): void {
    const at = this.#rollers.findIndex((roller) => roller.id === id);
    if (at >= 0) this.#rollers.splice(at, 1);
  }

  /**
   * Slows the bodies that roll by a tick of friction; call it before a step. The torque is never so great that it would turn a
   * body the other way, so it only takes energy.
   * @param touches true for a body that is awake and touches something.
   * @param scratch a vector in the engine's memory.
   */
  slow(
    set: RawRigidBodySet,
    readSpin: SpinReader,
    touches: (id: BodyId) => boolean,
    scratch: RawVector,
  ): void {
    const spin = this.#spin;
    for (const { id, handle, impulse, inertia } of this.#rollers) {
      if (!touches(id)) continue;
      readSpin(set, handle, spin, 0);
      const [x, y, z] = spin;
      const speed = Math.sqrt(x * x + y * y + z * z);
      if (speed === 0) continue;
      const share = Math.min(impulse / speed, inertia);
      scratch.x = -x * share;
      scratch.y = -y * share;
      scratch.z = -z * share;
      set.rbApplyTorqueImpulse(handle, scratch, false);
    }
  }
}
