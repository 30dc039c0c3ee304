import type { BodyId } from '../base/ids.ts';
import {
  REST_ANGLE_DEGREES,
  REST_DISTANCE,
  REST_TICKS,
  REST_TOLERANCE,
  REST_TOLERANCE_DOT,
  STAND_SPEED,
  STAND_SPIN,
  STAND_TOLERANCE,
  STAND_TOLERANCE_DOT,
} from '../base/constants.ts';
import { MOTION, STRIDE } from '../base/state.ts';
import type { ContactGraph } from './contacts.ts';
import type { Simulation } from './simulation.ts';

/** Numbers per body in the history: a position and a rotation. */
const POSE = 7;
const ROTATION = 3;
/** How far apart two rotations REST_ANGLE_DEGREES apart are as points of four numbers: chords add up, as metres do. */
const REST_CHORD = 2 * Math.sin((REST_ANGLE_DEGREES / 4) * (Math.PI / 180));

/**
 * [R1] Which bodies have kept still, each alone and each as part of its contact island, measured in this
 * peer's own engine. It only measures: what follows from it is the peer's.
 */
export class RestDetector {
  /** 1 if every body of this one's contact island has kept still. */
  readonly islandStill: Uint8Array;
  /** The island of each body, named by its lowest body. */
  readonly island: Int32Array;
  readonly #count: number;
  /** A ring of the last REST_TICKS poses of all: [tick][body][POSE]. Most bodies are only asked for one or two. */
  readonly #history: Float32Array;
  /** The last pose of each body alone: most bodies are only asked for that. */
  readonly #last: Float32Array;
  readonly #seen: Uint8Array;
  /** Ticks for which a body has been exactly where it is; at REST_TICKS the ring has nothing else. */
  readonly #unmoved: Uint8Array;
  /** 1 if the body itself had kept still after the last step. */
  readonly #still: Uint8Array;
  /**
   * Of what keeps still: metres, and a chord, by which it may still move before its past has to be looked through
   * again. Most of what is awake trembles where it is.
   */
  readonly #metresLeft: Float64Array;
  readonly #chordLeft: Float64Array;
  /** Scratch: the bodies that don't keep still; for each island, by its name, 1 if it is to be found anew; its bodies. */
  readonly #restless: Int32Array;
  readonly #isStale: Uint8Array;
  readonly #loose: Int32Array;
  #newest = 0;

  constructor(count: number) {
    this.#count = count;
    this.islandStill = new Uint8Array(count);
    this.island = new Int32Array(count);
    this.#history = new Float32Array(REST_TICKS * count * POSE);
    this.#last = new Float32Array(count * POSE);
    this.#metresLeft = new Float64Array(count);
    this.#chordLeft = new Float64Array(count);
    this.#restless = new Int32Array(count);
    this.#isStale = new Uint8Array(count);
    this.#loose = new Int32Array(count);
    for (let body = 0; body < count; body++) this.island[body] = body;
    this.#seen = new Uint8Array(count);
    this.#unmoved = new Uint8Array(count);
    this.#still = new Uint8Array(count);
  }

