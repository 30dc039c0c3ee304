import { BodySet } from '../../base/body-set.ts';
import { forbiddenInIsland } from '../../world/authority.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY, NOT_HELD } from '../../base/ids.ts';
import { relativeSpeed } from '../../base/motion.ts';
import { vector } from '../../base/math.ts';
import { copyState, MOTION, STATE, STRIDE } from '../../base/state.ts';
import { AS_AT_START, capacityOf, templateOf } from '../../world/existence.ts';
import { Islands } from '../../world/joints/islands.ts';
import { madeIn } from '../../world/joints/making.ts';
import { Records } from '../../world/record.ts';
import type { Level, Template } from '../../world/level.ts';
import type { Ignores, Simulation } from '../../world/simulation.ts';
import { FlightLaws } from '../../wire/bodies/flight-law.ts';
import type { SavedWorld } from '../../wire/files/saved-world.ts';
import { DrawnPoses } from '../shown/drawn-poses.ts';
import { DrivenBodies } from '../driven/driven-bodies.ts';
import { Riding } from '../driven/riding.ts';
import { slowPinned } from '../driven/pinned.ts';
import { EngineMirror } from './engine-mirror.ts';
import { Following } from './following.ts';
import { KinematicBodies } from './kinematic-bodies.ts';
import { ReceivedStates } from './received-states.ts';
import { RestTracker } from './rest-tracker.ts';

/**
 * The bodies of one peer: their records, their motion in the engine, and the way between the two [W2], [R2]. The
 * owner says which bodies this peer simulates for everyone; this class knows nothing of hands, packets and claims.
 *
 * One pose of a body exists up to six times. In the order of a tick:
 *
 * | array | what it holds | who writes it |
 * | --- | --- | --- |
 * | `records.state` | the state that all peers share | others' bodies: `received.apply`; own: `engine.updateRecord` |
 * | `engine.recorded` | the same, dequantised | with `records.state`; a carried pose by `kinematic.carry` |
 * | `engine.motion` | the engine's floats | before the step `engine.writeRecorded`; after it `step` |
 * | the engine | the bodies that are stepped | `engine.write`, `kinematic.move`, the step itself |
 * | `drawn.before` | the pose that was shown after the last tick | `showReceived`, as its first act |
 * | `drawn.poses` | the pose that is shown after this tick | before the step `showReceived`, after it `showOwn` |
 *
 * This is who overwrites whom: a kinematic body goes where its hand is, and drops due states. A due state overwrites
 * the record at once and the engine in `writeReceived`. While an own body flies free [W2], its record overwrites the
 * engine in `writeBack`; after the step the engine overwrites the record in `updateRecords`. A body of another player
 * is stepped too, but its result never reaches the record. `received.curves` overwrites the drawn pose of a body of a
 * sparse author [T7], and nothing else. `following` knows whose states a body shows; `drawn.corrections` has the
 * difference between the pose that was drawn and the one it is eased to.
 */
export class Bodies {
  readonly count: number;
  readonly records: Records;
  readonly laws: FlightLaws;
  readonly simulation: Simulation;
  /** The engine's motions after the last step, STRIDE floats a body: `engine.motion`. */
  readonly motion: Float32Array;
  readonly engine: EngineMirror;
  readonly rest: RestTracker;
  /** The author that each body shows. */
  readonly following: Following;
  readonly received: ReceivedStates;
  readonly kinematic: KinematicBodies;
  readonly drawn: DrawnPoses;
  /** [K1] */
  readonly driven: DrivenBodies;
  /** [K2] */
  readonly riding: Riding;
  readonly level: Level;
  /** [S1] For each id the template of its body; null if there is no body. Read only. */
  readonly templates: (Template | null)[];
  /** [S2.5] 1 for an id that has a body by its record, of which no pose is known yet. */
  readonly #isAwaited: Uint8Array;
  /**
   * 1 for a body that this peer simulates for everyone. `markSimulated` fills it once a tick, after the own hands have
   * acted; whatever changes authority later in the tick keeps it current. All 1 at first. It is out of date between
   * two ticks: use `simulatorOf` there.
   */
  readonly simulatedHere: Uint8Array;
  /** Bodies that `putBackStrays` looks at though they sleep: those with joints, new ones, and those that were out of bounds. */
  readonly maybeAstray: BodySet;

