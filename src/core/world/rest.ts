import { BodySet } from '../base/body-set.ts';
import type { BodyId } from '../base/ids.ts';
import { NO_BODY } from '../base/ids.ts';
import {
  ANY_DOT,
  REST_DISTANCE,
  REST_SECONDS,
  REST_TOLERANCE,
  REST_TOLERANCE_DOT,
  STAND_SPEED,
  STAND_SPIN,
  STAND_TOLERANCE,
  STAND_TOLERANCE_DOT,
  ticksIn,
} from '../base/constants.ts';
import { MOTION, STRIDE } from '../base/state.ts';
import type { ContactGraph } from './contacts.ts';
import type { RestLimits } from './level.ts';
import type { Simulation } from './simulation.ts';

/** Numbers per body in the history: a position and a rotation. */
const POSE = 7;
const ROTATION = 3;
/** An angle as the distance of two quaternions as points: such chords add up, as metres do. */
function chordOf(degrees: number): number {
  return 2 * Math.sin((degrees / 4) * (Math.PI / 180));
}

/**
 * [R1] Measures which bodies have kept still, each alone and each as part of its contact island, in this peer's own
 * engine. A body is still if none of its poses of the last REST_SECONDS differs from its present one by more than its
 * template allows. Islands are the connected components of the contact graph. The class only measures; the peer acts on
 * it.
 */
export class RestDetector {
  /** For each island, by its name, 1 if every body of it has kept still. */
  readonly islandStill: Uint8Array;
  /** The island of each body, named by its lowest body. */
  readonly island: Int32Array;
  /** For each body the next one of its island, in a ring. A body alone leads to itself. */
  readonly nextInIsland: Int32Array;
  /** The first `restlessCount` are the bodies that have not kept still, and are not tired [R1.3]. */
  readonly restless: Int32Array;
  restlessCount = 0;
  /** Ticks in REST_SECONDS. */
  readonly #ticks: number;
  /** [R1.3] 1 for a body that counts as still, since it has been slow for so long; `restart` sets it back to 0. */
  readonly tired: Uint8Array;
  /** For each body the metres, and the chord, by which a still body may have moved and turned. */
  readonly #metres: Float64Array;
  readonly #chords: Float64Array;
  /** For each body a ring of its last `#ticks` poses: [body][tick][POSE]. A body's past is searched as a whole. */
  readonly #history: Float32Array;
  /** The last pose of each body once more, close together: for most bodies nothing else is read. */
  readonly #last: Float32Array;
  /** For each body how many of its poses in the ring count, up to `#ticks`. */
  readonly #seen: Uint8Array;
  /** Ticks for which a body has not moved at all; at `#ticks` its whole ring is this pose. */
  readonly #unmoved: Uint8Array;
  /** 1 if the body itself had kept still after the last step. */
  readonly #still: Uint8Array;
  /**
   * For each still body the metres, and the chord, by which it may still move before its past has to be searched
   * again: most awake bodies tremble where they are.
   */
  readonly #metresLeft: Float64Array;
  readonly #chordLeft: Float64Array;
  /** Bodies that are not known to have been in one pose for REST_SECONDS. Few sleeping bodies are among them. */
  readonly #unsettled: BodySet;
  /** Scratch: how far apart two rotations are. */
  readonly #squaredChord = new Float64Array(1);
  /** Scratch: the bodies of an island, and 1 for each body whose island was found in this tick. */
  readonly #found: Int32Array;
  readonly #isFound: Uint8Array;
  /** The place of the newest pose in each ring. */
  #newest = 0;

  /**
   * @param limits for each body, as long as `setLimits` gives it no others.
   * @param rate ticks a second.
   */
  constructor(limits: readonly RestLimits[], rate: number) {
    const count = limits.length;
    this.#ticks = ticksIn(REST_SECONDS, rate);
    this.#metres = new Float64Array(count);
    this.#chords = new Float64Array(count);
    for (let body = 0 as BodyId; body < count; body++) this.setLimits(body, limits[body]);
    this.tired = new Uint8Array(count);
    this.islandStill = new Uint8Array(count);
    this.island = new Int32Array(count);
    this.nextInIsland = new Int32Array(count);
    this.#history = new Float32Array(this.#ticks * count * POSE);
    this.#last = new Float32Array(count * POSE);
    this.#metresLeft = new Float64Array(count);
    this.#chordLeft = new Float64Array(count);
    this.restless = new Int32Array(count);
    this.#found = new Int32Array(count);
    this.#isFound = new Uint8Array(count);
    for (let body = 0; body < count; body++) this.nextInIsland[body] = this.island[body] = body;
    this.#seen = new Uint8Array(count);
    this.#unmoved = new Uint8Array(count);
    this.#still = new Uint8Array(count);
    this.#unsettled = new BodySet(count);
    this.#unsettled.fill();
  }

