import type { BodyId } from '../../base/ids.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import type { Records } from '../../world/record.ts';
import { stands, withinRestTolerance, withinStandTolerance } from '../../world/rest.ts';
import type { Simulation } from '../../world/simulation.ts';
import { dequantiseMotion, quantiseMotion } from '../../wire/bodies/quantise.ts';

/**
 * Two motions of every body side by side: the engine's, and the record's. It moves numbers from the one to the
 * other [W2] and decides when they are equal enough to be left alone [R2], [R5].
 */
export class EngineMirror {
  readonly simulation: Simulation;
  readonly records: Records;
  /** The engine's motions after the last step or write: STRIDE floats a body. */
  readonly motion: Float32Array;
  /** The motions that `records.state` stands for, dequantised: STRIDE floats a body. */
  readonly recorded: Float32Array;
  /** 1 for a body that was written to the engine in this tick: it must not be put to sleep in it. */
  readonly written: Uint8Array;

  /** @param records of the same bodies; the mirror writes their states and nothing else of them. */
  constructor(simulation: Simulation, records: Records) {
    this.simulation = simulation;
    this.records = records;
    this.motion = new Float32Array(records.count * STRIDE);
    this.recorded = new Float32Array(records.count * STRIDE);
    this.written = new Uint8Array(records.count);
  }

  /** Writes a body's `motion` to the engine, which wakes it there. */
  write(body: BodyId): void {
    this.simulation.write(body, this.motion);
    this.written[body] = 1;
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

  /** Quantises a body's `motion` into its record, whatever the record had. */
  quantise(body: BodyId): void {
    quantiseMotion(this.motion, body * STRIDE, this.records.state);
    this.readRecord(body);
  }

  /**
   * Brings a body's record up to date with its `motion`.
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
    if (isNew || !standing || !withinStandTolerance(this.motion, this.recorded, body)) this.quantise(body);
    if (!standing) return;
    this.records.state.fill(0, at + STATE.linear, at + STRIDE);
    this.recorded.fill(0, at + MOTION.linear, at + STRIDE);
  }

  /** Quantises the awake bodies that this peer simulates into their records. */
  updateRecords(simulatedHere: Uint8Array): void {
    const { resting, count } = this.records;
    for (let i = 0; i < count; i++) {
      if (resting[i] === 0 && simulatedHere[i] === 1) this.updateRecord(i as BodyId);
    }
  }

  /**
   * [W2] Writes the recorded motions of the awake bodies that this peer simulates back into its engine.
   * @param kinematic 1 for a body that the engine does not move: it is passed over.
   */
  writeBack(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { resting, count } = this.records;
    for (let i = 0; i < count; i++) {
      const body = i as BodyId;
      if (kinematic[body] === 1 || resting[body] === 1 || simulatedHere[body] === 0) continue;
      if (!this.isAsRecorded(body)) this.writeRecorded(body);
    }
  }

  /** [R2] [R5] True if the record is at rest or stands, and the engine is close enough to it to be left alone. */
  isAsRecorded(body: BodyId): boolean {
    if (this.records.resting[body] === 1) return withinRestTolerance(this.motion, this.recorded, body);
    if (!stands(this.recorded, body) || !stands(this.motion, body)) return false;
    return withinStandTolerance(this.motion, this.recorded, body);
  }
}
