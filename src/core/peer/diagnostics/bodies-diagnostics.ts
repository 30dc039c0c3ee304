import type { BodyId } from '../../base/ids.ts';
import type { Records } from '../../world/record.ts';
import type { Islands } from '../../world/joints/islands.ts';
import type { Bodies } from '../bodies/bodies.ts';

/** Numbers of the peer that can only be read. A typed array has this type. */
export type Numbers = {
  readonly length: number;
  readonly [index: number]: number;
  some(predicate: (value: number, index: number) => boolean): boolean;
  [Symbol.iterator](): IterableIterator<number>;
};

/** Records that are only read; see Records. */
export type RecordsDiagnostics = {
  readonly [
    Field in Exclude<keyof Records, 'clear' | 'count' | 'islands' | 'owned' | 'held' | 'notAtRest'>
  ]: Numbers;
} & { readonly count: number; readonly islands: Islands };

/** The bodies of one peer, to be read. The arrays are the peer's own: they change with every tick. */
export class BodiesDiagnostics {
  readonly #bodies: Bodies;

  /** @param bodies of one peer, for as long as that lives. @internal */
  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Bodies in the world. */
  get count(): number {
    return this.#bodies.count;
  }

  /** The peer's records of all bodies. */
  get records(): RecordsDiagnostics {
    return this.#bodies.records;
  }

  /** The engine's motions after the last tick, STRIDE numbers a body as MOTION has them. */
  get motion(): Numbers {
    return this.#bodies.motion;
  }

  /** The poses in which bodies are drawn after the last tick, POSE_STRIDE numbers a body. */
  get drawn(): Numbers {
    return this.#bodies.drawn.poses;
  }

  /** [K1] The poses of the driven bodies after the last tick, POSE_STRIDE numbers for each. */
  get driven(): Numbers {
    return this.#bodies.driven.poses;
  }

  /** [K1.5] True if a moving driven body touches a body in this peer's engine, or what touches it, and so on. */
  isCarried(body: BodyId): boolean {
    return this.#bodies.rest.carried[body] === 1;
  }

  /** The lowest body of the contact island of a body, in this peer's engine [R2.1]. */
  contactIslandOf(body: BodyId): BodyId {
    return this.#bodies.rest.detector.island[body] as BodyId;
  }

  /** [S1] True if there is a body of this id, also before its first pose is known [S2.5]. */
  exists(body: BodyId): boolean {
    return this.#bodies.exists(body);
  }

  /** True if a body is kinematic here: in a hand of this player, or carried by another player. */
  isKinematic(body: BodyId): boolean {
    return this.#bodies.kinematic.has(body);
  }

  /** True if the engine has put a body to sleep. */
  isAsleep(body: BodyId): boolean {
    return this.#bodies.simulation.isAsleep(body);
  }
}
