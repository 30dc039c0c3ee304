import type { BodyId } from '../../core/base/ids.ts';
import { ticksIn } from '../../core/base/constants.ts';
import type { Pose } from '../../core/base/math.ts';
import { angleBetween, distance, pose, relativePose } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { BodiesDiagnostics, Numbers } from '../../core/peer/diagnostics/bodies-diagnostics.ts';
import { capacityOf } from '../../core/world/existence.ts';
import type { Level } from '../../core/world/level.ts';
import { readPose } from '../read-pose.ts';

/**
 * Seconds for which a body counts as carried after something that moves has touched it: it needs a quarter of one to
 * rest, and others learn of it later.
 */
const CARRIED_SECONDS = 1;
/** Seconds by which another player may draw it later than its simulator does. */
const LATE_SECONDS = 0.5;
/** Metres and radians by which it may be drawn elsewhere than where its simulator drew it. */
const APART = 0.02;
const TURNED = (5 * Math.PI) / 180;

/**
 * Bodies that do not rest: [K1.5] something touches them that moves, or the engine keeps a machine trembling. The referee
 * demands of them that all players draw them where their simulator drew them in the last moments: in the world, or on a
 * driven body [K2.3].
 */
export class MovingBodies {
  readonly #count: number;
  readonly #driven: number;
  /** Steps of play that are kept. */
  readonly #steps: number;
  /** For each body the steps for which it still counts as carried. */
  readonly #left: Uint16Array;
  readonly #carriedSteps: number;
  /** 1 for a body that need not rest any more. */
  readonly #excused: Uint8Array;
  /** For the last `#steps`, in a ring: the pose of each body as its simulator drew it, and where it drew driven bodies. */
  readonly #poses: Float32Array;
  readonly #carriers: (Numbers | null)[];
  #newest = 0;

  constructor(level: Level) {
    this.#driven = level.driven?.length ?? 0;
    this.#count =
      this.#driven === 0 && level.joints.length === 0 && level.making === undefined ? 0 : capacityOf(level);
    this.#steps = ticksIn(LATE_SECONDS, level.rate);
    this.#carriedSteps = ticksIn(CARRIED_SECONDS, level.rate);
    this.#left = new Uint16Array(this.#count);
    this.#excused = new Uint8Array(this.#count);
    this.#poses = new Float32Array(this.#steps * this.#count * POSE_STRIDE);
    this.#carriers = new Array<Numbers | null>(this.#steps * this.#count).fill(null);
  }

  /** Call it once a step. @param simulatorOf returns the bodies of the peer that simulates one. */
  observe(simulatorOf: (body: BodyId) => BodiesDiagnostics): void {
    this.#newest = (this.#newest + 1) % this.#steps;
    const copies = new Map<BodiesDiagnostics, Numbers>();
    for (let body = 0 as BodyId; body < this.#count; body++) {
      const bodies = simulatorOf(body);
      if (bodies.isCarried(body)) this.#left[body] = this.#carriedSteps;
      else if (this.#left[body] > 0) this.#left[body]--;
      const at = this.#newest * this.#count + body;
      for (let i = 0; i < POSE_STRIDE; i++)
        this.#poses[at * POSE_STRIDE + i] = bodies.drawn[body * POSE_STRIDE + i];
      if (!copies.has(bodies)) copies.set(bodies, [...bodies.driven]);
      this.#carriers[at] = copies.get(bodies) ?? null;
    }
  }

  /** True if a body need not rest. */
  has(body: BodyId): boolean {
    return body < this.#count && (this.#left[body] > 0 || this.#excused[body] === 1);
  }

  /** A body need not rest from now on. */
  excuse(body: BodyId): void {
    this.#excused[body] = 1;
  }

  /** The first of them that a peer draws elsewhere than its simulator drew it in the last moments; -1: none. */
  firstDrawnOtherwise(bodies: BodiesDiagnostics): number {
    for (let body = 0 as BodyId; body < this.#count; body++)
      if (this.has(body) && !this.#isDrawnAlike(bodies, body)) return body;
    return -1;
  }

  #isDrawnAlike({ drawn, driven }: BodiesDiagnostics, body: BodyId): boolean {
    const here = readPose(drawn, body * POSE_STRIDE, pose());
    const riding = Array.from({ length: this.#driven }, (_, i) =>
      relativePose(readPose(driven, i * POSE_STRIDE, carrier), here, pose()),
    );
    for (let step = 0; step < this.#steps; step++) {
      const at = step * this.#count + body;
      const carriers = this.#carriers[at];
      if (carriers === null) continue;
      const there = readPose(this.#poses, at * POSE_STRIDE, simulated);
      if (isNear(here, there)) return true;
      for (let i = 0; i < this.#driven; i++)
        if (isNear(riding[i], relativePose(readPose(carriers, i * POSE_STRIDE, carrier), there, relative)))
          return true;
    }
    return false;
  }
}

function isNear(a: Pose, b: Pose): boolean {
  return distance(a.position, b.position) <= APART && angleBetween(a.rotation, b.rotation) <= TURNED;
}

/** Work space of single calls. */
const carrier = pose();
const simulated = pose();
const relative = pose();
