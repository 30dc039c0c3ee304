import { DEDICATED_SLOT } from '../../base/constants.ts';
import type { Slot } from '../../base/ids.ts';
import { sha256 } from '../../base/sha256.ts';
import { isNewerTerm, majorityOf, nextTerm, slotOfTerm } from '../term.ts';
import type { PublicKey, RoomId, Signature } from './key.ts';
import type { Check, Elector, SignedRoster } from './statements.ts';
import { handoverText, rosterText, voteText } from './statements.ts';

/** The parts that a lineage can have: with more it would not fit a message. A longer one begins anew. */
export const MAX_PARTS = 56;
/** The parts of a change of host with a roster, which is as long as so many handovers. */
export const PARTS_OF_ROSTER = 8;

/** A guest's signed vote. */
export type SignedVote = { readonly slot: Slot; readonly signature: Signature };

/** [P5] One change of host: the next host, its term, and why it may be host. */
export type Link =
  /** The host before has signed that it hands the room over. */
  | {
      readonly kind: 'handover';
      readonly term: number;
      readonly key: PublicKey;
      readonly signature: Signature;
    }
  /** A majority of the guests has signed that it misses the host before. */
  | {
      readonly kind: 'votes';
      readonly term: number;
      readonly key: PublicKey;
      readonly roster: SignedRoster;
      readonly votes: readonly SignedVote[];
    }
  /** [P7] No majority was left. The host before had let this player in; more is not known. */
  | {
      readonly kind: 'alone';
      readonly term: number;
      readonly key: PublicKey;
      readonly roster: SignedRoster;
    };

/** [P5] A room's hosts, from its founder to the present one; anybody can check it. */
export type Lineage = {
  readonly founder: PublicKey;
  /** A random text of the founder: its next room has another id. */
  readonly salt: string;
  /** [H8] The founder's term. */
  readonly term: number;
  readonly links: readonly Link[];
};

/** A host and its term. */
export type Reign = { readonly term: number; readonly key: PublicKey };

/** @returns a room that begins with this founder. */
export function newLineage(founder: PublicKey, salt: string, term = 0): Lineage {
  return { founder, salt, term, links: [] };
}

/** @returns the lineage with one more change of host; one that begins anew with that host, if it would be too long. */
export function extended(lineage: Lineage, link: Link): Lineage {
  const { founder, salt, term } = lineage;
  const links = [...lineage.links, link];
  return partsOf(links) > MAX_PARTS ? newLineage(link.key, salt, link.term) : { founder, salt, term, links };
}

/** @returns the parts of these changes of host: a handover is one, any other change PARTS_OF_ROSTER. */
export function partsOf(links: readonly Link[]): number {
  return links.reduce((sum, { kind }) => sum + (kind === 'handover' ? 1 : PARTS_OF_ROSTER), 0);
}

/** The ids that were worked out: a page asks for its room's id at every message. */
const roomIds = new WeakMap<Lineage, RoomId>();

/** [P3] @returns the short hash of the founder: it names the room in links and in every signed text. */
export function roomIdOf(lineage: Lineage): RoomId {
  const known = roomIds.get(lineage);
  if (known !== undefined) return known;
  const { founder, salt, term } = lineage;
  const id = sha256(JSON.stringify(['room', founder, salt, term])).slice(0, 20) as RoomId;
  roomIds.set(lineage, id);
  return id;
}

/** @returns the present host. */
export function reignOf({ founder, term, links }: Lineage): Reign {
  return links.at(-1) ?? { term, key: founder };
}

/** @returns the guests of a signed roster, those away included. */
export function guestsOf({ host, electors }: Pick<SignedRoster, 'host' | 'electors'>): Elector[] {
  return electors.filter(({ slot }) => slot !== host);
}

/** @returns the guests of a signed roster that have a vote. */
export function votersOf(roster: Pick<SignedRoster, 'host' | 'electors'>): Elector[] {
  return guestsOf(roster).filter(({ isAway }) => !isAway);
}

