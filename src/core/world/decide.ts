import type { Sequence, Slot } from '../base/ids.ts';
import { NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { ahead, newer } from '../base/sequence.ts';
import type { Claim } from './record.ts';

/**
 * The decision on a claim or a ruling: a pure function from the receiver's record, the claim, and its sender to one of
 * five verdicts. PROTOCOL.md has the rules in words. The host decides guests' claims, and a guest decides the host's
 * rulings; no others are received.
 */
export type Verdict =
  /** The claim is rejected; the record stays. */
  | 'reject'
  /** The record takes over the claim, and the sender's state with it. */
  | 'accept'
  /** The record takes over the ruling's sequences; the guest keeps its own state and hold. */
  | 'confirm'
  /**
   * Rejected, since [H2] another player holds the body, or [A4.2] the host has it under nobody by the same numbers; [H3] the
   * host moves its sequence past the claim's.
   */
  | 'override'
  /** [S2] Rejected, since the guest may not spawn the body: the host moves past the claim, and says why. */
  | 'refuse';

/** The rule by which a decision was made, as PROTOCOL.md marks it. */
export type Rule =
  | 'A1'
  | 'A2'
  | 'A3'
  | 'A4'
  | 'A5'
  | 'A6'
  | 'A7'
  | 'A8'
  | 'A9'
  | 'A11'
  | 'A12'
  | 'A13'
  | 'A14'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'H5'
  | 'H6'
  | 'H8'
  | 'J3'
  | 'J4'
  | 'J6'
  | 'S2'
  | 'S3'
  | 'S4';

/** A verdict and the rule behind it. The objects are constants: compare and read them, never change them. */
export type Decision = { readonly verdict: Verdict; readonly rule: Rule };

const reject = {
  A1: { verdict: 'reject', rule: 'A1' },
  A2: { verdict: 'reject', rule: 'A2' },
  A3: { verdict: 'reject', rule: 'A3' },
  A4: { verdict: 'reject', rule: 'A4' },
  A7: { verdict: 'reject', rule: 'A7' },
  H1: { verdict: 'reject', rule: 'H1' },
  H5: { verdict: 'reject', rule: 'H5' },
} as const;
const accept = {
  A1: { verdict: 'accept', rule: 'A1' },
  A2: { verdict: 'accept', rule: 'A2' },
  A3: { verdict: 'accept', rule: 'A3' },
  A4: { verdict: 'accept', rule: 'A4' },
  H4: { verdict: 'accept', rule: 'H4' },
  H8: { verdict: 'accept', rule: 'H8' },
} as const;
const confirm = { A3: { verdict: 'confirm', rule: 'A3' }, H4: { verdict: 'confirm', rule: 'H4' } } as const;
const override = {
  A4: { verdict: 'override', rule: 'A4' },
  H3: { verdict: 'override', rule: 'H3' },
} as const;

/** The host's record of a body, as far as decisions need it. */
export type HostRecord = Readonly<Claim> & { readonly acceptedOwnership: Sequence };

/**
 * Decides a guest's claim on the host.
 * @param sender the guest.
 * @param mostLead [H5] how far the claim's sequences may run ahead: see SequenceBudget.left.
 */
export function decideAsHost(
  local: HostRecord,
  incoming: Readonly<Claim>,
  sender: Slot,
  mostLead: number,
): Decision {
  if (incoming.authority !== sender && incoming.authority !== NO_SLOT) return reject.H1;
  const ownership = knownOwnership(local, incoming, sender);
  if (isOlder(ownership, local.ownershipSequence)) return reject.A1;
  const newerOwnership = ownership !== local.ownershipSequence;
  if (!newerOwnership && isOlder(incoming.authoritySequence, local.authoritySequence)) return reject.A2;
  if (leadOf(local, incoming, sender) > mostLead) return reject.H5;

  const equal = !newerOwnership && incoming.authoritySequence === local.authoritySequence;
  if (equal) {
    if (incoming.authority === NO_SLOT) return reject.A4;
    if (local.authority === NO_SLOT) return override.A4;
    return local.authority === sender ? accept.A4 : reject.A4;
  }
  if (local.hold !== NOT_HELD && local.authority !== sender) return override.H3;
  if (incoming.authority === NO_SLOT && local.authority !== sender) return reject.H1;
  // The packet with the avatar that opened its hand was lost: the guest is not to blame.
  if (incoming.authority === NO_SLOT && local.hold !== NOT_HELD) return reject.A7;
  return newerOwnership ? accept.A1 : accept.A2;
}

/**
 * Decides the host's ruling on a guest.
 * @param self the guest's slot.
 * @param stale true if the guest has to take over the ruling whole [H8].
 */
export function decideAsGuest(
  local: Readonly<Claim>,
  ruling: Readonly<Claim>,
  self: Slot,
  stale: boolean,
): Decision {
  if (stale) return accept.H8;
  if (isOlder(ruling.ownershipSequence, local.ownershipSequence)) return reject.A1;
  const newerOwnership = ruling.ownershipSequence !== local.ownershipSequence;
  if (!newerOwnership && isOlder(ruling.authoritySequence, local.authoritySequence)) return reject.A2;
  const equal = !newerOwnership && ruling.authoritySequence === local.authoritySequence;

  if (ruling.authority === self) {
    if (local.authority !== self) return accept.H4;
    return equal ? confirm.A3 : confirm.H4;
  }
  if (!equal) return newerOwnership ? accept.A1 : accept.A2;
  return ruling.authority === NO_SLOT && local.authority === self ? reject.A3 : accept.A3;
}

/**
 * [H3] The host may have moved its ownership sequence past a claim that it rejected. The player that has authority
 * still claims with the sequence at which it was accepted, and is treated as if it knew the newer one.
 */
function knownOwnership(local: HostRecord, incoming: Readonly<Claim>, sender: Slot): Sequence {
  const claimed = incoming.ownershipSequence;
  if (local.authority !== sender) return claimed;
  const behind = ahead(local.ownershipSequence, claimed);
  const moved = ahead(local.ownershipSequence, local.acceptedOwnership);
  return behind >= 0 && behind <= moved ? local.ownershipSequence : claimed;
}

function isOlder(a: Sequence, b: Sequence): boolean {
  return a !== b && !newer(a, b);
}

/** [H5] How far a claim's sequences run ahead of the record's; a new ownership starts its authority sequence at 0. */
export function leadOf(local: HostRecord, incoming: Readonly<Claim>, sender: Slot): number {
  const ownershipLead = ahead(knownOwnership(local, incoming, sender), local.ownershipSequence);
  const authorityLead =
    ownershipLead > 0
      ? incoming.authoritySequence
      : ahead(incoming.authoritySequence, local.authoritySequence);
  return Math.max(ownershipLead, authorityLead);
}
