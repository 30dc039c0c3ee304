import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS, ticksIn } from '../../base/constants.ts';
import { dropUntenable } from '../joints/untying.ts';
import { dropGiving } from '../hands/giving.ts';
import { free, isOneClaim } from '../../world/authority.ts';
import { guestPolicy, markAllStale } from './guest-policy.ts';
import { freeAllOf, hostPolicy } from './host-policy.ts';
import type { PeerState } from '../peer-state.ts';
import { endValues } from '../shared/shared-writes.ts';

/** Seconds by which a new host may know less of a player than a guest: the former host may have served it first. */
const BEHIND_SECONDS = 4;

/**
 * [F4], [H8] This guest is the host from now on, under a newer term. Bodies stay where they are, and in the hands in
 * which they are. The bodies of players that are not waited for fall free.
 * @param term newer than that of the host before.
 * @param waitsFor the players that are expected to connect, and keep their bodies until then.
 */
export function becomeHost(peer: PeerState, term: number, waitsFor: readonly Slot[]): void {
  const { bodies, self } = peer;
  peer.policy = hostPolicy;
  peer.host = self;
  peer.term = term;
  peer.reset = Math.max(0, peer.reset);
  peer.links.fill(null);
  peer.relay.clear();
  peer.rejectedClaims.clear();
  dropGiving(peer);
  for (let i = 0; i < bodies.count; i++) settleRecord(peer, i as BodyId);
  freeOthers(peer, waitsFor);
  dropUntenable(peer);
  // [I9] It may have heard of a joint, but not yet of the claim on the island that the joint made.
  for (let i = 0; i < bodies.count; i++)
    if (!isOneClaim(bodies.records, i as BodyId)) free(bodies.records, i as BodyId);
  for (let i = 0; i < bodies.count; i++) continueFromEngine(peer, i as BodyId);
}

/** [F4.19], [H8.1] This host goes on under a newer term. Its guests are gone, but for those that are waited for. */
export function leadOn(peer: PeerState, term: number, waitsFor: readonly Slot[]): void {
  peer.term = term;
  peer.links.fill(null);
  freeOthers(peer, waitsFor);
}

function freeOthers(peer: PeerState, waitsFor: readonly Slot[]): void {
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    if (slot !== peer.self && !waitsFor.includes(slot as Slot)) freeAllOf(peer, slot as Slot);
  }
}

/** Settles what a guest had to leave to the host's ruling: the record as it is here is the host's from now on. */
function settleRecord(peer: PeerState, body: BodyId): void {
  const { self } = peer;
  const { records } = peer.bodies;
  records.stale[body] = 0;
  records.pendingCommit[body] = 0;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = records.authority[body] === self ? 1 : 0;
  // [V4.3] The host before may not have said yet that they have ended.
  if (!peer.bodies.exists(body)) endValues(peer, 'body', body);
}

/** A body under nobody goes on from where it is in this engine: its record may be seconds old. */
function continueFromEngine({ bodies }: PeerState, body: BodyId): void {
  const { records } = bodies;
  if (records.authority[body] !== NO_SLOT) return;
  bodies.startSimulating(body);
  if (records.resting[body] === 0) bodies.engine.updateRecord(body);
}

/** [F4], [H8] Another player is the host from now on: its next ruling on every body is taken over whole. */
export function followHost(peer: PeerState, host: Slot): void {
  if (peer.policy.isHost) leadNoMore(peer);
  peer.links.fill(null);
  peer.host = host;
  // The first packet brings the term; nothing is sent before it.
  peer.term = -1;
  markAllStale(peer);
  peer.authors.forEach((author, slot) => {
    if (slot === peer.self || author.newestTick < 0) return;
    author.newestTick = Math.max(0, author.newestTick - ticksIn(BEHIND_SECONDS, peer.rate));
  });
}

/** [F4.35] This host has given the room away, and is a guest from now on: it drops what only a host has. */
function leadNoMore(peer: PeerState): void {
  peer.policy = guestPolicy;
  peer.broadcast = null;
  peer.relay.clear();
  peer.rejectedClaims.clear();
  dropGiving(peer);
}