/** @returns the keys of all hosts, from the founder to the present one; a key that was host twice is there twice. */
export function hostsOf({ founder, links }: Lineage): PublicKey[] {
  return [founder, ...links.map(({ key }) => key)];
}

/** [N3.6] @returns the key of the last host in the slot of a dedicated host; null if none was, or if it is the founder. */
export function formerDedicatedHost({ founder, links }: Lineage): PublicKey | null {
  const key = links.findLast(({ term }) => slotOfTerm(term) === DEDICATED_SLOT)?.key ?? null;
  return key === founder ? null : key;
}

/** True for the key of a player of the room by this evidence: it was host, or in the roster of one. */
export function hasPlayer({ founder, links }: Lineage, key: PublicKey): boolean {
  const isIn = (link: Link): boolean =>
    link.key === key ||
    (link.kind !== 'handover' && link.roster.electors.some((elector) => elector.key === key));
  return founder === key || links.some(isIn);
}

/** The slot that a player has by this evidence, in the newest roster that has it; null if there is none. */
export function slotIn({ links }: Lineage, key: PublicKey): Slot | null {
  const rosters = links.flatMap((link) => (link.kind === 'handover' ? [] : [link.roster]));
  const electors = rosters.reverse().flatMap((roster) => roster.electors);
  return electors.find((elector) => elector.key === key)?.slot ?? null;
}

/**
 * [P5] The signatures that must be valid for a lineage to be true.
 * @returns null if it can't be true, whatever the signatures are.
 */
export function checksOf(lineage: Lineage): Check[] | null {
  const room = roomIdOf(lineage);
  const checks: Check[] = [];
  let before: Reign = { term: lineage.term, key: lineage.founder };
  for (const link of lineage.links) {
    const found = checksOfLink(room, before, link);
    if (found === null) return null;
    checks.push(...found);
    before = link;
  }
  return checks;
}

function checksOfLink(room: RoomId, before: Reign, link: Link): Check[] | null {
  const { term, key } = link;
  if (!isNewerTerm(term, before.term)) return null;
  if (link.kind === 'handover') {
    const text = handoverText(room, { term: before.term, next: term, heir: key });
    return [{ key: before.key, text, signature: link.signature }];
  }
  const { roster } = link;
  // [P7] One alone may have been taken for away: it had been let in all the same.
  const mayLead = link.kind === 'alone' ? guestsOf(roster) : votersOf(roster);
  const heir = mayLead.find((elector) => elector.key === key);
  if (heir === undefined || roster.term !== before.term || nextTerm(roster.term, heir.slot) !== term)
    return null;
  // One player is one vote.
  if (new Set(roster.electors.map((elector) => elector.key)).size < roster.electors.length) return null;
  // [F1.6] Otherwise the lineage could be longer than a host can send on.
  if (!roster.electors.some(({ slot, key: other }) => slot === roster.host && other === before.key))
    return null;
  const signed = { key: before.key, text: rosterText(room, roster), signature: roster.signature };
  if (link.kind === 'alone') return [signed];
  const votes = checksOfVotes(room, roster, link);
  return votes === null ? null : [signed, ...votes];
}

function checksOfVotes(
  room: RoomId,
  roster: SignedRoster,
  { key, votes }: Extract<Link, { kind: 'votes' }>,
): Check[] | null {
  const voters = votersOf(roster);
  const slots = new Set(votes.map(({ slot }) => slot));
  // [F1.6] Neither fewer nor more: a lineage must not be longer than a host can send on.
  if (slots.size !== votes.length || votes.length !== majorityOf(voters.length)) return null;
  const text = voteText(room, { term: roster.term, epoch: roster.epoch, candidate: key });
  const checks: Check[] = [];
  for (const { slot, signature } of votes) {
    const voter = voters.find((elector) => elector.slot === slot);
    if (voter === undefined) return null;
    checks.push({ key: voter.key, text, signature });
  }
  return checks;
}

/** How another lineage stands to this page's own. See `relationOf`. */
export type Relation = 'same' | 'successor' | 'home' | 'stronger' | 'weaker' | 'other room';