  /** Takes in the motions after a step, and finds the islands that are still. */
  update(motion: Float32Array, simulation: Pick<Simulation, 'contacts' | 'isAsleep'>): void {
    this.#newest = (this.#newest + 1) % REST_TICKS;
    let restless = 0;
    for (let body = 0; body < this.#count; body++) {
      // What sleeps does not move: nearly all of a large world, at nearly no cost.
      const isSettled = this.#still[body] === 1 && this.#unmoved[body] === REST_TICKS;
      if (isSettled && simulation.isAsleep(body as BodyId)) continue;
      const isWhere = this.#isWhere(motion, body);
      // What has not moved at all is as still as it was.
      const isStill = this.#still[body] === 1 && (isWhere || this.#isStillNear(motion, body));
      this.#remember(motion, body, isWhere);
      this.#still[body] = isStill ? 1 : this.#measure(body);
      if (this.#still[body] === 0) this.#restless[restless++] = body;
    }
    this.#joinIslands(simulation.contacts);
    this.islandStill.fill(1);
    for (let i = 0; i < restless; i++) this.islandStill[this.island[this.#restless[i]]] = 0;
    for (let body = 0; body < this.#count; body++) {
      this.islandStill[body] = this.islandStill[this.island[body]];
    }
  }

  /** Something is about to move this body: it has to keep still for REST_TICKS from now on. */
  restart(body: BodyId): void {
    this.#seen[body] = 0;
    this.#still[body] = 0;
  }

  /** True if a body is exactly where it was after the last step. */
  #isWhere(motion: Float32Array, body: number): boolean {
    const was = body * POSE;
    const is = body * STRIDE;
    for (let i = 0; i < POSE; i++) if (motion[is + i] !== this.#last[was + i]) return false;
    return true;
  }

  /**
   * A body is known to have kept still where it is. It counts so after the next step: not before the engine has
   * found what it touches.
   */
  presumeStill(body: BodyId, motion: Float32Array): void {
    for (let tick = 0; tick < REST_TICKS; tick++) this.#keep(motion, body, tick);
    this.#unmoved[body] = REST_TICKS;
    this.#seen[body] = REST_TICKS - 2;
    this.#still[body] = 0;
  }

  #remember(motion: Float32Array, body: number, isWhere: boolean): void {
    if (this.#seen[body] < REST_TICKS) this.#seen[body]++;
    if (!isWhere) this.#unmoved[body] = 0;
    else if (this.#unmoved[body] === REST_TICKS) return;
    else this.#unmoved[body]++;
    this.#keep(motion, body, this.#newest);
  }

  #keep(motion: Float32Array, body: number, tick: number): void {
    const to = (tick * this.#count + body) * POSE;
    const from = body * STRIDE;
    for (let i = 0; i < POSE; i++) {
      this.#history[to + i] = motion[from + i];
      this.#last[body * POSE + i] = motion[from + i];
    }
  }

  /** True if a body that kept still has gone no farther since than keeps it so. */
  #isStillNear(motion: Float32Array, body: number): boolean {
    const l = this.#last;
    const a = body * STRIDE;
    const b = body * POSE;
    const x = motion[a] - l[b];
    const y = motion[a + 1] - l[b + 1];
    const z = motion[a + 2] - l[b + 2];
    this.#metresLeft[body] -= Math.sqrt(x * x + y * y + z * z);
    this.#chordLeft[body] -= Math.sqrt(squaredChord(motion, a + MOTION.rotation, l, b + ROTATION));
    return this.#metresLeft[body] >= 0 && this.#chordLeft[body] >= 0;
  }

  /** 1 if a body was near to where it is now for REST_TICKS. */
  #measure(body: number): 0 | 1 {
    if (this.#seen[body] < REST_TICKS) return 0;
    const h = this.#history;
    const a = (this.#newest * this.#count + body) * POSE;
    let farthest = 0;
    let turned = 0;
    // From the oldest on, from which it has gone farthest.
    for (let i = 1; i < REST_TICKS; i++) {
      const b = (((this.#newest + i) % REST_TICKS) * this.#count + body) * POSE;
      const x = h[a] - h[b];
      const y = h[a + 1] - h[b + 1];
      const z = h[a + 2] - h[b + 2];
      farthest = Math.max(farthest, x * x + y * y + z * z);
      turned = Math.max(turned, squaredChord(h, a + ROTATION, h, b + ROTATION));
      if (farthest > REST_DISTANCE * REST_DISTANCE || turned > REST_CHORD * REST_CHORD) return 0;
    }
    this.#metresLeft[body] = REST_DISTANCE - Math.sqrt(farthest);
    this.#chordLeft[body] = REST_CHORD - Math.sqrt(turned);
    return 1;
  }

  /**
   * Union-find over the contacts; the root of an island is its lowest body. Islands in which all touch the same as
   * before stay as they are.
   */
  #joinIslands(contacts: ContactGraph): void {
    const { island } = this;
    const { changed, neighbours } = contacts;
    this.#isStale.fill(0);
    for (let body = 0; body < this.#count; body++) if (changed[body] === 1) this.#isStale[island[body]] = 1;
    changed.fill(0);
    let loose = 0;
    for (let body = 0; body < this.#count; body++) {
      if (this.#isStale[island[body]] === 0) continue;
      this.#loose[loose++] = body;
      island[body] = body;
    }
    for (let i = 0; i < loose; i++) {
      const body = this.#loose[i];
      const touching = neighbours[body];
      for (let n = 0; n < touching.length; n++) if (touching[n] < body) this.#join(body, touching[n]);
    }
    for (let i = 0; i < loose; i++) island[this.#loose[i]] = this.#root(this.#loose[i]);
  }

  #join(a: number, b: number): void {
    const x = this.#root(a);
    const y = this.#root(b);
    if (x < y) this.island[y] = x;
    else this.island[x] = y;
  }

  #root(body: number): number {
    let root = body;
    while (this.island[root] !== root) {
      this.island[root] = this.island[this.island[root]];
      root = this.island[root];
    }
    return root;
  }
}

/** The square of how far apart two rotations are as points of four numbers, by the nearer of the two signs. */
function squaredChord(a: Float32Array, at: number, b: Float32Array, from: number): number {
  let same = 0;
  let opposite = 0;
  for (let i = 0; i < 4; i++) {
    const p = a[at + i];
    const q = b[from + i];
    same += (p - q) * (p - q);
    opposite += (p + q) * (p + q);
  }
  return Math.min(same, opposite);
}

/** [R2] True if two poses, in motions at `body * STRIDE`, are too close for the engine to be rewritten. */
export function withinRestTolerance(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  return isNear(a, b, body, REST_TOLERANCE, REST_TOLERANCE_DOT);
}

/** [R5] True if a motion at `body * STRIDE` is so slow that it stands. */
export function stands(motion: Float32Array, body: BodyId): boolean {
  for (let i = body * STRIDE, n = 0; n < 3; i++, n++) {
    if (Math.abs(motion[i + MOTION.linear]) > STAND_SPEED) return false;
    if (Math.abs(motion[i + MOTION.angular]) > STAND_SPIN) return false;
  }
  return true;
}

/** Metres a second along an axis: what only lacks what carried it has not fallen so fast after three ticks. */
const STRUCK_SPEED = 0.5;

/** [R5] True if a body that is said to stand is to be kept where it is: unless it was struck in this engine. */
export function keepsStanding(said: Float32Array, motion: Float32Array, body: BodyId): boolean {
  if (!stands(said, body)) return false;
  const v = body * STRIDE + MOTION.linear;
  // Not by a function that returns the speed: a fraction that is handed over may be garbage.
  for (let i = v; i < v + 3; i++) if (Math.abs(motion[i]) > STRUCK_SPEED) return false;
  return true;
}

/**
 * True if a received pose is so far from the engine's that what touches the body there is to be stirred: the engine
 * wakes only what it still touches then. Less would keep mixed towers from resting.
 */
export function isGone(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  // In here: fractions that are handed over are garbage where the compiler does not inline.
  const o = body * STRIDE;
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  return x * x + y * y + z * z >= REST_DISTANCE * REST_DISTANCE;
}

/** [R5] True if two poses, in motions at `body * STRIDE`, are so near that nobody sees a difference. */
export function withinStandTolerance(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  return isNear(a, b, body, STAND_TOLERANCE, STAND_TOLERANCE_DOT);
}

function isNear(a: Float32Array, b: Float32Array, body: BodyId, metres: number, leastDot: number): boolean {
  const o = body * STRIDE;
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  if (x * x + y * y + z * z > metres * metres) return false;
  const r = o + MOTION.rotation;
  const dot = a[r] * b[r] + a[r + 1] * b[r + 1] + a[r + 2] * b[r + 2] + a[r + 3] * b[r + 3];
  return Math.abs(dot) >= leastDot;
}
