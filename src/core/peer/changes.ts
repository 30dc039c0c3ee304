import { NO_SLOT } from '../base/ids.ts';
import { STATE, STRIDE } from '../base/state.ts';
import type { PeerState, Policy } from './peer-state.ts';

/**
 * Which bodies have changed since they were last looked at, in what a peer may have to say of them: once a tick
 * for all receivers. It compares instead of being told, so that no rule can forget to tell. Where a moving body is
 * does not count: that is said in any case, or not at all.
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

  /** Looks at all bodies; it is one loop over plain arrays, since it goes over all of a large world in every tick. */
  update({ bodies, relay, policy, self }: PeerState): void {
    const { authority, hold, confirmed, pendingCommit, resting, state } = bodies.records;
    const { ownershipSequence, authoritySequence } = bodies.records;
    const counts = this.counts;
    const knownFlags = this.#flags;
    const knownSequences = this.#sequences;
    const isOther = this.#policy !== policy;
    this.#policy = policy;
    for (let body = 0; body < counts.length; body++) {
      const has = authority[body];
      const isRelayed = policy.isHost && has !== NO_SLOT && has !== self;
      const rests = isRelayed ? relay.resting[body] : resting[body];
      const slots = (has & 0xff) | ((relay.author[body] & 0xff) << 8);
      const bits = (hold[body] << 3) | (confirmed[body] << 2) | (pendingCommit[body] << 1) | rests;
      const flags = slots | (bits << 16);
      const sequences = (ownershipSequence[body] << 16) | authoritySequence[body];
      const isSame = flags === knownFlags[body] && sequences === knownSequences[body] && !isOther;
      knownFlags[body] = flags;
      knownSequences[body] = sequences;
      const isThere = rests === 0 || this.#keepPose(isRelayed ? relay.state : state, body);
      if (!isSame || !isThere) counts[body]++;
    }
  }

  /** True if a body rests where it did. */
  #keepPose(state: Int32Array, body: number): boolean {
    const poses = this.#poses;
    const from = body * STRIDE;
    const to = body * STATE.linear;
    let isSame = true;
    for (let i = 0; i < STATE.linear; i++) {
      if (state[from + i] === poses[to + i]) continue;
      poses[to + i] = state[from + i];
      isSame = false;
    }
    return isSame;
  }
}
