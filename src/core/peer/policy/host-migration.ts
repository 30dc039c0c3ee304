import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS, TICK_RATE } from '../../base/constants.ts';
import { dropGiving } from '../hands/giving.ts';
import { adoptAll } from './guest-policy.ts';
import { freeAllOf, hostPolicy } from './host-policy.ts';
import type { PeerState } from '../peer-state.ts';
import { NONE_REFUSED } from '../peer-state.ts';

/** Ticks by which a new host may know less of a player than a guest does: what the one before passed on to this guest alone. */
const BEHIND_TICKS = 4 * TICK_RATE;

/**
 * [F4], [H8] This guest is the host from now on, under a newer term. Bodies stay where they are, in the hands in
 * which they are; what those had who are not waited for falls free.
 * @param waitsFor the players who may still have what they had.
 */
export function becomeHost(peer: PeerState, term: number, waitsFor: readonly Slot[]): void {
  const { bodies, self } = peer;
  peer.policy = hostPolicy;
  peer.host = self;
  peer.term = term;
  peer.reset = Math.max(0, peer.reset);
  peer.links.fill(null);
  peer.relay.clear();
  peer.lastRefused.fill(NONE_REFUSED);
  dropGiving(peer);
  for (let i = 0; i < bodies.count; i++) agreeWithItself(peer, i as BodyId);
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    if (slot !== self && !waitsFor.includes(slot as Slot)) freeAllOf(peer, slot as Slot);
  }
  for (let i = 0; i < bodies.count; i++) simulateOn(peer, i as BodyId);
}

/** What a guest had to wait for the host to say, it says itself now. */
function agreeWithItself({ bodies: { records }, self }: PeerState, body: BodyId): void {
  records.stale[body] = 0;
  records.pendingCommit[body] = 0;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = records.authority[body] === self ? 1 : 0;
}

/** What is under nobody goes on from where it is here: the last word on it may be seconds old. */
function simulateOn({ bodies }: PeerState, body: BodyId): void {
  const { records } = bodies;
  if (records.authority[body] !== NO_SLOT) return;
  bodies.startSimulating(body);
  if (records.resting[body] === 0) bodies.engine.updateRecord(body);
}

/** [F4], [H8] Another guest is the host from now on: its next word on every body is adopted whole. */
export function followHost(peer: PeerState, host: Slot): void {
  peer.links.fill(null);
  peer.host = host;
  // The first packet says which term it is, and nothing is said before.
  peer.term = -1;
  adoptAll(peer);
  peer.authors.forEach((author, slot) => {
    if (slot === peer.self || author.newestTick < 0) return;
    author.newestTick = Math.max(0, author.newestTick - BEHIND_TICKS);
  });
}
