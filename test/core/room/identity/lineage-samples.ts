import type { Slot } from '../../../../src/core/base/ids.ts';
import type { PublicKey, RoomId, Signature } from '../../../../src/core/room/identity/key.ts';
import type { Lineage, Link } from '../../../../src/core/room/identity/lineage.ts';
import { checksOf, newLineage, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import type {
  Check,
  Elector,
  RosterStatement,
  SignedRoster,
} from '../../../../src/core/room/identity/statements.ts';
import { handoverText, rosterText, voteText } from '../../../../src/core/room/identity/statements.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';

/** A room of six: player 0 has founded it, player 5 is away. */
export const PLAYERS: readonly PublicKey[] = [0, 1, 2, 3, 4, 5].map((who) => keyOf(`player ${who}`));
export const FOUNDED: Lineage = newLineage(PLAYERS[0], 'a salt of the founder');
export const ROOM: RoomId = roomIdOf(FOUNDED);
const EPOCH = 3;

function electors(): Elector[] {
  return PLAYERS.map((key, i) => ({ slot: i as Slot, key, isAway: i === 5 }));
}

/** A roster that its host has signed. @param signer the key of whoever signs it. */
export function signedRoster(change: Partial<RosterStatement> = {}, signer = PLAYERS[0]): SignedRoster {
  const basis = { term: 0, epoch: EPOCH, host: 0 as Slot, capacity: 8, locked: false, electors: electors() };
  const statement = { ...basis, ...change };
  return { ...statement, signature: signatureOf(signer, rosterText(ROOM, statement)) };
}

/** The vote of a player for another. */
export function voteBy(who: number, forWhom: PublicKey, term = 0, epoch = EPOCH): Signature {
  return signatureOf(PLAYERS[who], voteText(ROOM, { term, epoch, candidate: forWhom }));
}

type VotesLink = Extract<Link, { kind: 'votes' }>;

/** Player 1 is host by these votes, which are three of the four that count. */
export function byVotes(voters: readonly number[] = [1, 2, 3], change: Partial<VotesLink> = {}): VotesLink {
  const votes = voters.map((who) => ({ slot: who as Slot, signature: voteBy(who, PLAYERS[1]) }));
  const basis = { term: nextTerm(0, 1 as Slot), key: PLAYERS[1], roster: signedRoster(), votes };
  return { kind: 'votes', ...basis, ...change };
}

/** A host hands over to a player. */
export function byHandover(from: number, to: number, before = 0, signer = PLAYERS[from]): Link {
  const [term, key] = [nextTerm(before, to as Slot), PLAYERS[to]];
  const text = handoverText(ROOM, { term: before, next: term, heir: key });
  return { kind: 'handover', term, key, signature: signatureOf(signer, text) };
}

/** The founder hands over to player 1 under this term, whatever it is. */
export function handoverToTerm(next: number): Link {
  const text = handoverText(ROOM, { term: 0, next, heir: PLAYERS[1] });
  return { kind: 'handover', term: next, key: PLAYERS[1], signature: signatureOf(PLAYERS[0], text) };
}

/** A player goes on without a majority. */
export function alone(who: number, roster = signedRoster()): Link {
  return { kind: 'alone', term: nextTerm(0, who as Slot), key: PLAYERS[who], roster };
}

/** @returns the room with these changes of host. */
export function lineageOf(...links: readonly Link[]): Lineage {
  return { ...FOUNDED, links };
}

/** True if each of the signatures is valid. */
export function areValid(checks: readonly Check[]): boolean {
  return checks.every(({ key, text, signature }) => signatureOf(key, text) === signature);
}

/** True if a page that checks this lineage believes it. */
export function isBelieved(lineage: Lineage): boolean {
  const checks = checksOf(lineage);
  return checks !== null && areValid(checks);
}
