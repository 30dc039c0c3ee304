import type { BodyId, Slot } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { Claim } from '../../world/record.ts';

/** In the array: no pair of sequences. */
const NONE = -1;

/**
 * Host: for each claimant and body the sequences of the last claim that was rejected. A claim is repeated in every
 * packet, and is to be logged once.
 */
export class RejectedClaims {
  readonly #count: number;
  /** Both sequences as one number, ownership * 2^16 + authority; or NONE. */
  readonly #last: Float64Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#count = count;
    this.#last = new Float64Array(MAX_PLAYERS * count).fill(NONE);
  }

  /** Keeps a claim's sequences. Returns false if the last rejected claim of this player on the body had the same. */
  add(claim: Readonly<Claim>, body: BodyId, from: Slot): boolean {
    const at = from * this.#count + body;
    const sequences = claim.ownershipSequence * 0x10000 + claim.authoritySequence;
    const isNew = this.#last[at] !== sequences;
    this.#last[at] = sequences;
    return isNew;
  }

  /** [H6] Forgets the claims of a player that has left. */
  forget(from: Slot): void {
    this.#last.fill(NONE, from * this.#count, (from + 1) * this.#count);
  }

  /** Forgets all. */
  clear(): void {
    this.#last.fill(NONE);
  }
}
