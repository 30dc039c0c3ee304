import { BodySet } from '../../base/body-set.ts';
import type { BodyId } from '../../base/ids.ts';
import { KEPT, NO_BODY } from '../../base/ids.ts';
import { ANY_DOT, ticksIn } from '../../base/constants.ts';
import { MOTION, STATE, STRIDE } from '../../base/state.ts';
import type { Vector } from '../../base/math.ts';
import { vector } from '../../base/math.ts';
import { halfSize } from '../../world/extent/extent.ts';
import { movesFarther } from '../../world/extent/farthest-move.ts';
import type { RestLimits, Template } from '../../world/level.ts';
import { STANDARD_MATERIAL } from '../../world/level.ts';
import { isNear, RestDetector } from '../../world/rest.ts';
import type { EngineMirror } from './engine-mirror.ts';
import { sleepIslands } from './sleep.ts';

/** [R1], [R2] Freezes and wakes the records of this peer's bodies, and puts islands to sleep in its engine. */
export class RestTracker {
  /** The measurement in this peer's engine. */
  readonly detector: RestDetector;
  readonly #engine: EngineMirror;
  /** [R1.3] For each body the ticks for which it has been slow in touch with something; [R1.5] or has at most crept. */
  readonly #slowTicks: Uint16Array;
  /** [R1.6] 1 for a body that has been slow for so long, until it has lost half of its slow ticks. */
  readonly #isTired: Uint8Array;
  /** [R1.5] [R1.7] For each jointed body and ball, at `body * STRIDE`, the pose of its present place. */
  readonly #places: Float32Array;
  /** [R1.5] For each jointed body the ticks for which it has been in its present place. */
  readonly #ticksInPlace: Uint16Array;
  /** Half the size of each body's box, in metres. */
  readonly #halves: readonly Vector[];
  readonly #templates: readonly (Template | null)[];
  /** Ticks in TIRED_SECONDS, and in PLACE_SECONDS. */
  readonly #tiredTicks: number;
  readonly #placeTicks: number;
  /** [K1.5] 1 for a body that a driven body moves, or that touches one that it moves, and so on. Read only. */
  readonly carried: Uint8Array;
  /** Scratch: for each island, by its name, 1 if something carries it that moves. */
  readonly #islandCarried: Uint8Array;
  /** Scratch: the islands, by their names, that may not sleep. */
  readonly #unready: BodySet;
  /** Scratch: the bodies that may have to sleep or wake. */
  readonly #candidates: BodySet;

  /**
   * @param templates for each body; null if there is none. The owner keeps it up to date.
   * @param rate ticks a second.
   */
  constructor(engine: EngineMirror, templates: readonly (Template | null)[], rate: number) {
    const { count } = engine.records;
    this.#engine = engine;
    this.#templates = templates;
    this.#tiredTicks = ticksIn(TIRED_SECONDS, rate);
    this.#placeTicks = ticksIn(PLACE_SECONDS, rate);
    this.detector = new RestDetector(
      templates.map((template, body) => this.#limitsOf(template, body)),
      rate,
    );
    this.#slowTicks = new Uint16Array(count);
    this.#isTired = new Uint8Array(count);
    this.#places = new Float32Array(count * STRIDE);
    this.#ticksInPlace = new Uint16Array(count);
    this.#halves = templates.map((template) =>
      template === null ? vector() : halfSize(template.shape, vector()),
    );
    this.carried = new Uint8Array(count);
    this.#islandCarried = new Uint8Array(count);
    this.#unready = new BodySet(count);
    this.#candidates = new BodySet(count);
  }

