import { NO_SLOT } from '../base/ids.ts';
import { STATE, STRIDE } from '../base/state.ts';
import type { PeerState, Policy } from './peer-state.ts';

/**
 * Which bodies have changed since they were last looked at, in what a peer may have to say of them: once a tick
 * for all receivers. It compares instead of being told, so that no rule can forget to tell. What moves counts as
 * changed.
 */
export class Changes {
  /** For each body how often it has changed. */
  readonly counts: Int32Array;
  /** What was there at the last look: who has it and what is known of that, the sequences, and the rest pose. */
  readonly #flags: Int32Array;
  readonly #sequences: Int32Array;
  readonly #poses: Int32Array;
  #policy: Policy | null = null;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.counts = new Int32Array(count);
    this.#flags = new Int32Array(count);
    this.#sequences = new Int32Array(count);
    this.#poses = new Int32Array(count * STATE.linear);
  }

  /** Looks at all bodies. */
  update(peer: PeerState): void {
    const { records } = peer.bodies;
    const others = this.#policy !== peer.policy;
    this.#policy = peer.policy;
    for (let body = 0; body < this.counts.length; body++) {
      const { authority } = records;
      const isRelayed = peer.policy.isHost && authority[body] !== NO_SLOT && authority[body] !== peer.self;
      const { resting, state } = isRelayed ? peer.relay : records;
      const isSame = this.#keepClaim(peer, body, resting[body]) && resting[body] === 1;
      if (!isSame || !this.#keepPose(state, body) || others) this.counts[body]++;
    }
  }

  /** True if all that is known of a body but its pose is as it was. */
  #keepClaim({ bodies, relay }: PeerState, body: number, resting: number): boolean {
    const { authority, hold, confirmed, pendingCommit, ownershipSequence, authoritySequence } =
      bodies.records;
    const slots = (authority[body] & 0xff) | ((relay.author[body] & 0xff) << 8);
    const bits = (hold[body] << 3) | (confirmed[body] << 2) | (pendingCommit[body] << 1) | resting;
    const flags = slots | (bits << 16);
    const sequences = (ownershipSequence[body] << 16) | authoritySequence[body];
    if (flags === this.#flags[body] && sequences === this.#sequences[body]) return true;
    this.#flags[body] = flags;
    this.#sequences[body] = sequences;
    return false;
  }

  /** True if a body rests where it did. */
  #keepPose(state: Int32Array, body: number): boolean {
    const from = body * STRIDE;
    const to = body * STATE.linear;
    let isSame = true;
    for (let i = 0; i < STATE.linear; i++) {
      if (state[from + i] === this.#poses[to + i]) continue;
      this.#poses[to + i] = state[from + i];
      isSame = false;
    }
    return isSame;
  }
}
