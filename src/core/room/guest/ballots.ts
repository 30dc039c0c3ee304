import type { Slot } from '../../base/ids.ts';
import type { PublicKey, RoomId, Signature } from '../identity/key.ts';
import type { Link, SignedVote } from '../identity/lineage.ts';
import { guestsOf, votersOf } from '../identity/lineage.ts';
import { signedRosterOf } from '../identity/roster-statement.ts';
import type { SignedRoster } from '../identity/statements.ts';
import { voteText } from '../identity/statements.ts';
import type { Voter } from '../election.ts';
import { ballotsFor } from '../election.ts';
import type { Ballot, Roster } from '../messages.ts';
import { majorityOf } from '../term.ts';

/** This guest's own vote. `signature`: null while it is being signed. */
type OwnVote = { readonly slot: Slot; readonly text: string; readonly ballot: Omit<Ballot, 'signature'> };

/**
 * [P4] [P5] A guest's evidence under one host: the host's last signed roster, which says who has a vote, and this
 * guest's own vote.
 */
export class Ballots {
  readonly #room: RoomId;
  readonly #sign: (text: string) => void;
  #roster: Roster | null = null;
  #evidence: SignedRoster | null = null;
  #vote: OwnVote | null = null;
  #signature: Signature | null = null;

  /** @param sign asks for a signature; the answer goes to `signed`. */
  constructor(room: RoomId, sign: (text: string) => void) {
    this.#room = room;
    this.#sign = sign;
  }

  /** A roster of the host has come, and its signature is valid if it has one. The newest signed one is kept. */
  receiveRoster(roster: Roster): void {
    const evidence = signedRosterOf(roster);
    if (evidence === null || (this.#evidence !== null && evidence.epoch <= this.#evidence.epoch)) return;
    this.#roster = roster;
    this.#evidence = evidence;
    // [P5.5] A vote by the roster before proves nothing with this one.
    this.#vote = null;
    this.#signature = null;
  }

  /** The last roster that the host has signed; null if there is none. */
  get roster(): Roster | null {
    return this.#roster;
  }

  /** The epoch of that roster, and the slots of the guests that have a vote; null if there is none. */
  get electorate(): { readonly epoch: number; readonly slots: readonly Slot[] } | null {
    if (this.#evidence === null) return null;
    return { epoch: this.#evidence.epoch, slots: votersOf(this.#evidence).map(({ slot }) => slot) };
  }

  /**
   * Votes for a player, or for nobody.
   * @returns the signed vote; null while it is being signed, and for nobody.
   */
  vote(slot: Slot | null, term: number): Ballot | null {
    const candidate = this.#evidence?.electors.find((elector) => elector.slot === slot)?.key;
    if (slot === null || candidate === undefined || this.#evidence === null) {
      this.#vote = null;
      return null;
    }
    const { epoch } = this.#evidence;
    const text = voteText(this.#room, { term, epoch, candidate });
    if (this.#vote?.text !== text) {
      this.#vote = { slot, text, ballot: { epoch, candidate } };
      this.#signature = null;
      this.#sign(text);
    }
    return this.ballot;
  }

  /** This guest's signed vote; null if there is none. */
  get ballot(): Ballot | null {
    if (this.#vote === null || this.#signature === null) return null;
    return { ...this.#vote.ballot, signature: this.#signature };
  }

  /** The answer to `sign`. @param signature null if it could not be signed. */
  signed(text: string, signature: Signature | null): void {
    if (this.#vote?.text === text) this.#signature = signature;
  }

  /**
   * [P5] Why this guest may be the next host.
   * @param term its own term as host.
   * @returns null if it can't prove that it was elected.
   */
  linkByVotes(self: Slot, key: PublicKey, term: number, voters: readonly Voter[]): Link | null {
    const { ballot } = this;
    const roster = this.#evidence;
    if (ballot?.candidate !== key || roster === null) return null;
    const electors = votersOf(roster).map(({ slot }) => slot);
    const others = ballotsFor({ self, term: roster.term, voters, ballot, electors });
    const votes: SignedVote[] = [{ slot: self, signature: ballot.signature }, ...others];
    // A link with more votes than it needs is not believed.
    const needed = majorityOf(electors.length);
    return { kind: 'votes', term, key, roster, votes: votes.slice(0, needed) };
  }

  /** [P7] The link of a guest that goes on without a majority; null if no signed roster has it. It may be away in it. */
  linkAlone(key: PublicKey, term: number): Link | null {
    const roster = this.#evidence;
    const isIn = roster !== null && guestsOf(roster).some((elector) => elector.key === key);
    return isIn ? { kind: 'alone', term, key, roster } : null;
  }
}
