import type { Slot } from '../base/ids.ts';
import type { Tenure } from './host-options.ts';
import type { Hello, Refusal } from './messages.ts';
import { PROTOCOL_VERSION } from './messages.ts';
import type { Guest } from './seats.ts';
import { proofOf } from './seats.ts';

/** Whom a host lets in, and as whom: from what a page says in its hello. */

/** What a host has decided of its room; `removed` has the proofs of the secrets whose seats won't open again. */
export type AdmissionRules = {
  readonly removed: ReadonlySet<string>;
  readonly locked: boolean;
  readonly isFull: boolean;
};

/** Why somebody may not come in; null for who may. @param known whose seat it is, if it has one. */
export function refusalOf(hello: Hello, known: Guest | null, rules: AdmissionRules): Refusal | null {
  if (hello.version !== PROTOCOL_VERSION) return 'version';
  if (hello.seat !== null && rules.removed.has(proofOf(hello.seat.secret))) return 'removed';
  if (known !== null) return null;
  if (rules.locked) return 'locked';
  return rules.isFull ? 'full' : null;
}

/** True if it is the host's own tab once more. */
export function isOwnTab({ seat }: Hello, slot: Slot, { secret }: Tenure): boolean {
  return seat !== null && seat.slot === slot && seat.secret === secret;
}

/** True for a player whom nobody has missed: its connection goes on. */
export function keepsConnection(known: Guest, { seat }: Hello, { term }: Tenure): boolean {
  return known.line !== null && seat?.connection === known.connection && seat.term === term;
}

/** What tells one host of a room from another that it is of the same, and tells a stranger nothing of the door. */
export function proofOfRoom({ door }: Tenure): string {
  return proofOf(`another host of ${door}`);
}
