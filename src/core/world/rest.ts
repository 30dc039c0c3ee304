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

/** Numbers per body in the history: a position and a rotation. */
const POSE = 7;
/** The dot product of two rotations REST_ANGLE_DEGREES apart is the cosine of half of that. */
const REST_DOT = Math.cos((REST_ANGLE_DEGREES / 2) * (Math.PI / 180));

/**
 * [R1] Which bodies have kept still, each alone and each as part of its contact island, measured in this
 * peer's own engine. It only measures: what follows from it is the peer's.
 */
export class RestDetector {
  /** 1 if every body of this one's contact island has kept still. */
  readonly islandStill: Uint8Array;
  /** The island of each body, named by one of its bodies. */
  readonly island: Int32Array;
  readonly #count: number;
  /** Ring of the last REST_TICKS poses: [tick][body][POSE]. */
  readonly #history: Float32Array;
  readonly #seen: Uint8Array;
  /** 1 if the body itself had kept still after the last step. */
  readonly #still: Uint8Array;
  #newest = 0;

  constructor(count: number) {
    this.#count = count;
    this.islandStill = new Uint8Array(count);
    this.island = new Int32Array(count);
    this.#history = new Float32Array(REST_TICKS * count * POSE);
    this.#seen = new Uint8Array(count);
    this.#still = new Uint8Array(count);
  }

  /** Takes in the motions after a step, and finds the islands that are still. */
  update(motion: Float32Array, contacts: ContactGraph): void {
    const before = this.#newest;
    this.#newest = (before + 1) % REST_TICKS;
    for (let body = 0; body < this.#count; body++) {
      this.#remember(motion, body);
      // What has not moved at all is as still as it was: nearly all of a large world, at nearly no cost.
      if (this.#still[body] === 0 || !this.#isWhere(body, before)) this.#still[body] = this.#measure(body);
    }
    this.#joinIslands(contacts);
    this.islandStill.fill(1);
    for (let body = 0; body < this.#count; body++) {
      this.island[body] = this.#root(body);
      if (this.#still[body] === 0) this.islandStill[this.island[body]] = 0;
    }
    for (let body = 0; body < this.#count; body++) {
      this.islandStill[body] = this.islandStill[this.island[body]];
    }
  }

  /** Something is about to move this body: it has to keep still for REST_TICKS from now on. */
  stir(body: BodyId): void {
    this.#seen[body] = 0;
    this.#still[body] = 0;
  }

  #remember(motion: Float32Array, body: number): void {
    const to = (this.#newest * this.#count + body) * POSE;
    const from = body * STRIDE;
    for (let i = 0; i < POSE; i++) this.#history[to + i] = motion[from + i];
    if (this.#seen[body] < REST_TICKS) this.#seen[body]++;
  }

  /** True if a body is exactly where it was after the step at `before` in the ring. */
  #isWhere(body: number, before: number): boolean {
    const h = this.#history;
    const a = (this.#newest * this.#count + body) * POSE;
    const b = (before * this.#count + body) * POSE;
    for (let i = 0; i < POSE; i++) if (h[a + i] !== h[b + i]) return false;
    return true;
  }

  /** 1 if a body was near to where it is now for REST_TICKS. */
  #measure(body: number): 0 | 1 {
    if (this.#seen[body] < REST_TICKS) return 0;
    const h = this.#history;
    const a = (this.#newest * this.#count + body) * POSE;
    for (let tick = 0; tick < REST_TICKS; tick++) {
      const b = (tick * this.#count + body) * POSE;
      const x = h[a] - h[b];
      const y = h[a + 1] - h[b + 1];
      const z = h[a + 2] - h[b + 2];
      if (x * x + y * y + z * z > REST_DISTANCE * REST_DISTANCE) return 0;
      const dot = h[a + 3] * h[b + 3] + h[a + 4] * h[b + 4] + h[a + 5] * h[b + 5] + h[a + 6] * h[b + 6];
      if (Math.abs(dot) < REST_DOT) return 0;
    }
    return 1;
  }

  /** Union-find over the contacts; the root of an island is its lowest body. */
  #joinIslands(contacts: ContactGraph): void {
    for (let body = 0; body < this.#count; body++) this.island[body] = body;
    for (let body = 0; body < this.#count; body++) {
      const neighbours = contacts.neighbours[body];
      for (let n = 0; n < neighbours.length; n++) {
        if (neighbours[n] < body) this.#join(body, neighbours[n]);
      }
    }
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

/** [R2] True if two poses, in motions at `body * STRIDE`, are too close for the engine to be rewritten. */
export function withinRestTolerance(a: Float32Array, b: Float32Array, body: BodyId): boolean {
  return isNear(a, b, body, REST_TOLERANCE, REST_TOLERANCE_DOT);
}

/** [R5] True if a motion at `body * STRIDE` is so slow, and so near to what is recorded, that the body stands there. */
export function stands(motion: Float32Array, recorded: Float32Array, body: BodyId): boolean {
  for (let i = body * STRIDE, n = 0; n < 3; i++, n++) {
    if (Math.abs(motion[i + MOTION.linear]) > STAND_SPEED) return false;
    if (Math.abs(motion[i + MOTION.angular]) > STAND_SPIN) return false;
  }
  return isNear(motion, recorded, body, STAND_TOLERANCE, STAND_TOLERANCE_DOT);
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
