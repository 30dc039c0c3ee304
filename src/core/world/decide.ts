import type { Sequence, Slot } from '../base/ids.ts';
import { NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { ahead, newer } from '../base/sequence.ts';
import type { Claim } from './record.ts';

/**
 * Whose claim on a body stands. Pure: from the record of the one who listens, the claim, and who speaks,
 * to one of a few outcomes; PROTOCOL.md has the rules in words. The host decides what guests say, and
 * guests decide what the host says; nobody else is heard.
 */
export type Verdict =
  /** The claim does not stand; the record stays. */
  | 'reject'
  /** The record becomes the claim, and the speaker's state with it. */
  | 'accept'
  /** The record takes the claim's sequences; the listener keeps its own state, and what it holds. */
  | 'confirm'
  /** [H2] Rejected, since another player holds the body; [H3] the host moves its sequence past the claim's. */
  | 'override';

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
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'H5'
  | 'H6'
  | 'H8';

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
const override = { verdict: 'override', rule: 'H3' } as const;

/** What the host knows of a body, beyond its claim. */
export type HostRecord = Readonly<Claim> & { readonly acceptedOwnership: Sequence };

/**
 * The host hears a guest.
 * @param mostLead [H5] how far the claim's sequences may run ahead.
 */
export function decideAsHost(
  local: HostRecord,
  incoming: Readonly<Claim>,
  speaker: Slot,
  mostLead: number,
): Decision {
  if (incoming.authority !== speaker && incoming.authority !== NO_SLOT) return reject.H1;
  const ownership = knownOwnership(local, incoming, speaker);
  if (isOlder(ownership, local.ownershipSequence)) return reject.A1;
  const newerOwnership = ownership !== local.ownershipSequence;
  if (!newerOwnership && isOlder(incoming.authoritySequence, local.authoritySequence)) return reject.A2;
  if (leadOf(local, incoming, speaker) > mostLead) return reject.H5;

  const equal = !newerOwnership && incoming.authoritySequence === local.authoritySequence;
  if (equal) {
    const theirs = local.authority === speaker && incoming.authority === speaker;
    return theirs ? accept.A4 : reject.A4;
  }
  if (local.hold !== NOT_HELD && local.authority !== speaker) return override;
  if (incoming.authority === NO_SLOT && local.authority !== speaker) return reject.H1;
  // The avatar that opened its hand was lost, which is nobody's fault.
  if (incoming.authority === NO_SLOT && local.hold !== NOT_HELD) return reject.A7;
  return newerOwnership ? accept.A1 : accept.A2;
}

/** A guest hears the host. `stale`: the guest is to adopt the host's word whole [H8]. */
export function decideAsGuest(
  local: Readonly<Claim>,
  word: Readonly<Claim>,
  self: Slot,
  stale: boolean,
): Decision {
  if (stale) return accept.H8;
  if (isOlder(word.ownershipSequence, local.ownershipSequence)) return reject.A1;
  const newerOwnership = word.ownershipSequence !== local.ownershipSequence;
  if (!newerOwnership && isOlder(word.authoritySequence, local.authoritySequence)) return reject.A2;
  const equal = !newerOwnership && word.authoritySequence === local.authoritySequence;

  if (word.authority === self) {
    if (local.authority !== self) return accept.H4;
    return equal ? confirm.A3 : confirm.H4;
  }
  if (!equal) return newerOwnership ? accept.A1 : accept.A2;
  return word.authority === NO_SLOT && local.authority === self ? reject.A3 : accept.A3;
}

/**
 * [H3] The host may have moved its ownership sequence past a claim that it refused. Whoever has the body
 * still speaks by the sequence at which it was accepted, and is heard as if it knew the newer one.
 */
function knownOwnership(local: HostRecord, incoming: Readonly<Claim>, speaker: Slot): Sequence {
  const said = incoming.ownershipSequence;
  if (local.authority !== speaker) return said;
  const behind = ahead(local.ownershipSequence, said);
  const moved = ahead(local.ownershipSequence, local.acceptedOwnership);
  return behind >= 0 && behind <= moved ? local.ownershipSequence : said;
}

function isOlder(a: Sequence, b: Sequence): boolean {
  return a !== b && !newer(a, b);
}

/** [H5] How far a claim's sequences run ahead; a new ownership starts its authority sequence at 0. */
export function leadOf(local: HostRecord, incoming: Readonly<Claim>, speaker: Slot): number {
  const ownershipLead = ahead(knownOwnership(local, incoming, speaker), local.ownershipSequence);
  const authorityLead =
    ownershipLead > 0
      ? incoming.authoritySequence
      : ahead(incoming.authoritySequence, local.authoritySequence);
  return Math.max(ownershipLead, authorityLead);
}
