import type { Slot } from '../../base/ids.ts';
import type { Survivor, Vacancy, Voter } from '../election.ts';
import {
  hostToFollow,
  hostToReturnTo,
  isElected,
  isHostHeard,
  isHostHeardByMost,
  lowestThatMisses,
  voteOf,
} from '../election.ts';
import type { Signature } from '../identity/key.ts';
import type { Home, HostBye, Roster } from '../messages.ts';
import type { LineFailure } from '../line.ts';
import { AWAY_AFTER_MS } from '../silence.ts';
import type { Ballots } from './ballots.ts';
import type { StandbyLines } from './standby.ts';

/** Milliseconds that the player named by the leaving host has to become host. */
const NEXT_WITHIN_MS = 2500;
/** Milliseconds in which a line to the new host opens after the last host stepped down. It may take some attempts. */
const ANSWERS_WITHIN_MS = 6000;
/** Milliseconds of silence after which a guest goes on without a majority, whatever others say. */
const GOES_ON_AFTER_MS = 20_000;
/** Milliseconds for which a guest waits for another player in all: whoever is not host by then does not want to be. */
const LEADS_WITHIN_MS = 5000;
/** Milliseconds of silence after which such a player does not keep others from going on without a majority. */
const PASSED_OVER_AFTER_MS = GOES_ON_AFTER_MS + LEADS_WITHIN_MS;

/** The situation of a guest in one tick. */
export type Situation = {
  readonly self: Slot;
  /** The term of its host. */
  readonly term: number;
  /** The last host with a majority; null if its host has one. */
  readonly home: Home | null;
  readonly roster: Roster;
  /** It misses its host: nothing has come for LOST_AFTER_MS, there is no line, or the host has left. */
  readonly missesHost: boolean;
  /** Milliseconds since the host's last packet. */
  readonly silentMs: number;
  /** Why the last attempt to reach the host at the room's door failed. */
  readonly failure: LineFailure;
  /** This guest's evidence: who has a vote, and its own signed vote. */
  readonly ballots: Ballots;
};

/** A guest's decision in one tick. */
export type Decision =
  | { readonly kind: 'stay'; readonly vote: Slot | null }
  | { readonly kind: 'follow'; readonly host: Slot }
  /** The host before has handed the room over. */
  | {
      readonly kind: 'become host';
      readonly by: 'handover';
      readonly handover: Signature;
      readonly home: Home | null;
    }
  /** A majority has chosen this guest. */
  | { readonly kind: 'become host'; readonly by: 'votes'; readonly home: null }
  /** There is no majority. `home`: the last host that had one. */
  | { readonly kind: 'become host'; readonly by: 'alone'; readonly home: Home };

/** The host has said goodbye, and named the next host if it knew one. */
type Farewell = Pick<HostBye, 'next' | 'handover' | 'stays'> & { agoMs: number };

/** [F4] Decides what a guest does about its host's absence: it waits, votes, follows another host, or becomes host. */
export class Succession {
  readonly #standby: StandbyLines;
  /** Players that say they are host, and did not let this guest in. */
  readonly #failed = new Set<Slot>();
  /** For how many milliseconds this guest has waited for other players to become host, since it misses its host. */
  readonly #waitedMs = new Map<Slot, number>();
  #farewell: Farewell | null = null;
  #vote: Slot | null = null;
  #followed: Slot | null = null;

  constructor(standby: StandbyLines) {
    this.#standby = standby;
  }

  /** True once the host has said that it leaves. */
  get hasLeft(): boolean {
    return this.#farewell !== null;
  }

  /** [F4.32] The slot of the player to which the host has handed the room over; null if it has not. */
  get heir(): Slot | null {
    return this.#farewell === null || this.#farewell.handover === null ? null : this.#farewell.next;
  }

  /** [F4.26] The slot of the player that the host has named as it left or stepped down; null if it has named nobody. */
  get named(): Slot | null {
    return this.#farewell?.next ?? null;
  }

  /** [F4.35] True if the host comes to its heir with its world. */
  get hostStays(): boolean {
    return this.#farewell?.stays === true;
  }

  /**
   * The host has said goodbye. `next`: the slot of the host that it named; null if it named nobody. `handover`: its
   * signature for that; null if it has none, as for a host that is there already.
   */
  hostLeaves({ next, handover, stays }: HostBye): void {
    // A host that says it again and again does not hold its guests up.
    const agoMs = this.#farewell?.agoMs ?? 0;
    this.#farewell = { next, handover, ...(stays === true ? { stays } : {}), agoMs };
    if (next !== null && handover === null) this.#standby.expect(next);
  }

  /** A newer host did not let this guest in: the guest follows it no more. */
  notLetIn(host: Slot): void {
    this.#failed.add(host);
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick.
   */
  decide(step: number, at: Situation): Decision {
    const decision = this.#decide(step, at);
    this.#followed = decision.kind === 'follow' ? decision.host : null;
    if (decision.kind === 'stay') this.#vote = decision.vote;
    this.#countWait(step, at);
    return decision;
  }

  /**
   * Counts for how long this guest has waited for another player to become host. It waits for the player that has its
   * vote; after a long silence, for the lowest slot that misses the host.
   */
  #countWait(step: number, { self, term, missesHost, silentMs }: Situation): void {
    if (!missesHost) this.#waitedMs.clear();
    const voters = this.#standby.voters();
    const first = silentMs >= GOES_ON_AFTER_MS ? lowestThatMisses({ self, term, voters }) : this.#vote;
    if (missesHost && first !== null && first !== self)
      this.#waitedMs.set(first, (this.#waitedMs.get(first) ?? 0) + step);
  }