  /** Call once a tick, with the motions after a step: finds the islands that are still. */
  update(motion: Float32Array, { awake, contacts }: Pick<Simulation, 'contacts' | 'awake'>): void {
    this.#newest = (this.#newest + 1) % this.#ticks;
    let restless = 0;
    const unsettled = this.#unsettled;
    // Sleeping bodies do not move: nearly all of a large world, at no cost.
    for (
      let body = awake.nextOfEither(unsettled, NO_BODY);
      body !== NO_BODY;
      body = awake.nextOfEither(unsettled, body)
    ) {
      const isUnmoved = this.#isUnmoved(motion, body);
      // A body that has not moved at all is as still as it was.
      const isStill = this.#still[body] === 1 && (isUnmoved || this.#isStillNear(motion, body));
      this.#remember(motion, body, isUnmoved);
      this.#still[body] = isStill ? 1 : this.#measure(body);
      if (this.#still[body] === 0 && this.tired[body] === 0) this.restless[restless++] = body;
      if (this.#still[body] === 1 && this.#unmoved[body] === this.#ticks) unsettled.delete(body);
      else unsettled.add(body);
    }
    this.#joinIslands(contacts);
    this.restlessCount = restless;
    this.islandStill.fill(1);
    for (let i = 0; i < restless; i++) this.islandStill[this.island[this.restless[i]]] = 0;
  }

  /** True if the body itself had kept still after the last update. */
  isStill(body: BodyId): boolean {
    return this.#still[body] === 1;
  }

  /** Another body has this id, with limits of its own; call `restart`, too. */
  setLimits(body: BodyId, { distance, angleDegrees }: RestLimits): void {
    this.#metres[body] = distance;
    this.#chords[body] = chordOf(angleDegrees);
  }

  /** Begins the measurement of a body anew: it is not still before it has kept still for REST_SECONDS from now on. */
  restart(body: BodyId): void {
    this.tired[body] = 0;
    this.#seen[body] = 0;
    this.#still[body] = 0;
    this.#unsettled.add(body);
  }

  /** True if a body's pose is exactly that of the last update. */
  #isUnmoved(motion: Float32Array, body: number): boolean {
    const was = body * POSE;
    const is = body * STRIDE;
    for (let i = 0; i < POSE; i++) if (motion[is + i] !== this.#last[was + i]) return false;
    return true;
  }

  /**
   * Fills a body's past with its present pose, since it is known to have kept still. It counts as still from the
   * second update on: not before the engine has found its contacts.
   */
  presumeStill(body: BodyId, motion: Float32Array): void {
    for (let tick = 0; tick < this.#ticks; tick++) this.#keep(motion, body, tick);
    this.#unmoved[body] = this.#ticks;
    this.#seen[body] = this.#ticks - 2;
    this.#still[body] = 0;
    this.#unsettled.add(body);
  }

  #remember(motion: Float32Array, body: number, isUnmoved: boolean): void {
    if (this.#seen[body] < this.#ticks) this.#seen[body]++;
    if (!isUnmoved) this.#unmoved[body] = 0;
    else if (this.#unmoved[body] === this.#ticks) return;
    else this.#unmoved[body]++;
    this.#keep(motion, body, this.#newest);
  }

  #keep(motion: Float32Array, body: number, tick: number): void {
    const to = (body * this.#ticks + tick) * POSE;
    const from = body * STRIDE;
    for (let i = 0; i < POSE; i++) {
      this.#history[to + i] = motion[from + i];
      this.#last[body * POSE + i] = motion[from + i];
    }
  }

  /** True if a still body has moved so little since its past was searched that it is still for certain. */
  #isStillNear(motion: Float32Array, body: number): boolean {
    const l = this.#last;
    const a = body * STRIDE;
    const b = body * POSE;
    const x = motion[a] - l[b];
    const y = motion[a + 1] - l[b + 1];
    const z = motion[a + 2] - l[b + 2];
    this.#metresLeft[body] -= Math.sqrt(x * x + y * y + z * z);
    measureChord(this.#squaredChord, motion, a + MOTION.rotation, l, b + ROTATION);
    this.#chordLeft[body] -= Math.sqrt(this.#squaredChord[0]);
    return this.#metresLeft[body] >= 0 && this.#chordLeft[body] >= 0;
  }

  /** 1 if a body was near its present pose for REST_SECONDS: searches its whole past. */
  #measure(body: number): 0 | 1 {
    if (this.#seen[body] < this.#ticks) return 0;
    const h = this.#history;
    const first = body * this.#ticks;
    const a = (first + this.#newest) * POSE;
    const metres = this.#metres[body];
    const chord = this.#chords[body];
    let farthest = 0;
    let turned = 0;
    // From the oldest pose on, since that is mostly the farthest away.
    for (let i = 1; i < this.#ticks; i++) {
      const b = (first + ((this.#newest + i) % this.#ticks)) * POSE;
      const x = h[a] - h[b];
      const y = h[a + 1] - h[b + 1];
      const z = h[a + 2] - h[b + 2];
      farthest = Math.max(farthest, x * x + y * y + z * z);
      measureChord(this.#squaredChord, h, a + ROTATION, h, b + ROTATION);
      turned = Math.max(turned, this.#squaredChord[0]);
      if (farthest > metres * metres || turned > chord * chord) return 0;
    }
    this.#metresLeft[body] = metres - Math.sqrt(farthest);
    this.#chordLeft[body] = chord - Math.sqrt(turned);
    return 1;
  }

  /** Finds the islands anew in which contacts have changed: each is flooded from a body that has changed. */
  #joinIslands(contacts: ContactGraph): void {
    const { changed, changedBodies, changedCount } = contacts;
    this.#isFound.fill(0);
    for (let i = 0; i < changedCount; i++) {
      const body = changedBodies[i];
      changed[body] = 0;
      if (this.#isFound[body] === 0) this.#flood(body, contacts);
    }
    contacts.changedCount = 0;
  }

  #flood(first: number, { neighbours }: ContactGraph): void {
    const found = this.#found;
    let lowest = first;
    let count = 1;
    found[0] = first;
    this.#isFound[first] = 1;
    for (let i = 0; i < count; i++) {
      const touching = neighbours[found[i]];
      for (let n = 0; n < touching.length; n++) {
        const other = touching[n];
        if (this.#isFound[other] === 1) continue;
        this.#isFound[other] = 1;
        found[count++] = other;
        lowest = Math.min(lowest, other);
      }
    }
    for (let i = 0; i < count; i++) {
      this.island[found[i]] = lowest;
      this.nextInIsland[found[i]] = found[(i + 1) % count];
    }
  }
}

/**
 * Puts the squared distance of two rotations as points in four dimensions, by the nearer of the two signs, into
 * `out[0]`. A returned fraction is allocated wherever the compiler does not inline the call.
 */
function measureChord(out: Float64Array, a: Float32Array, at: number, b: Float32Array, from: number): void {
  let same = 0;
  let opposite = 0;
  for (let i = 0; i < 4; i++) {
    const p = a[at + i];
    const q = b[from + i];
    same += (p - q) * (p - q);
    opposite += (p + q) * (p + q);
  }
  out[0] = Math.min(same, opposite);
}

/**
 * [R2.2] True if two poses, in motions at `body * STRIDE`, are so close that the engine is left alone.
 * @param mayTurn true for a body that looks the same however it is turned: its rotation does not count.
 */
export function withinRestTolerance(
  a: Float32Array,
  b: Float32Array,
  body: BodyId,
  mayTurn: boolean,
): boolean {
  return isNear(a, b, body, REST_TOLERANCE, mayTurn ? ANY_DOT : REST_TOLERANCE_DOT);
}

/** [R5] True if a body stands: no component of its motion at `body * STRIDE` is above STAND_SPEED or STAND_SPIN. */
export function stands(motion: Float32Array, body: BodyId): boolean {
  for (let i = body * STRIDE, n = 0; n < 3; i++, n++) {
    if (Math.abs(motion[i + MOTION.linear]) > STAND_SPEED) return false;
    if (Math.abs(motion[i + MOTION.angular]) > STAND_SPIN) return false;
  }
  return true;
}

/** Metres a second along an axis: a body that only lost its support is slower after three ticks of falling. */
const HIT_SPEED = 0.5;

/** [R5] True if a body that stands by its record is to be kept there, since nothing has hit it in this engine. */
export function keepsStanding(recorded: Float32Array, motion: Float32Array, body: BodyId): boolean {
  if (!stands(recorded, body)) return false;
  const v = body * STRIDE + MOTION.linear;
  // The speed is not a function's result: a fraction that is passed on may be garbage.
  for (let i = v; i < v + 3; i++) if (Math.abs(motion[i]) > HIT_SPEED) return false;
  return true;
}

/**
 * True if a received pose is so far from the engine's, by REST_DISTANCE, that the bodies that touch it there have to be
 * disturbed: the engine wakes only those that touch it afterwards. A smaller distance would keep mixed towers from
 * resting.
 */
export function isGone(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  // Written out: fractions that are passed on are garbage where the compiler does not inline.
  const o = body * STRIDE;
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  return x * x + y * y + z * z >= REST_DISTANCE * REST_DISTANCE;
}

/** [R5] True if two poses, in motions at `body * STRIDE`, are so near that no difference is visible. */
export function withinStandTolerance(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  return isNear(a, b, body, STAND_TOLERANCE, STAND_TOLERANCE_DOT);
}

/** True if a body's poses in two lists, at `body * STRIDE`, differ by no more than so much. @param leastDot of the rotations. */
export function isNear(
  a: Float32Array,
  b: Float32Array,
  body: BodyId,
  metres: number,
  leastDot: number,
): boolean {
  const o = body * STRIDE;
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  if (x * x + y * y + z * z > metres * metres) return false;
  const r = o + MOTION.rotation;
  const dot = a[r] * b[r] + a[r + 1] * b[r + 1] + a[r + 2] * b[r + 2] + a[r + 3] * b[r + 3];
  return Math.abs(dot) >= leastDot;
}
