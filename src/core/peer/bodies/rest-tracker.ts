import type { BodyId } from '../../base/ids.ts';
import { STATE, STRIDE } from '../../base/state.ts';
import type { RestLimits } from '../../world/level.ts';
import { RestDetector, withinRestTolerance } from '../../world/rest.ts';
import type { EngineMirror } from './engine-mirror.ts';
import { sleepIslands } from './sleep.ts';

/** [R1], [R2] Freezes and wakes the records of this peer's bodies, and puts islands to sleep in its engine. */
export class RestTracker {
  /** The measurement in this peer's engine. */
  readonly detector: RestDetector;
  readonly #engine: EngineMirror;
  /** Scratch of sleepIslands: a byte for each body. */
  readonly #islandReady: Uint8Array;

  /** @param limits for each body [R1]. */
  constructor(engine: EngineMirror, limits: readonly RestLimits[]) {
    const { count } = engine.records;
    this.#engine = engine;
    this.detector = new RestDetector(limits);
    this.#islandReady = new Uint8Array(count);
  }

  /**
   * Measures rest, freezes and wakes the records of the bodies that this peer simulates, and puts to sleep the
   * islands in which every record is at rest.
   * @param kinematic 1 for a body that the engine does not move: it does not rest.
   */
  update(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { detector } = this;
    const { records, simulation, motion, recorded, written } = this.#engine;
    const { resting, restTicks, count } = records;
    detector.update(motion, simulation);
    for (let i = 0; i < count; i++) {
      const body = i as BodyId;
      if (kinematic[body] === 1) continue;
      const sleeps = resting[body] === 1 && simulation.isAsleep(body);
      if (!sleeps && simulatedHere[body] === 1) {
        if (resting[body] === 0) {
          if (detector.islandStill[body] === 1) this.#freeze(body);
        } else if (!withinRestTolerance(motion, recorded, body)) this.wakeRecord(body);
      }
      if (resting[body] === 1 && restTicks[body] < MAX_REST_TICKS) restTicks[body]++;
    }
    sleepIslands(detector, records, simulation, written, this.#islandReady);
  }

  /** Ends the rest of a record: from now on it follows the engine again. */
  wakeRecord(body: BodyId): void {
    const { records } = this.#engine;
    records.resting[body] = 0;
    records.restTicks[body] = 0;
    this.#engine.updateRecord(body);
  }

  #freeze(body: BodyId): void {
    const { state, resting, restPlaces, restTicks } = this.#engine.records;
    const at = body * STRIDE;
    this.#engine.updateRecord(body);
    state.fill(0, at + STATE.linear, at + STRIDE);
    this.#engine.readRecord(body);
    resting[body] = 1;
    restPlaces[body]++;
    restTicks[body] = 0;
  }

  /** Wakes a body that may lose its footing, and keeps it awake until it has been still for REST_TICKS again. */
  disturb(body: BodyId): void {
    this.#engine.simulation.wake(body);
    this.detector.restart(body);
  }

  /** Disturbs every body that touches this one. */
  disturbTouching(body: BodyId): void {
    for (const other of this.#engine.simulation.contacts.neighbours[body]) this.disturb(other);
  }
}

/** Ticks: the most that `records.restTicks` holds. */
const MAX_REST_TICKS = 0xffff;
