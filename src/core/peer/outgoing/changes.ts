import { NO_SLOT } from '../../base/ids.ts';
import type { PeerState } from '../peer-state.ts';

/** Of a body's flags: where those of its record are, and how many times it has come to rest, as far as that fits. */
const RECORD_AT = 16;
const PLACES_AT = 21;

/**
 * Which bodies have changed since they were last looked at, in what a peer may have to say of them: once a tick
 * for all receivers. It compares instead of being told, so that no rule can forget to tell; but for where a body rests,
 * which only those count who write it. Where a moving body is does not count: that is said in any case, or not at all.
 */
export class Changes {
  /** For each body how often it has changed. */
  readonly counts: Int32Array;
  /** What was there at the last look: who has it, what is known of that and where it rests, and the sequences. */
  readonly #flags: Int32Array;
  readonly #sequences: Int32Array;
  #policy: PeerState['policy'] | null = null;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.counts = new Int32Array(count);
    this.#flags = new Int32Array(count);
    this.#sequences = new Int32Array(count);
  }

  /** Looks at all bodies; it is one loop over plain arrays, since it goes over all of a large world in every tick. */
  update({ bodies, relay, policy, self }: PeerState): void {
    const { authority, hold, confirmed, pendingCommit, resting, restPlaces } = bodies.records;
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
      const places = rests === 0 ? 0 : isRelayed ? relay.restPlaces[body] : restPlaces[body];
      const slots = (has & 0xff) | ((relay.author[body] & 0xff) << 8);
      const bits = (hold[body] << 3) | (confirmed[body] << 2) | (pendingCommit[body] << 1) | rests;
      const flags = slots | (bits << RECORD_AT) | (places << PLACES_AT);
      const sequences = (ownershipSequence[body] << 16) | authoritySequence[body];
      const isSame = flags === knownFlags[body] && sequences === knownSequences[body] && !isOther;
      if (isSame) continue;
      knownFlags[body] = flags;
      knownSequences[body] = sequences;
      counts[body]++;
    }
  }
}