  /** Another body has this id: its measurement begins anew, by the limits of its template. */
  begin(body: BodyId, template: Template | null): void {
    this.detector.restart(body);
    this.refresh(body);
    if (template === null) return;
    this.detector.setLimits(body, this.#limitsOf(template, body));
    halfSize(template.shape, this.#halves[body]);
  }

  /** [R1.4] A jointed body must keep stiller than others: a pendulum nearly stands still at each end of its swing. */
  #limitsOf(template: Template | null, body: number): RestLimits {
    const { rest } = template ?? STANDARD_MATERIAL;
    if (this.#engine.records.islands.isJointed[body] === 0) return rest;
    return { distance: rest.distance * JOINTED_REST, angleDegrees: rest.angleDegrees * JOINTED_REST };
  }

  /**
   * Measures rest, freezes and wakes the records of the bodies that this peer simulates, and puts to sleep the
   * islands in which every record is at rest.
   * @param kinematic 1 for a body that the engine does not move: it does not rest.
   */
  update(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { detector } = this;
    const { records, simulation, motion, written } = this.#engine;
    const { awake } = simulation;
    const { island, restless, nextInIsland } = detector;
    const unready = this.#unready;
    this.#tireAll(simulatedHere, kinematic);
    detector.update(motion, simulation);
    unready.clear();
    for (let i = 0; i < detector.restlessCount; i++) unready.add(island[restless[i]]);
    for (let body = awake.next(NO_BODY); body !== NO_BODY; body = awake.next(body))
      if (kinematic[body] === 0) this.#updateAwake(body, simulatedHere[body] === 1);
    const { notAtRest, resting } = records;
    for (let body = notAtRest.next(NO_BODY); body !== NO_BODY; body = notAtRest.next(body)) {
      // A received state may end the rest of a body that still sleeps.
      if (kinematic[body] === 0 && !awake.has(body)) this.#updateAwake(body, simulatedHere[body] === 1);
      if (resting[body] === 0) unready.add(island[body]);
    }
    for (let body = written.next(NO_BODY); body !== NO_BODY; body = written.next(body))
      unready.add(island[body]);
    this.#countRest(kinematic);
    sleepIslands(island, nextInIsland, simulation, unready, this.#candidates);
  }

  /** Visits every body of a large world in every tick, and therefore calls no functions. */
  #countRest(kinematic: Uint8Array): void {
    const { resting, restTicks, count } = this.#engine.records;
    for (let body = 0; body < count; body++)
      if (resting[body] === 1 && kinematic[body] === 0 && restTicks[body] < MAX_REST_TICKS) restTicks[body]++;
  }

  /**
   * [R1.3] Counts a tick for each awake body. Bodies of others count, too: an island of several players' bodies rests as a
   * whole; but what another player keeps is acted upon without a word to this peer.
   */
  #tireAll(simulatedHere: Uint8Array, kinematic: Uint8Array): void {
    const { records, simulation } = this.#engine;
    const { hold } = records;
    const { awake } = simulation;
    for (let body = awake.next(NO_BODY); body !== NO_BODY; body = awake.next(body)) {
      if (kinematic[body] === 1 || this.#stays(body)) continue;
      if (simulatedHere[body] === 0 && hold[body] === KEPT) this.refresh(body);
      else this.#tire(body);
    }
  }

  /** True for a body at rest that need not tire. One with a joint may tremble by less than would end its rest. */
  #stays(body: BodyId): boolean {
    const { resting, islands } = this.#engine.records;
    if (resting[body] === 0 || this.#isTired[body] === 1) return false;
    return islands.isJointed[body] === 0 || this.detector.isStill(body);
  }

  #updateAwake(body: BodyId, isSimulatedHere: boolean): void {
    const { island, islandStill } = this.detector;
    if (this.#engine.records.resting[body] === 0) {
      if (isSimulatedHere && islandStill[island[body]] === 1) this.#freeze(body);
    } else if (isSimulatedHere && !this.#engine.isAsRecorded(body)) this.wakeRecord(body);
  }

  /**
   * [K1.5] Keeps awake every body that something moving carries, and everything that touches such a body, however
   * slowly they move. Call it before `update`.
   */
  wakeCarried(simulatedHere: Uint8Array): void {
    const { records, simulation } = this.#engine;
    const { island } = this.detector;
    const isCarried = this.#islandCarried;
    isCarried.fill(0);
    for (let body = 0; body < records.count; body++)
      if (simulation.isCarried(body as BodyId)) isCarried[island[body]] = 1;
    for (let i = 0; i < records.count; i++) {
      const body = i as BodyId;
      // An id without a body is in the island of its last one until `update`.
      this.carried[body] = this.#templates[body] === null ? 0 : isCarried[island[body]];
      if (this.carried[body] === 0) continue;
      this.disturb(body);
      if (records.resting[body] === 1 && simulatedHere[body] === 1) this.wakeRecord(body);
    }
  }

  /** Counts a tick of an awake body. */
  #tire(body: BodyId): void {
    const { tired } = this.detector;
    const before = this.#slowTicks[body];
    const ticks = Math.min(this.#ticksOf(body), this.#tiredTicks);
    this.#slowTicks[body] = ticks;
    // [R1.6] A body that is tired, and twitches, is tired again as soon as it is slow.
    this.#isTired[body] = ticks >= this.#tiredTicks * (this.#isTired[body] === 1 ? STAYS_TIRED : 1) ? 1 : 0;
    tired[body] = ticks >= before ? this.#isTired[body] : 0;
  }

  /** The ticks for which a body was slow, or at most crept, this one included. */
  #ticksOf(body: BodyId): number {
    const ticks = this.#slowTicks[body];
    if (this.#engine.records.islands.isJointed[body] === 1) return this.#creeps(body) ? ticks + 1 : 1;
    if (this.#engine.flew(body)) return 0;
    // [R1.7] A ball looks the same however it is turned.
    if (this.#engine.isBall(body) && !this.#isInPlace(body, ANY_DOT)) return 1;
    return this.#isSlow(body) ? ticks + 1 : Math.max(0, ticks - LOST_TICKS);
  }

  /** [R1.3] */
  #isSlow(body: BodyId): boolean {
    const { motion } = this.#engine;
    const v = body * STRIDE + MOTION.linear;
    const w = body * STRIDE + MOTION.angular;
    return (
      motion[v] * motion[v] + motion[v + 1] * motion[v + 1] + motion[v + 2] * motion[v + 2] <
        SLOW_SPEED ** 2 &&
      motion[w] * motion[w] + motion[w + 1] * motion[w + 1] + motion[w + 2] * motion[w + 2] < SLOW_SPIN ** 2
    );
  }

  /** [R1.5] True if a jointed body is still, or goes from place to place so slowly that it only creeps. */
  #creeps(body: BodyId): boolean {
    if (this.#isDriven(body)) return this.#isInPlace(body, PLACE_DOT);
    const { motion } = this.#engine;
    const isFast = movesFarther(motion, this.#places, body, this.#halves[body], CREEPS_METRES);
    const mayCreep = !isFast && this.#slowTicks[body] > 0;
    this.#ticksInPlace[body]++;
    if (!mayCreep || this.#ticksInPlace[body] >= this.#placeTicks) this.#setPlace(body);
    return mayCreep;
  }

  /** True if a motor turns or moves a body. One with a speed of 0 is a brake. */
  #isDriven(body: BodyId): boolean {
    const { joints, jointsOf } = this.#engine.records.islands;
    for (const number of jointsOf[body]) {
      const joint = joints[number];
      if ('motor' in joint && joint.motor !== null && joint.motor.speed !== 0) return true;
    }
    return false;
  }

  /**
   * [R1.5] [R1.7] True if a body is still in its place; else its place is where it is now.
   * @param leastDot of the two rotations.
   */
  #isInPlace(body: BodyId, leastDot: number): boolean {
    const isThere = isNear(this.#engine.motion, this.#places, body, PLACE_METRES, leastDot);
    if (this.#slowTicks[body] > 0 && isThere) return true;
    this.#setPlace(body);
    return false;
  }

  #setPlace(body: BodyId): void {
    const { motion } = this.#engine;
    const at = body * STRIDE;
    for (let i = at; i < at + MOTION.linear; i++) this.#places[i] = motion[i];
    this.#ticksInPlace[body] = 0;
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

  /** Wakes a body that may lose its footing, and keeps it awake until it has been still for REST_SECONDS again. */
  disturb(body: BodyId): void {
    this.#engine.simulation.wake(body);
    this.detector.restart(body);
    this.refresh(body);
  }

  /** [R1.3] Takes all slow ticks of a body back. */
  refresh(body: BodyId): void {
    this.detector.tired[body] = 0;
    this.#slowTicks[body] = 0;
    this.#isTired[body] = 0;
  }

  /** Disturbs every body that touches this one. */
  disturbTouching(body: BodyId): void {
    for (const other of this.#engine.simulation.contacts.neighbours[body]) this.disturb(other);
  }
}

/** [R1.4] The share of its template's limits of rest that a jointed body has. */
const JOINTED_REST = 1 / 8;
/** [R1.3] Metres and radians a second, and seconds: what is so slow for so long sways or circles without end. */
const SLOW_SPEED = 0.3;
const SLOW_SPIN = 5;
const TIRED_SECONDS = 4;
/** [R1.3] Slow ticks that a faster one takes back: the engine twitches bodies under a load in 2 to 6 ticks of a hundred. */
const LOST_TICKS = 10;
/** [R1.6] The share of its slow ticks with which a tired body stays tired: several that twitch in turn rest together. */
const STAYS_TIRED = 0.5;
/** [R1.5] [R1.7] The size of the place of a ball, or of a body that a motor drives: 2 cm, and 3 degrees as a dot product. */
const PLACE_METRES = 0.02;
const PLACE_DOT = Math.cos((1.5 * Math.PI) / 180);
/**
 * [R1.5] Metres that any point of a body with a joint may go in a quarter of a second while it creeps. Tied heaps tremble by
 * millimetres; chains that are tangled, or drag a ball along, creep by up to 4 cm a second without end.
 */
const CREEPS_METRES = 0.015;
const PLACE_SECONDS = 0.25;
/** Ticks: the most that `records.restTicks` holds. */
const MAX_REST_TICKS = 0xffff;
