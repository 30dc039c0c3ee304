import type { BodyId, Slot } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import { TICK_SECONDS } from '../base/constants.ts';
import { putVector, relativeSpeed } from '../base/motion.ts';
import type { ReadonlyPose, ReadonlyVector } from '../base/math.ts';
import { vector } from '../base/math.ts';
import { MOTION, STATE, STRIDE } from '../base/state.ts';
import { putState, Records } from '../world/record.ts';
import {
  isGone,
  RestDetector,
  stands,
  staysStanding,
  withinRestTolerance,
  withinStandTolerance,
} from '../world/rest.ts';
import type { Scene } from '../world/scene.ts';
import type { Ignores, Simulation } from '../world/simulation.ts';
import { dequantiseMotion, quantiseMotion } from '../wire/quantise.ts';
import type { SavedWorld } from '../wire/saved-world.ts';
import type { BodyUpdate } from '../wire/update.ts';
import { Drawn } from './drawn.ts';
import { Following } from './following.ts';
import { sleepIslands } from './sleep.ts';

/**
 * The bodies of one peer: their records, their motion in the engine, and the way between the two [W2], [R2].
 * It is told which bodies this peer simulates for everyone; it knows nothing of hands, packets and claims.
 */
export class Bodies {
  readonly count: number;
  readonly records: Records;
  readonly simulation: Simulation;
  readonly rest: RestDetector;
  /** The engine's motions after the last step, STRIDE a body. */
  readonly motion: Float32Array;
  readonly drawn: Drawn;
  /** Whose states each body shows. */
  readonly following: Following;
  readonly scene: Scene;
  /** 1 if the engine's body was written in this tick: it must not be put to sleep. */
  readonly #written: Uint8Array;
  /** Whether a received state has to be written before the step: NOT_DUE, FOLLOWS or JUMPS. */
  readonly #due: Uint8Array;
  /** The records' motions: what was last written, to tell whether the engine has changed a body. */
  readonly #recorded: Float32Array;
  /** 1 if a body's engine is in kinematic mode: in a hand of this peer, or carried by another's. */
  readonly #kinematic: Uint8Array;
  /** Scratch: for each island, by its root, 1 if it may sleep. */
  readonly #islandReady: Uint8Array;

  constructor(scene: Scene, simulation: Simulation) {
    this.scene = scene;
    this.count = scene.bodies.length;
    this.records = new Records(this.count);
    this.simulation = simulation;
    this.rest = new RestDetector(this.count);
    this.motion = new Float32Array(this.count * STRIDE);
    this.#recorded = new Float32Array(this.count * STRIDE);
    this.drawn = new Drawn(this.count);
    this.following = new Following(this.count);
    this.#written = new Uint8Array(this.count);
    this.#due = new Uint8Array(this.count);
    this.#kinematic = new Uint8Array(this.count);
    this.#islandReady = new Uint8Array(this.count);
    this.putAll(null);
  }

  /** Every body under nobody: at its start, awake; or where a saved world has it. */
  putAll(saved: SavedWorld | null): void {
    this.records.clear();
    this.drawn.corrections.clear();
    for (let body = 0 as BodyId; body < this.count; body++) this.putBackToStart(body);
    if (saved !== null) this.#putAsSaved(saved);
    this.showOwn(() => true);
    this.drawn.keepBefore();
  }

  #putAsSaved({ state, resting }: SavedWorld): void {
    this.records.state.set(state);
    this.records.resting.set(resting);
    for (let body = 0 as BodyId; body < this.count; body++) {
      this.records.restPlaces[body]++;
      dequantiseMotion(state, body * STRIDE, this.#recorded, body * STRIDE);
      this.#copyRecorded(body);
      this.#write(body);
      // An engine that builds up its contacts anew would move a high tower by some millimetres.
      if (resting[body] === 1) this.rest.presumeStill(body, this.motion);
    }
  }

  /** [R4] */
  putBackToStart(body: BodyId): void {
    const { position, rotation } = this.scene.bodies[body].start;
    const at = body * STRIDE;
    this.motion.fill(0, at, at + STRIDE);
    this.motion.set([position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w], at);
    this.letGo(body, STILL, STILL);
    this.following.stop(body);
    this.following.setFresh(body, true);
    this.records.state[at + STATE.largest] = -1;
    this.records.resting[body] = 0;
    this.record(body);
    this.#write(body);
    this.drawn.corrections.forget(body);
  }

