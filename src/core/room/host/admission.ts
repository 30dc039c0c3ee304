import type { Slot } from '../../base/ids.ts';
import type { Tenure } from './host-options.ts';
import type { Hello, Refusal } from '../messages.ts';
import { PROTOCOL_VERSION } from '../messages.ts';
import type { Guest } from './seats.ts';
import { proofOf } from './seats.ts';

/** Decides from a page's hello whether a host lets it in, and as which player. */

/** Removals that a host remembers; a player that was removed before those may come back as somebody new anyway. */
const MOST_REMOVED = 1024;

/** The proofs of the secrets whose seats won't open again. */
export class RemovedSeats {
  readonly #proofs = new Set<string>();

  get isEmpty(): boolean {
    return this.#proofs.size === 0;
  }

  has(proof: string): boolean {
    return this.#proofs.has(proof);
  }

  add(proof: string): void {
    this.#proofs.add(proof);
    const [oldest] = this.#proofs;
    if (this.#proofs.size > MOST_REMOVED) this.#proofs.delete(oldest);
  }
}

/** A host's decisions about its room. */
export type AdmissionRules = {
  readonly removed: RemovedSeats;
  /** Only players with a seat come in. */
  readonly locked: boolean;
  readonly isFull: boolean;
};

/**
 * @param known the guest to which the seat in the hello belongs; null if it has none.
 * @returns why the page may not come in; null if it may.
 */
export function refusalOf(hello: Hello, known: Guest | null, rules: AdmissionRules): Refusal | null {
  if (hello.version !== PROTOCOL_VERSION) return 'version';
  if (hello.seat !== null && rules.removed.has(proofOf(hello.seat.secret))) return 'removed';
  if (known !== null) return null;
  if (rules.locked) return 'locked';
  return rules.isFull ? 'full' : null;
}

/** True if the hello comes from a copy of the host's own tab. */
export function isOwnTab({ seat }: Hello, slot: Slot, { secret }: Tenure): boolean {
  return seat !== null && seat.slot === slot && seat.secret === secret;
}

/** True if the player was not absent in between, so that its connection goes on. */
export function keepsConnection(known: Guest, { seat }: Hello, { term }: Tenure): boolean {
  return known.line !== null && seat?.connection === known.connection && seat.term === term;
}

/** @returns a text that proves one host of a room to another, and tells a stranger nothing of the door's secret. */
export function proofOfRoom({ door }: Tenure): string {
  return proofOf(`another host of ${door}`);
}
