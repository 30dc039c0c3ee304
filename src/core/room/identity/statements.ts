import type { Slot } from '../../base/ids.ts';
import type { PublicKey, RoomId, Signature } from './key.ts';

/**
 * [P2] [P4] [P5] The texts that pages sign. Each begins with its kind, so that no signature can be used for another
 * kind; a JSON list has one reading only.
 */

/** A page's part on a line: whether it has called the other page, or was called by it. */
export type LineRole = 'caller' | 'callee';

/** One end's proof of who it is. */
export type ProofStatement = {
  readonly version: number;
  /** The key of the page that signs. */
  readonly key: PublicKey;
  readonly role: LineRole;
  /** The other end's challenge. */
  readonly challenge: string;
  /** The line's channel binding (RFC 5056): the room, and the DTLS fingerprints of both ends. */
  readonly binding: string;
};

/** [P2] */
export function proofText({ version, key, role, challenge, binding }: ProofStatement): string {
  return JSON.stringify(['proof', version, key, role, challenge, binding]);
}

/** A player in a signed roster. */
export type Elector = {
  readonly slot: Slot;
  readonly key: PublicKey;
  /** It was away when the roster was signed, and has no vote. */
  readonly isAway: boolean;
};

/** [P4] The part of a roster that its host signs. */
export type RosterStatement = {
  /** [H8] The host's term. */
  readonly term: number;
  /** Counts the host's signed rosters of that term. */
  readonly epoch: number;
  readonly host: Slot;
  readonly capacity: number;
  readonly locked: boolean;
  /** Every player, by slot, the host included. */
  readonly electors: readonly Elector[];
};

/** [P4] A roster as evidence: anybody can check that its host has signed it. */
export type SignedRoster = RosterStatement & { readonly signature: Signature };

/** [P4] */
export function rosterText(room: RoomId, roster: RosterStatement): string {
  const { term, epoch, host, capacity, locked, electors } = roster;
  const players = electors.map(({ slot, key, isAway }) => [slot, key, isAway]);
  return JSON.stringify(['roster', room, term, epoch, host, capacity, locked, players]);
}

/** [P5] A guest misses the host of a term and votes for another player. */
export type VoteStatement = {
  /** [H8] The term of the host that is missed. */
  readonly term: number;
  /** The epoch of the last signed roster that the guest has. */
  readonly epoch: number;
  readonly candidate: PublicKey;
};

/** [P5] */
export function voteText(room: RoomId, { term, epoch, candidate }: VoteStatement): string {
  return JSON.stringify(['vote', room, term, epoch, candidate]);
}

/** [P5] A host hands its room over to another player. */
export type HandoverStatement = {
  /** [H8] The term of the host that signs, and the term of the next one. */
  readonly term: number;
  readonly next: number;
  readonly heir: PublicKey;
};

/** [P5] */
export function handoverText(room: RoomId, { term, next, heir }: HandoverStatement): string {
  return JSON.stringify(['handover', room, term, next, heir]);
}

/** A signature, and what it must be of. */
export type Check = { readonly key: PublicKey; readonly text: string; readonly signature: Signature };