  /** @param level without a fault [B1.4]. @param simulation holds its bodies; nobody else uses it from now on. */
  constructor(level: Level, simulation: Simulation) {
    this.level = level;
    this.count = capacityOf(level);
    this.templates = Array.from({ length: this.count }, (_, id) =>
      templateOf(level, id as BodyId, AS_AT_START),
    );
    this.#isAwaited = new Uint8Array(this.count);
    this.laws = new FlightLaws(level);
    this.records = new Records(this.count, new Islands(this.count, level.joints, madeIn(level)));
    this.simulation = simulation;
    this.engine = new EngineMirror(simulation, this.records, this.laws, this.templates);
    this.motion = this.engine.motion;
    this.drawn = new DrawnPoses(this.count);
    this.driven = new DrivenBodies(level);
    this.riding = new Riding(this.driven, level, this.records.islands, this.count);
    this.following = new Following(this.count, level.rate);
    this.rest = new RestTracker(this.engine, this.templates, level.rate);
    this.received = new ReceivedStates(
      level,
      this.engine,
      this.rest,
      this.following,
      this.drawn,
      this.riding,
    );
    this.kinematic = new KinematicBodies(this.engine, this.rest, this.received, this.drawn, level.rate);
    this.simulatedHere = new Uint8Array(this.count);
    this.maybeAstray = new BodySet(this.count);
    this.putAll(null);
  }

  /**
   * [S8] Puts every body under nobody: at its start and awake, or where a saved world has it. Bodies that were spawned
   * are gone. All are shown as own.
   */
  putAll(saved: SavedWorld | null): void {
    this.records.clear();
    this.drawn.corrections.clear();
    this.riding.clear();
    for (let body = 0 as BodyId; body < this.count; body++) this.#putAtStart(body);
    if (saved !== null) this.#putAsSaved(saved);
    this.simulatedHere.fill(1);
    this.showOwn();
    this.drawn.keepBefore();
  }

