import type { BodyId } from '../../base/ids.ts';
import { RIGHT } from '../../base/ids.ts';
import { grab, mayGrab, release, take } from '../../world/authority.ts';
import type { PeerState } from '../peer-state.ts';

/** Moves bodies of one peer without a hand: for benches, and for the lab, which has its own law of pulling a cube. */
export class BodyDriver {
  readonly #state: PeerState;

  /** @param state of one peer, for as long as that lives. */
  constructor(state: PeerState) {
    this.#state = state;
  }

  /** True if the peer has authority over a body. */
  has(body: BodyId): boolean {
    return this.#state.bodies.records.authority[body] === this.#state.self;
  }

  /** [A5] Takes authority over a body, as by contact. */
  take(body: BodyId): void {
    const { self, policy, bodies } = this.#state;
    take(bodies.records, body, self, policy.isHost);
    bodies.startSimulating(body);
  }

  /** [A6], [A7] Takes a body as a hand does that grabs it and lets go at once. @returns false if it may not. */
  grab(body: BodyId): boolean {
    const { self, policy, bodies } = this.#state;
    if (!mayGrab(bodies.records, body, self)) return false;
    grab(bodies.records, body, self, RIGHT, policy.isHost);
    release(bodies.records, body);
    bodies.startSimulating(body);
    return true;
  }

  /** Wakes a body, in the record and in the engine. */
  wake(body: BodyId): void {
    this.#state.bodies.rest.wakeRecord(body);
    this.#state.bodies.rest.disturb(body);
  }

  /** The engine's motions, STRIDE numbers a body. A body that is changed here must be recorded. */
  get motion(): Float32Array {
    return this.#state.bodies.motion;
  }

  /** A body's motion was changed: its record and the engine follow. */
  record(body: BodyId): void {
    this.#state.bodies.engine.quantise(body);
    this.#state.bodies.engine.write(body);
  }
}