  // --- Received states ---

  /** Takes over a received state that is due; older ones than the last of its author are passed over. */
  applyState(update: Readonly<BodyUpdate>, author: Slot): void {
    const step = this.following.take(update.body, author, update.tick);
    if (step !== 'older') this.#adopt(update, step === 'next' ? FOLLOWS : JUMPS);
  }

  /** [A7] Takes over at once where a body rests that its guest has given back; [I3] it is there for good. */
  adoptRest(update: Readonly<BodyUpdate>): void {
    this.following.stop(update.body);
    this.#adopt(update, JUMPS);
    this.records.restTicks[update.body] = 0;
  }

  #adopt(update: Readonly<BodyUpdate>, due: number): void {
    const { body } = update;
    const at = body * STRIDE;
    const places = this.records.restPlaces[body];
    putState(this.records, body, update.kind === 'rest', update.state);
    dequantiseMotion(this.records.state, at, this.#recorded, at);
    this.drawn.moved(body);
    // [R2] It rests on, drawn at its record wherever the engine has it: nothing is to be eased.
    const restsOn = update.kind === 'rest' && this.records.restPlaces[body] === places;
    if (this.#due[body] !== JUMPS) this.#due[body] = restsOn ? FOLLOWS : due;
  }

  /** This peer has taken a body: states of others that still come show it no more. */
  takenHere(body: BodyId): void {
    this.following.stop(body);
    // A state that was due is dropped: awake, the engine's pose is held against the record again.
    if (this.#due[body] !== NOT_DUE) this.simulation.wake(body);
    this.#due[body] = NOT_DUE;
    this.records.restTicks[body] = 0;
  }

  /**
   * Writes received states to the engine. What is known to rest or to stand is kept where it is [R2], [R5], unless it
   * was struck here: the engine may have nothing to carry it [A10]. What the engine is close to stays unwritten.
   */
  writeReceived(simulatesHere: (body: BodyId) => boolean): void {
    this.#written.fill(0);
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (this.#due[body] === NOT_DUE && this.simulation.isAsleep(body)) continue;
      if (this.#kinematic[body] === 1) this.#due[body] = NOT_DUE;
      if (this.#kinematic[body] === 1 || (this.#due[body] === NOT_DUE && simulatesHere(body))) continue;
      const stays = this.records.resting[body] === 1 || staysStanding(this.#recorded, this.motion, body);
      if (!this.#isAsRecorded(body) && (stays || this.#due[body] !== NOT_DUE)) {
        const wasDrawnThere = this.#due[body] === FOLLOWS || (stays && this.#due[body] === NOT_DUE);
        if (this.following.eases(body) && !wasDrawnThere)
          this.drawn.corrections.moved(body, this.motion, this.#recorded);
        if (isGone(this.motion, this.#recorded, body)) this.#stirTouching(body);
        this.#copyRecorded(body);
        this.#write(body);
      }
      if (this.#due[body] !== NOT_DUE) this.following.setFresh(body, false);
      this.#due[body] = NOT_DUE;
    }
  }

  // --- Held bodies ---

  /** [G5] Takes a body into a hand of this peer: it pushes what it touches. */
  hold(body: BodyId): void {
    this.#leaveEngine(body, true);
  }

  /** [G5] Moves a body that another peer's hand carries: it pushes nothing. Its way to the hand is eased. */
  carry(body: BodyId, pose: ReadonlyPose, author: Slot): void {
    const begins = this.#kinematic[body] === 0 || !this.following.isOf(body, author);
    this.following.carry(body, author);
    if (begins) this.#leaveEngine(body, false);
    this.moveHeld(body, pose);
    const at = body * STRIDE;
    putVector(pose.position, this.#recorded, at);
    putVector(pose.rotation, this.#recorded, at + MOTION.rotation);
    this.#recorded[at + MOTION.rotation + 3] = pose.rotation.w;
    if (begins && this.following.eases(body)) this.drawn.corrections.moved(body, this.motion, this.#recorded);
    this.following.setFresh(body, false);
  }

  #leaveEngine(body: BodyId, pushes: boolean): void {
    this.simulation.hold(body, pushes);
    this.#stirTouching(body);
    this.#kinematic[body] = 1;
    this.records.resting[body] = 0;
    this.#due[body] = NOT_DUE;
  }

  /** Gives a held or carried body back to the engine. */
  letGo(body: BodyId, linear: ReadonlyVector, angular: ReadonlyVector): void {
    if (this.#kinematic[body] === 0) return;
    this.simulation.release(body, linear, angular);
    this.#kinematic[body] = 0;
    this.rest.stir(body);
    if (this.#due[body] !== NOT_DUE) {
      // From a hand, shown at the exact moment, to the engine, shown at whole ticks: a step in time, no error.
      this.following.setFresh(body, true);
      return;
    }
    const at = body * STRIDE;
    putVector(linear, this.motion, at + MOTION.linear);
    putVector(angular, this.motion, at + MOTION.angular);
    this.#quantise(at);
  }

  /** True if the body is in a hand of this peer, or carried by another's. */
  isHeldHere(body: BodyId): boolean {
    return this.#kinematic[body] === 1;
  }

  /** Moves a held body; what lies on it wakes, since it may lose its footing. */
  moveHeld(body: BodyId, pose: ReadonlyPose): void {
    this.simulation.moveHeld(body, pose);
    const at = body * STRIDE;
    const x = this.motion[at] - pose.position.x;
    const y = this.motion[at + 1] - pose.position.y;
    const z = this.motion[at + 2] - pose.position.z;
    if (x * x + y * y + z * z >= STIRRED * STIRRED) this.#stirTouching(body);
  }

  #stirTouching(body: BodyId): void {
    for (const other of this.simulation.contacts.neighbours[body]) this.stir(other);
  }

  /** Wakes a body that may lose its footing, and lets it not fall asleep again before it has lost it. */
  stir(body: BodyId): void {
    this.simulation.wake(body);
    this.rest.stir(body);
  }

  // --- Rest [R1], [R2] ---

  /**
   * Measures rest, freezes and wakes the records of bodies that this peer simulates, and puts to sleep the
   * islands whose every record rests.
   */
  updateRest(simulatesHere: (body: BodyId) => boolean): void {
    const { records, rest, simulation } = this;
    rest.update(this.motion, simulation);
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (this.#kinematic[body] === 1) continue;
      const sleeps = records.resting[body] === 1 && simulation.isAsleep(body);
      if (!sleeps && simulatesHere(body)) {
        if (records.resting[body] === 0) {
          if (rest.islandStill[body] === 1) this.#freeze(body);
        } else if (!withinRestTolerance(this.motion, this.#recorded, body)) this.wakeRecord(body);
      }
      if (records.resting[body] === 1 && records.restTicks[body] < MAX_REST_TICKS) records.restTicks[body]++;
    }
    sleepIslands(this.rest, records, simulation, this.#written, this.#islandReady);
  }

  /** The record goes on from what the engine has. */
  wakeRecord(body: BodyId): void {
    this.records.resting[body] = 0;
    this.records.restTicks[body] = 0;
    this.record(body);
  }

  #freeze(body: BodyId): void {
    const { state, resting, restPlaces, restTicks } = this.records;
    const at = body * STRIDE;
    this.record(body);
    state.fill(0, at + STATE.linear, at + STRIDE);
    dequantiseMotion(state, at, this.#recorded, at);
    resting[body] = 1;
    restPlaces[body]++;
    restTicks[body] = 0;
  }

  // --- The tick ---

  /** [W2] Writes the recorded state of the awake bodies that this peer simulates back into its engine. */
  writeBack(simulatesHere: (body: BodyId) => boolean): void {
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (this.#kinematic[body] === 1 || this.records.resting[body] === 1 || !simulatesHere(body)) continue;
      if (this.#isAsRecorded(body)) continue;
      this.#copyRecorded(body);
      this.#write(body);
    }
  }

  /**
   * Steps the engine and reads what became of it. `collided` hears of each pair that began to touch, with
   * the relative speed in m/s that it had before the step; for the floor, NO_BODY, with the speed of the fall.
   */
  step(collided: (a: BodyId, b: BodyId, speed: number) => void, ignores?: Ignores): void {
    this.simulation.step(ignores);
    const { started, startedCount, landed, landedCount } = this.simulation.contacts;
    for (let i = 0; i < startedCount; i += 2) {
      collided(started[i], started[i + 1], relativeSpeed(this.motion, started[i], started[i + 1]));
    }
    for (let i = 0; i < landedCount; i++) {
      const fall = -this.motion[landed[i] * STRIDE + MOTION.linear + 1];
      collided(landed[i], NO_BODY, Math.max(0, fall));
    }
    this.simulation.capture(this.motion);
    this.drawn.corrections.decay(TICK_SECONDS);
  }

  /** Quantises the awake bodies that this peer simulates into their records. */
  recordOwn(simulatesHere: (body: BodyId) => boolean): void {
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (this.records.resting[body] === 1 || !simulatesHere(body)) continue;
      this.record(body);
    }
  }

  /** [W2] A body whose motion is what was last recorded is not quantised anew. */
  record(body: BodyId): void {
    const at = body * STRIDE;
    const isNew = this.records.state[at + STATE.largest] < 0;
    let changed = isNew;
    for (let i = at; i < at + STRIDE && !changed; i++) changed = this.motion[i] !== this.#recorded[i];
    if (!changed) return;
    const standing = stands(this.motion, body);
    if (isNew || !standing || !withinStandTolerance(this.motion, this.#recorded, body)) this.#quantise(at);
    // [R5] The record says that nothing moves, and where it was within a millimetre.
    if (!standing) return;
    this.records.state.fill(0, at + STATE.linear, at + STRIDE);
    this.#recorded.fill(0, at + MOTION.linear, at + STRIDE);
  }

  /** [R2] [R5] True if the record says that nothing moves, and the engine is close enough to it to be left alone. */
  #isAsRecorded(body: BodyId): boolean {
    if (this.records.resting[body] === 1) return withinRestTolerance(this.motion, this.#recorded, body);
    if (!stands(this.#recorded, body) || !stands(this.motion, body)) return false;
    return withinStandTolerance(this.motion, this.#recorded, body);
  }

  #quantise(at: number): void {
    quantiseMotion(this.motion, at, this.records.state);
    dequantiseMotion(this.records.state, at, this.#recorded, at);
  }

  /** [I5] A body that another peer simulates, and that went astray here, waits where it was last known. */
  putBackToRecord(body: BodyId): void {
    this.#copyRecorded(body);
    this.motion.fill(0, body * STRIDE + MOTION.linear, (body + 1) * STRIDE);
    this.#write(body);
  }

  /** Before the step: draws what others simulate where it is due; the engine's pose is for what none has come for. */
  showReceived(simulatesHere: (body: BodyId) => boolean): void {
    this.drawn.keepBefore();
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (this.#isDrawn(body) || simulatesHere(body)) continue;
      this.#show(body, this.records.resting[body] === 1 || this.#kinematic[body] === 1);
    }
  }

  /** After the step: the drawn poses of what this peer simulates. */
  showOwn(simulatesHere: (body: BodyId) => boolean): void {
    for (let i = 0; i < this.count; i++) {
      const body = i as BodyId;
      if (!this.#isDrawn(body) && simulatesHere(body)) this.#show(body, this.records.resting[body] === 1);
    }
  }

  #isDrawn(body: BodyId): boolean {
    return this.drawn.isDone(body) && this.simulation.isAsleep(body);
  }

  #show(body: BodyId, asRecorded: boolean): void {
    this.drawn.show(body, asRecorded ? this.#recorded : this.motion, this.simulation.isAsleep(body));
  }

  #copyRecorded(body: BodyId): void {
    const at = body * STRIDE;
    for (let i = at; i < at + STRIDE; i++) this.motion[i] = this.#recorded[i];
  }

  #write(body: BodyId): void {
    this.simulation.write(body, this.motion);
    this.#written[body] = 1;
  }
}

const MAX_REST_TICKS = 0xffff;
const NOT_DUE = 0;
/** The drawn body is at the state at once, or eased to it. */
const FOLLOWS = 1;
const JUMPS = 2;
/** Metres a tick: a held body that moves more than this stirs what touches it. */
const STIRRED = 0.001;
const STILL = vector();