/**
 * [P6] [P7] How the host of one lineage stands to the host of another.
 * @returns `same`: it is the same host. `successor`: it followed by handovers and votes only. `home`: this page's own
 * host went on without a majority, and the other is the host before it. `stronger`: the two have parted, and the other
 * has had a majority for more changes of host since then. `weaker`: any other host of the room.
 */
export function relationOf(other: Lineage, own: Lineage): Relation {
  if (roomIdOf(other) !== roomIdOf(own)) return 'other room';
  const ours = linksSince(own, other);
  const theirs = linksSince(other, own);
  if (ours.length === 0 && theirs.length === 0) return 'same';
  if (ours.length === 0) return theirs.some(({ kind }) => kind === 'alone') ? 'weaker' : 'successor';
  const ownChanges = changesWithMajority(ours);
  if (theirs.length === 0) return ownChanges === 0 ? 'home' : 'weaker';
  return changesWithMajority(theirs) > ownChanges ? 'stronger' : 'weaker';
}

/** @returns how many of these changes of host had a majority before one had none; infinitely many if all had one. */
function changesWithMajority(links: readonly Link[]): number {
  const alone = links.findIndex(({ kind }) => kind === 'alone');
  return alone < 0 ? Infinity : alone;
}

/**
 * [F4.23] The players that have chosen the other host since the two lineages parted.
 * @returns the keys of the last vote since then; empty if there was none, or if the other room went on without a
 * majority since then.
 */
export function chosenBy(other: Lineage, own: Lineage): readonly PublicKey[] {
  const theirs = linksSince(other, own);
  const last = theirs.findLast((link) => link.kind === 'votes');
  if (last === undefined || theirs.some(({ kind }) => kind === 'alone')) return [];
  const { roster, votes } = last;
  const keys = votes.map(({ slot }) => roster.electors.find((elector) => elector.slot === slot)?.key);
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/**
 * [N3.7] @returns the roster by which a majority chose the host after the present host of `before`; null unless the
 * other lineage goes on from there with that vote, and since then only by handovers and votes.
 */
export function rosterOfChoice(other: Lineage, before: Lineage): SignedRoster | null {
  const first = linksSince(other, before).at(0);
  return relationOf(other, before) === 'successor' && first?.kind === 'votes' ? first.roster : null;
}

/** True if the last host that both lineages have had let this player in, by the evidence of the other lineage. */
export function wasLetIn(key: PublicKey, other: Lineage, own: Lineage): boolean {
  const link = linksSince(other, own).at(0);
  if (roomIdOf(other) !== roomIdOf(own) || link === undefined || link.kind === 'handover') return false;
  return link.roster.electors.some((elector) => elector.key === key);
}

/**
 * @returns the keys of the other lineage's hosts since the two have parted, the present host last; empty if one of them
 * went on without a majority.
 */
export function electedSince(other: Lineage, own: Lineage): readonly PublicKey[] {
  const links = linksSince(other, own);
  return links.some(({ kind }) => kind === 'alone') ? [] : links.map(({ key }) => key);
}

/** @returns the keys of the last host that both lineages have had, and of the other lineage's hosts since then. */
export function hostsFromParting(other: Lineage, own: Lineage): readonly PublicKey[] {
  const since = linksSince(other, own).length;
  return hostsOf(other).slice(-since - 1);
}

/** True if each change of host in the other lineage since the two parted was a handover; also if there was none. */
export function cameByHandovers(other: Lineage, own: Lineage): boolean {
  return linksSince(other, own).every(({ kind }) => kind === 'handover');
}

/** The changes of host in the first lineage since it has parted from the second. */
function linksSince(first: Lineage, second: Lineage): readonly Link[] {
  const parted = first.links.findIndex((link, i) => !isSameReign(link, second.links.at(i)));
  return parted < 0 ? [] : first.links.slice(parted);
}

function isSameReign(a: Reign, b: Reign | undefined): boolean {
  return b !== undefined && a.term === b.term && a.key === b.key;
}