  #putAtStart(body: BodyId): void {
    if (body >= this.level.bodies.length) this.become(body, null);
    else {
      if (this.templates[body] !== this.level.bodies[body].template) this.become(body, null);
      this.records.forbidden[body] = this.#forbidden(body);
      this.putBackToStart(body);
    }
  }

  #putAsSaved({ state, resting, existence }: SavedWorld): void {
    for (let body = 0 as BodyId; body < this.count; body++) {
      this.records.existence[body] = existence[body];
      if (existence[body] !== AS_AT_START)
        this.become(body, state.subarray(body * STRIDE, (body + 1) * STRIDE));
    }
    this.records.state.set(state);
    this.records.resting.set(resting);
    for (let body = 0 as BodyId; body < this.count; body++) {
      if (this.templates[body] === null) continue;
      this.records.restPlaces[body]++;
      this.engine.readRecord(body);
      this.engine.writeRecorded(body);
      // An engine that builds up its contacts anew would move a high tower by some millimetres.
      if (resting[body] === 1) this.rest.detector.presumeStill(body, this.motion);
    }
  }

  /**
   * [S1] Another body has this id by the record, or none.
   * @param state the first STRIDE numbers of its state; null: the state that the record has, which is 0 without a body.
   */
  become(body: BodyId, state: Int32Array | null): void {
    const { records } = this;
    const template = templateOf(this.level, body, records.existence[body]);
    this.#isAwaited[body] = 0;
    this.#become(body, template, state);
    // [J2.7] It may be tied already.
    for (const part of records.islands.parts[body]) records.forbidden[part] = this.#forbidden(part);
    if (template === null) records.hold[body] = NOT_HELD;
  }

  /** [S2.5] Another body has this id by the record, but its pose is not known: it is in no engine and no picture. */
  becomeAwaited(body: BodyId): void {
    const { records } = this;
    this.#become(body, null, null);
    const template = templateOf(this.level, body, records.existence[body]);
    records.forbidden[body] = forbiddenInIsland(template, [template]);
    this.#isAwaited[body] = 1;
  }

  #become(body: BodyId, template: Template | null, state: Int32Array | null): void {
    const { records, simulation } = this;
    const at = body * STRIDE;
    this.templates[body] = template;
    this.maybeAstray.add(body);
    this.kinematic.forget(body);
    this.received.drop(body);
    this.following.stop(body);
    this.following.setCanEase(body, false);
    this.received.curves.forget(body);
    this.drawn.corrections.forget(body);
    this.drawn.moved(body);
    this.rest.begin(body, template);
    if (state !== null && template !== null) copyState(state, 0, records.state, at);
    if (template === null) {
      records.state.fill(0, at, at + STRIDE);
      simulation.remove(body);
    }
    records.resting[body] = template === null ? 1 : 0;
    records.restPlaces[body]++;
    this.engine.readRecord(body);
    this.engine.copyRecorded(body);
    if (template === null) return;
    simulation.place(body, template, this.motion);
    // It is drawn here in the last tick, too: it does not come from where the last body of this id was.
    this.drawn.show(body, this.motion, false);
    this.drawn.keepBeforeOf(body);
  }

  /** [J4] Other joints tie the body, or its island, than before: it wakes, and rests by other limits. */
  retie(body: BodyId): void {
    if (!this.has(body)) return;
    this.records.forbidden[body] = this.#forbidden(body);
    this.rest.begin(body, this.templates[body]);
    this.rest.disturb(body);
  }

  #forbidden(body: BodyId): number {
    const parts = this.records.islands.parts[body];
    return forbiddenInIsland(
      this.templates[body],
      parts.map((part) => this.templates[part]),
    );
  }

  /** True if there is a body of this id, in the engine and in the picture. */
  has(body: BodyId): boolean {
    return this.templates[body] !== null;
  }

  /** [S2.5] True if there is a body of this id by its record, but its first pose is not known yet. */
  isAwaited(body: BodyId): boolean {
    return this.#isAwaited[body] === 1;
  }

  /** [S1] True if there is a body of this id by its record. */
  exists(body: BodyId): boolean {
    return this.has(body) || this.isAwaited(body);
  }

  /** [R4] Puts a body where the level has it at first, awake and without velocity. */
  putBackToStart(body: BodyId): void {
    const { position, rotation } = this.level.bodies[body].start;
    const at = body * STRIDE;
    this.motion.fill(0, at, at + STRIDE);
    this.motion.set([position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w], at);
    this.kinematic.makeDynamic(body, STILL, STILL);
    this.following.stop(body);
    this.following.setCanEase(body, false);
    this.received.curves.forget(body);
    this.records.state[at + STATE.largest] = -1;
    this.records.resting[body] = 0;
    this.engine.updateRecord(body);
    this.engine.write(body);
    this.drawn.corrections.forget(body);
  }

  /** [I5] Puts a body of another player that went astray in this engine back to its record, without velocity. */
  putBackToRecord(body: BodyId): void {
    this.engine.copyRecorded(body);
    this.motion.fill(0, body * STRIDE + MOTION.linear, (body + 1) * STRIDE);
    this.engine.write(body);
  }

  /** [J2.1] This peer simulates the body and its island from now on: received states of others show them no more. */
  startSimulating(body: BodyId): void {
    const parts = this.records.islands.parts[body];
    for (let i = 0; i < parts.length; i++) this.#startOne(parts[i]);
  }

  #startOne(body: BodyId): void {
    this.simulatedHere[body] = 1;
    this.following.stop(body);
    // The dropped state is in the record: the engine has to wake, so that its pose is compared with it again.
    if (this.received.isDue(body)) {
      this.simulation.wake(body);
      this.engine.lead(body);
    }
    // [K2.3] The record has where its player had it; the engine, where it is on its carrier here.
    if (this.riding.has(body)) {
      if (this.received.isDue(body)) this.engine.writeRecorded(body);
      this.engine.quantise(body);
    }
    this.received.drop(body);
    this.records.restTicks[body] = 0;
  }

  /** Fills `simulatedHere`: the bodies under `self`, and those under nobody if `self` is the host. */
  markSimulated(self: Slot, host: Slot): void {
    const { authority, owned } = this.records;
    this.simulatedHere.fill(host === self ? 1 : 0);
    for (let body = owned.next(NO_BODY); body !== NO_BODY; body = owned.next(body))
      this.simulatedHere[body] = authority[body] === self ? 1 : 0;
  }

  /** Writes received states to the engine: see ReceivedStates.write. */
  writeReceived(): void {
    this.received.write(this.simulatedHere, this.kinematic.mask);
  }

  /**
   * Before the step: shows the bodies of others. Those at rest or in a hand are shown at their record, the others
   * where the engine has them, which is their due state if one came; those on curves are shown there [T7].
   */
  showReceived(): void {
    this.drawn.keepBefore();
    for (let body = this.#nextToDraw(NO_BODY); body !== NO_BODY; body = this.#nextToDraw(body)) {
      if (this.simulatedHere[body] === 1 || this.#isDrawn(body)) continue;
      this.#show(body, this.records.resting[body] === 1 || this.kinematic.has(body));
      this.riding.draw(body, this.drawn.poses);
    }
    this.received.curves.draw(this.simulatedHere);
  }

  /** Measures rest, freezes and wakes records, puts islands to sleep: see RestTracker.update. */
  updateRest(): void {
    if (this.driven.count > 0) this.rest.wakeCarried(this.simulatedHere);
    this.rest.update(this.simulatedHere, this.kinematic.mask);
  }

  /** [W2] Writes the records of own bodies back into the engine: see EngineMirror.writeBack. */
  writeBack(): void {
    this.engine.writeBack(this.simulatedHere, this.kinematic.mask);
  }

  /**
   * Steps the engine by one tick and reads its motions.
   * @param collided called for each pair that began to touch, with the relative speed in m/s that it had before the
   * step; for the floor with NO_BODY and the speed of the fall.
   * @param ignores true for a pair that is not to push each other.
   */
  step(collided: (a: BodyId, b: BodyId, speed: number) => void, ignores?: Ignores): void {
    this.driven.drive(this.simulation);
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
    if (this.driven.count > 0) slowPinned(this.engine, this.rest.carried, this.#isMovable);
    this.drawn.corrections.decay(1 / this.level.rate);
  }

  readonly #isMovable = (body: BodyId): boolean =>
    this.simulatedHere[body] === 1 && !this.kinematic.has(body);

  /** Quantises the awake own bodies into their records: see EngineMirror.updateRecord. */
  updateRecords(): void {
    this.engine.updateRecords(this.simulatedHere, this.kinematic.mask);
  }

  /** After the step: shows the bodies that this peer simulates. */
  showOwn(): void {
    for (let body = this.#nextToDraw(NO_BODY); body !== NO_BODY; body = this.#nextToDraw(body)) {
      if (this.simulatedHere[body] === 0 || this.#isDrawn(body)) continue;
      this.#show(body, this.records.resting[body] === 1);
    }
  }

  /** The next body after this one that may have to be drawn anew; NO_BODY if there is none. */
  #nextToDraw(after: BodyId): BodyId {
    return this.simulation.awake.nextOfEither(this.drawn.unsettled, after);
  }

  #isDrawn(body: BodyId): boolean {
    return this.drawn.isDone(body) && this.simulation.isAsleep(body);
  }

  #show(body: BodyId, asRecorded: boolean): void {
    const shown = asRecorded ? this.engine.recorded : this.motion;
    this.drawn.show(body, shown, this.simulation.isAsleep(body));
  }
}

const STILL = vector();
