import type { BodyId } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import { STATE, STRIDE } from '../../core/base/state.ts';
import type { Level } from '../../core/world/level.ts';
import { UPDATED } from '../../core/wire/coder/contexts.ts';
import { FlightLaws } from '../../core/wire/bodies/flight-law.ts';
import { BallisticCache } from '../../core/wire/bodies/flights.ts';
import type { Baseline, MotionWorkspace, PredictionMode } from '../../core/wire/bodies/motion.ts';
import { codeMotion, motionWorkspace } from '../../core/wire/bodies/motion.ts';
import { dequantiseMotion, quantiseMotion } from '../../core/wire/bodies/quantise.ts';
import type { Coder } from '../../core/wire/coder/range-coder.ts';
import type { Hand } from '../game/hand.ts';
import { claim } from '../../core/world/record.ts';

/** Snapshots that each end keeps: two seconds. An older baseline is no longer used. */
const KEPT = 128;

/** The whole world in one tick, on the grid of the wire. */
export type Snapshot = {
  /** The sender's tick in which it was sent; -1 for none. */
  tick: number;
  /** The tick of the world in it; most servers send the present. */
  worldTick: number;
  /** STRIDE numbers for each body. */
  readonly states: readonly Int32Array[];
  /** How each body was coded, which predicts what it does next. */
  readonly courses: Uint8Array;
  /** The places of the players' hands. */
  hands: readonly Hand[];
};

function createSnapshot(count: number): Snapshot {
  const states = Array.from({ length: count }, () => new Int32Array(STRIDE));
  return { tick: -1, worldTick: 0, states, courses: new Uint8Array(count), hands: [] };
}

/** The motions of a snapshot, STRIDE numbers a body. */
export function motionsOf(snapshot: Snapshot, out: Float32Array): void {
  snapshot.states.forEach((state, body) => dequantiseMotion(state, 0, out, body * STRIDE));
}

/** The last snapshots, by their ticks; and the start of the scene, which both ends know. */
export class SnapshotRing {
  readonly start: Snapshot;
  /** The flights of the bodies in all snapshots. */
  readonly flights: BallisticCache;
  /** For the coder of all of them. */
  readonly motion: MotionWorkspace;
  readonly #ring: readonly Snapshot[];
  /** Each body's last numbers: a rotation keeps its largest component [W2]. */
  readonly #last: Int32Array;

  constructor(scene: Level, homes: readonly Hand[]) {
    const count = scene.bodies.length;
    this.#ring = Array.from({ length: KEPT }, () => createSnapshot(count));
    this.flights = new BallisticCache(new FlightLaws(scene));
    this.motion = motionWorkspace(this.flights);
    this.#last = new Int32Array(count * STRIDE);
    for (let body = 0; body < count; body++) this.#last[body * STRIDE + STATE.largest] = -1;
    this.start = createSnapshot(count);
    this.#write(this.start, startMotions(scene));
    this.start.hands = homes;
  }

  /** Stores the world to be sent in a tick. */
  keep(tick: number, motion: Float32Array, hands: readonly Hand[], worldTick = tick): Snapshot {
    const snapshot = this.make(tick);
    snapshot.worldTick = worldTick;
    this.#write(snapshot, motion);
    snapshot.hands = hands;
    return snapshot;
  }

  /** Returns a free place for the snapshot of a tick. */
  make(tick: number): Snapshot {
    const snapshot = this.#ring[tick % KEPT];
    snapshot.tick = tick;
    snapshot.courses.fill(0);
    return snapshot;
  }

  /** The snapshot of a tick, or null if it is not stored. */
  at(tick: number): Snapshot | null {
    const snapshot = tick < 0 ? null : this.#ring[tick % KEPT];
    return snapshot?.tick === tick ? snapshot : null;
  }

  /** True if a snapshot that is as new or newer has the place of a tick. */
  isPast(tick: number): boolean {
    return this.#ring[tick % KEPT].tick >= tick;
  }

  /** The greatest age of a baseline in ticks. */
  static readonly mostAge = KEPT - 1;

  get bytes(): number {
    return (KEPT + 1) * this.start.states.length * (STRIDE * 4 + 1) + this.flights.bytes;
  }

  #write(snapshot: Snapshot, motion: Float32Array): void {
    snapshot.states.forEach((state, body) => {
      const at = body * STRIDE;
      quantiseMotion(motion, at, this.#last);
      state.set(this.#last.subarray(at, at + STRIDE));
    });
  }
}

/** The motions with which a scene starts. */
export function startMotions(scene: Level): Float32Array {
  const motion = new Float32Array(scene.bodies.length * STRIDE);
  scene.bodies.forEach(({ start: { position: p, rotation: r } }, body) => {
    motion.set([p.x, p.y, p.z, r.x, r.y, r.z, r.w], body * STRIDE);
  });
  return motion;
}

/**
 * Writes or reads the bodies of a snapshot against an older one: a bit for an unchanged body, and Handover's
 * coder for the rest.
 * @param age ticks from the baseline to the snapshot; 0 for the start of the scene.
 */
export function codeBodies(
  c: Coder,
  motion: MotionWorkspace,
  snapshot: Snapshot,
  baseline: Snapshot,
  age: number,
  bodies: readonly number[],
): void {
  let before: PredictionMode = 0;
  let last = 0;
  for (const body of bodies) {
    const state = snapshot.states[body];
    const was = baseline.states[body];
    last = ((last << 1) | c.bit(UPDATED + (last & 3), isSame(state, was) ? 0 : 1)) & 3;
    if ((last & 1) === 0) {
      state.set(was);
      continue;
    }
    const mode = baseline.courses[body] as PredictionMode;
    from.body = body as BodyId;
    from.tick = baseline.worldTick;
    from.state = was;
    from.mode = mode;
    before = codeMotion(c, motion, state, from, age, before);
    snapshot.courses[body] = before;
  }
}

/** Reused. */
const from: { -readonly [K in keyof Baseline]: Baseline[K] } = {
  body: NO_BODY,
  tick: 0,
  state: new Int32Array(STRIDE),
  claim: claim(),
  mode: 0,
};

function isSame(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < STRIDE; i++) if (a[i] !== b[i]) return false;
  return true;
}
