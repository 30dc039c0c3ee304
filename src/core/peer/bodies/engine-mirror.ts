import { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import type { Template } from '../../world/level.ts';
import type { Records } from '../../world/record.ts';
import { stands, withinRestTolerance, withinStandTolerance } from '../../world/rest.ts';
import type { Simulation } from '../../world/simulation.ts';
import type { FlightLaws } from '../../wire/bodies/flight-law.ts';
import {
  dequantiseMotion,
  linearStep,
  quantiseFlight,
  quantiseMotion,
  VELOCITY_STEPS,
} from '../../wire/bodies/quantise.ts';

/** [H9.9] Metres a second. A host believes 48 [H9.1]; rounding must not exceed that. */
const FASTEST = 44;

/**
 * Two motions of every body side by side: the engine's, and the record's. It moves numbers from the one to the
 * other [W2] and decides when they are equal enough to be left alone [R2], [R5]. While a body flies free, the engine
 * goes on from the record; else it goes on from its own numbers, and the record follows.
 */
export class EngineMirror {
  readonly simulation: Simulation;
  readonly records: Records;
  /** The engine's motions after the last step or write: STRIDE floats a body. */
  readonly motion: Float32Array;
  /** The motions that `records.state` stands for, dequantised: STRIDE floats a body. */
  readonly recorded: Float32Array;
  /** The bodies that were written to the engine in this tick: they must not be put to sleep in it. */
  readonly written: BodySet;
  /** [W2] The bodies that this peer simulates whose record is to be written to the engine before the next step. */
  readonly #leading: BodySet;
  readonly #laws: FlightLaws;
  readonly #templates: readonly (Template | null)[];

  /**
   * @param records of the same bodies; the mirror writes their states and nothing else of them.
   * @param laws of free flight in the level.
   * @param templates for each body; null if there is none. The owner keeps it up to date.
   */
  constructor(
    simulation: Simulation,
    records: Records,
    laws: FlightLaws,
    templates: readonly (Template | null)[],
  ) {
    this.simulation = simulation;
    this.records = records;
    this.#laws = laws;
    this.#templates = templates;
    this.#leading = new BodySet(records.count);
    this.motion = new Float32Array(records.count * STRIDE);
    this.recorded = new Float32Array(records.count * STRIDE);
    this.written = new BodySet(records.count);
  }

  /** Writes a body's `motion` to the engine, which wakes it there. */
  write(body: BodyId): void {
    this.simulation.write(body, this.motion);
    this.written.add(body);
  }

  /** Writes the record's motion of a body to the engine. */
  writeRecorded(body: BodyId): void {
    this.copyRecorded(body);
    this.write(body);
  }

  /** Replaces a body's `motion` by the record's, without telling the engine. */
  copyRecorded(body: BodyId): void {
    const at = body * STRIDE;
    for (let i = at; i < at + STRIDE; i++) this.motion[i] = this.recorded[i];
  }

  /** Brings `recorded` up to date after a body's `records.state` was replaced. */
  readRecord(body: BodyId): void {
    dequantiseMotion(this.records.state, body * STRIDE, this.recorded, body * STRIDE);
  }

  /** The record of a body that this peer simulates was replaced: the engine gets it before the next step. */
  lead(body: BodyId): void {
    this.#leading.add(body);
  }

  /** [W2] True if a body that this peer simulates flew free in the last step. Valid until the next write-back. */
  flew(body: BodyId): boolean {
    return this.#leading.has(body);
  }

  /** Quantises a body's `motion` into its record, whatever the record had. */
  quantise(body: BodyId): void {
    this.#leading.delete(body);
    quantiseMotion(this.motion, body * STRIDE, this.records.state);
    this.readRecord(body);
  }

  /** [W2] The same after a step: if the body flew in it, its rounding is a flight's, and the engine will get it. */
  #quantiseStep(body: BodyId): void {
    if (!this.#flew(body)) {
      this.quantise(body);
      return;
    }
    this.#leading.add(body);
    quantiseFlight(this.motion, body * STRIDE, this.records.state);
    this.readRecord(body);
  }

  /**
   * [W2.6] True if the last step changed the velocity of a body as free flight does, within a grid step. The engine may
   * have begun the step up to half a grid step beside the record.
   */
  #flew(body: BodyId): boolean {
    // [W2.5] A joint carries it.
    if (this.records.islands.isJointed[body] === 1) return false;
    const law = this.#laws.of(body, this.records.existence[body]);
    const at = body * STRIDE + MOTION.linear;
    const step = linearStep(this.records.state, body * STRIDE);
    for (let i = at; i < at + 3; i++) {
      const fallen = i === at + 1 ? law.fallen[1] : 0;
      const expected = this.recorded[i] * law.kept[1] * VELOCITY_STEPS - fallen;
      if (Math.abs(this.motion[i] * VELOCITY_STEPS - expected) > step) return false;
    }
    return true;
  }

  /**
   * Brings a body's record up to date with its `motion` after a step.
   * [W2] A motion that is exactly the recorded one is not quantised anew.
   * [R5] A body that stands keeps the recorded pose while it is within a millimetre of it, with no velocity.
   */
  updateRecord(body: BodyId): void {
    const at = body * STRIDE;
    const isNew = this.records.state[at + STATE.largest] < 0;
    let changed = isNew;
    for (let i = at; i < at + STRIDE && !changed; i++) changed = this.motion[i] !== this.recorded[i];
    if (!changed) return;
    const standing = stands(this.motion, body);
    if (isNew) this.quantise(body);
    else if (!standing || !withinStandTolerance(this.motion, this.recorded, body)) this.#quantiseStep(body);
    if (!standing) return;
    this.records.state.fill(0, at + STATE.linear, at + STRIDE);
    this.recorded.fill(0, at + MOTION.linear, at + STRIDE);
  }

  /**
   * Quantises the awake bodies that this peer simulates into their records.
   * @param kinematic 1 for a body that the engine does not move.
   */
  updateRecords(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { notAtRest } = this.records;
    for (let body = notAtRest.next(NO_BODY); body !== NO_BODY; body = notAtRest.next(body)) {
      if (simulatedHere[body] === 0) continue;
      if (kinematic[body] === 0) this.#slow(body);
      this.updateRecord(body);
    }
  }

  /** [H9.9] Slows a body that was struck, or torn by joints, so hard that no host would believe it. */
  #slow(body: BodyId): void {
    const { motion } = this;
    const v = body * STRIDE + MOTION.linear;
    // Not by a function: a fraction that is passed on may be garbage.
    const squared = motion[v] ** 2 + motion[v + 1] ** 2 + motion[v + 2] ** 2;
    if (squared <= FASTEST ** 2) return;
    const share = FASTEST / Math.sqrt(squared);
    for (let i = v; i < v + 3; i++) motion[i] *= share;
    this.write(body);
  }

  /**
   * [W2] Writes the recorded motions of bodies in free flight that this peer simulates back into its engine.
   * @param kinematic 1 for a body that the engine does not move: it is passed over.
   */
  writeBack(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { resting } = this.records;
    const leading = this.#leading;
    for (let body = leading.next(NO_BODY); body !== NO_BODY; body = leading.next(body)) {
      leading.delete(body);
      if (kinematic[body] === 1 || resting[body] === 1 || simulatedHere[body] === 0) continue;
      if (!this.isAsRecorded(body)) this.writeRecorded(body);
    }
  }

  /** True for a ball, which looks the same however it is turned. */
  isBall(body: BodyId): boolean {
    return this.#templates[body]?.shape.kind === 'ball';
  }

  /** [R2] [R5] True if the record is at rest or stands, and the engine is close enough to it to be left alone. */
  isAsRecorded(body: BodyId): boolean {
    if (this.records.resting[body] === 1) {
      const mayTurn = this.isBall(body) && this.records.islands.isJointed[body] === 0;
      return withinRestTolerance(this.motion, this.recorded, body, mayTurn);
    }
    if (!stands(this.recorded, body) || !stands(this.motion, body)) return false;
    return withinStandTolerance(this.motion, this.recorded, body);
  }
}