  /** Returns the vacancy without the players that this guest waited for in vain. */
  #withoutPassedOver(vacancy: Vacancy): Vacancy {
    const isPassedOver = (slot: Slot): boolean => (this.#waitedMs.get(slot) ?? 0) >= LEADS_WITHIN_MS;
    return { ...vacancy, voters: vacancy.voters.filter(({ slot }) => !isPassedOver(slot)) };
  }

  /**
   * The slot for which this guest votes; null for none. While it follows a host that has not let it in yet, it votes
   * for that host: otherwise the others would find that the host has no majority, and turn back from it. In its own
   * decisions this vote does not count: else it would go on following on one liar's word.
   */
  get vote(): Slot | null {
    return this.#followed ?? this.#vote;
  }

  #decide(step: number, at: Situation): Decision {
    const { self, term, roster } = at;
    const next = this.#named(step);
    const voters = this.#standby.voters().filter(({ standing }) => !this.#failed.has(standing.host));
    const home = homeOf(at);
    // This comes first: on its way back to that host the guest hears no host.
    const back = hostToReturnTo({ term, home, voters });
    if (back !== null && back !== self) return { kind: 'follow', host: back };
    if (!at.missesHost) return { kind: 'stay', vote: home?.host ?? null };
    const handover = this.#farewell?.handover ?? null;
    if (next === self && handover !== null)
      return { kind: 'become host', by: 'handover', handover, home: at.home };
    const others = this.#standby.othersOf(roster, self);
    const { ballot, electorate } = at.ballots;
    const electors = electorate?.slots ?? null;
    const vacancy: Vacancy = { self, term, others, voters, vote: this.#vote, ballot, electors };
    const host = hostToFollow({ ...vacancy, next, hasWaited: hasWaited(at, vacancy) });
    if (host !== null && host !== self) return { kind: 'follow', host };
    if (next !== null && next !== self && this.#isSentTo(next, voters)) return { kind: 'follow', host: next };
    // The named player has its time first.
    if (next !== null && next !== self) return { kind: 'stay', vote: next };
    const choice = this.#withoutPassedOver(vacancy);
    if (isElected(choice)) return { kind: 'become host', by: 'votes', home: null };
    if (goesOnAlone(at, at.silentMs >= PASSED_OVER_AFTER_MS ? choice : vacancy))
      return { kind: 'become host', by: 'alone', home: at.home ?? { host: roster.host, term } };
    return { kind: 'stay', vote: voteOf(choice) };
  }

  /** The player that the host has named, as long as its time lasts; else null. */
  #named(step: number): Slot | null {
    if (this.#farewell === null) return null;
    this.#farewell.agoMs += step;
    const { next, handover, agoMs } = this.#farewell;
    return agoMs > (handover === null ? ANSWERS_WITHIN_MS : NEXT_WITHIN_MS) ? null : next;
  }

  /** [F4.23] The host has stepped down for this player, of whom nothing is known but that its line is open. */
  #isSentTo(next: Slot, voters: readonly Voter[]): boolean {
    if (this.#farewell?.handover !== null || this.#failed.has(next)) return false;
    return this.#standby.lineTo(next) !== null && !voters.some(({ slot }) => slot === next);
  }
}

/** The last host with a majority, as long as its slot waits for it: else somebody else may have the slot. */
function homeOf({ home, roster }: Situation): Survivor['home'] {
  const player = roster.players.find(({ slot }) => slot === home?.host);
  return player?.presence === 'away' ? home : null;
}

/**
 * True if a guest follows any player that says that it is host: its own host has been silent for GOES_ON_AFTER_MS; or
 * for AWAY_AFTER_MS, and no player that it hears says that it hears that host.
 */
function hasWaited({ silentMs }: Situation, vacancy: Vacancy): boolean {
  return silentMs >= GOES_ON_AFTER_MS || (silentMs >= AWAY_AFTER_MS && !isHostHeard(vacancy));
}

/**
 * True for a guest that becomes host without a majority: it has the lowest slot of all that it hears to miss their
 * host, and it is not just itself that is cut off, as far as it can know.
 */
function goesOnAlone({ failure, silentMs }: Situation, vacancy: Vacancy): boolean {
  if (lowestThatMisses(vacancy) !== vacancy.self) return false;
  const isAlone = vacancy.others.length === 0;
  const isAbsent = silentMs >= AWAY_AFTER_MS;
  if (isHostHeardByMost(vacancy)) return false;
  const isNobodyThere = failure === 'not found' || failure === 'no broker' || failure === 'no answer';
  if (silentMs >= GOES_ON_AFTER_MS) return isAlone || isNobodyThere || vacancy.voters.length > 0;
  if (isHostHeard(vacancy)) return false;
  return failure === 'not found' ? isAlone || isAbsent : isAlone && isAbsent;
}
