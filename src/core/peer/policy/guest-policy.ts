import type { BodyId, Sequence, Slot } from '../../base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import { newer } from '../../base/sequence.ts';
import { copyState, STRIDE } from '../../base/state.ts';
import type { PacketReader } from '../../wire/packet.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { authorOf } from '../../wire/bodies/update.ts';
import { claimPast } from '../../world/authority.ts';
import type { Decision } from '../../world/decide.ts';
import { decideAsGuest } from '../../world/decide.ts';
import type { Claim } from '../../world/record.ts';
import { claim, readClaim, sameClaim, writeClaim } from '../../world/record.ts';
import { dropGiving, isUnaware, notGiven, wasGiven } from '../hands/giving.ts';
import { forgetPlayer, receiveAvatar } from './player-entry.ts';
import type { PeerState, Policy } from '../peer-state.ts';
import { logEvent, refuse, simulatorOf } from '../peer-state.ts';
import { restartScene } from '../bodies/restart.ts';

/** A guest: it claims, and takes the host's word. */
export const guestPolicy: Policy = {
  isHost: false,

  admit(peer, header) {
    // [H8] Resets are compared within a term: a new host may not have heard of the last one.
    if (peer.term < 0) return null;
    if (header.term !== peer.term) return isNewer(header.term, peer.term) ? null : 'old term';
    const knownReset = peer.reset >= 0 && header.reset !== peer.reset;
    return knownReset && !isNewer(header.reset, peer.reset) ? 'old reset' : null;
  },

  adopt(peer, link, header) {
    if (peer.term >= 0 && header.term !== peer.term) adoptAll(peer);
    peer.term = header.term;
    const isRestart = peer.reset >= 0 && isNewer(header.reset, peer.reset);
    if (isRestart) {
      restartScene(peer, header.reset, null);
      link.forget();
    }
    peer.reset = header.reset;
    return isRestart;
  },

  check: () => null,

  receive(peer, packet, from, sequence) {
    const newest = peer.links[from]?.acks.newestReceived ?? sequence;
    const heard = receivePlayers(peer, packet, sequence >= newest);
    for (let i = 0; i < packet.updateCount; i++) {
      const update = packet.updates[i];
      const stands = applyRuling(peer, update, from, sequence);
      const author = authorOf(update.claim, from);
      if (stands && update.kind !== 'record' && ((heard >> author) & 1) === 1) {
        peer.authors[author].stream.addUpdate(update);
      }
    }
  },

  describe(peer, body, _to, out) {
    const { records } = peer.bodies;
    const mine = records.authority[body] === peer.self;
    if (!(mine && records.hold[body] === NOT_HELD) && records.pendingCommit[body] === 0) return false;
    out.body = body;
    readClaim(records, body, out.claim);
    out.kind = records.resting[body] === 1 ? 'rest' : 'motion';
    out.tick = peer.tick;
    copyState(records.state, body * STRIDE, out.state, 0);
    return true;
  },

  /** [A7] A claim is repeated until the host has confirmed it, a commit until the host has taken it. */
  insists(peer, body) {
    const { confirmed, pendingCommit } = peer.bodies.records;
    return confirmed[body] === 0 || pendingCommit[body] === 1;
  },
};

/** [H8] The host's next word on every body is to be adopted whole. */
export function adoptAll(peer: PeerState): void {
  peer.bodies.records.stale.fill(1);
  peer.lastRuling.fill(-1);
}

/** [H6] A new connection: on the host all that this guest had has fallen free, and so it has here. */
export function loseAll(peer: PeerState): void {
  const { records } = peer.bodies;
  for (let i = 0; i < records.count; i++) {
    const body = i as BodyId;
    if (records.authority[body] === peer.self) logEvent(peer, 'free', 'H6', body, peer.self);
    else if (records.pendingCommit[body] === 0) continue;
    records.authority[body] = NO_SLOT;
    records.hold[body] = NOT_HELD;
    records.confirmed[body] = 0;
    records.pendingCommit[body] = 0;
  }
  dropGiving(peer);
  adoptAll(peer);
  peer.bodies.following.restart();
}

/** True if the host has spoken of every body, and each that another simulates shows a pose of it. */
export function knowsAll(peer: PeerState): boolean {
  const { bodies } = peer;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    const shows = simulatorOf(peer, body) === peer.self || bodies.following.isOfAnother(body);
    if (bodies.records.stale[body] === 1 || !shows) return false;
  }
  return true;
}

/**
 * [T3] Whom the host's packet has. The newest packet says who is there: a player that it lacks is gone, and one
 * whose ticks went back is another in the same slot. One that was overtaken removes and revives nobody: it
 * counts for those who are there, as far as it is not ahead of them.
 * @returns the slots, as bits, whose poses in this packet count.
 */
function receivePlayers(peer: PeerState, packet: PacketReader, isNewest: boolean): number {
  let heard = 0;
  for (let i = 0; i < packet.authorCount; i++) {
    const entry = packet.authors[i];
    if (entry.slot === peer.self) continue;
    const { newestTick } = peer.authors[entry.slot];
    if (isNewest && entry.tick < newestTick) forgetPlayer(peer, entry.slot);
    if (!isNewest && entry.tick > newestTick) continue;
    receiveAvatar(peer, entry);
    heard |= 1 << entry.slot;
  }
  if (isNewest) forgetOthers(peer, heard);
  return heard;
}

/** Forgets the players that are not among these slots. */
function forgetOthers(peer: PeerState, slots: number): void {
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    const isThere = slot === peer.self || ((slots >> slot) & 1) === 1;
    if (!isThere && peer.authors[slot].newestTick >= 0) forgetPlayer(peer, slot as Slot);
  }
}

/** Decides the host's word on a body; true if the pose that came with it may be shown. */
function applyRuling(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot, sequence: number): boolean {
  const { body } = update;
  const { records } = peer.bodies;
  readClaim(records, body, local);
  // Overtaken: its word counts no more; its pose may still be in time, if nothing has changed hands since [I3].
  if (sequence < peer.lastRuling[body]) return sameClaim(update.claim, local);
  peer.lastRuling[body] = sequence;
  const decision = decideAsGuest(local, update.claim, peer.self, records.stale[body] === 1);
  switch (decision.verdict) {
    case 'accept':
      accept(peer, body, update.claim, decision);
      break;
    case 'confirm':
      confirm(peer, body, update.claim, decision);
      break;
    default:
      refuse(peer, decision.rule);
      peer.links[from]?.outbox.dispute(body);
      return false;
  }
  return true;
}

function accept(peer: PeerState, body: BodyId, word: Readonly<Claim>, decision: Decision): void {
  const { records } = peer.bodies;
  const wasStale = records.stale[body] === 1;
  const had = local.authority === peer.self;
  const changes = word.authority !== local.authority;
  writeClaim(word, records, body);
  records.stale[body] = 0;
  records.pendingCommit[body] = 0;
  records.confirmed[body] = word.authority === peer.self ? 1 : 0;
  if (wasStale && had) {
    claimPast(records, body, peer.self, local.hold, local.ownershipSequence);
    return;
  }
  // [A3] What the host says is this guest's, against its own record, comes back to it unheld; or into a hand [A9].
  const isMine = word.authority === peer.self;
  if (isMine && !isUnaware(peer.authors[peer.self].avatar, word.hold, body)) records.hold[body] = NOT_HELD;
  if (!changes) return;
  if (!wasStale && records.hold[body] !== NOT_HELD && isLeftBy(peer, body)) {
    wasGiven(peer, body, local.authority, peer.tick + 1);
    return;
  }
  // [A9] Or in nobody's: the hand that it was given to has opened by now.
  if (had) notGiven(peer, body);
  if (word.authority === peer.self) peer.bodies.startSimulating(body);
  if (had) logEvent(peer, 'lose', decision.rule, body, peer.self);
  else logEvent(peer, word.authority === NO_SLOT ? 'return' : 'accept', decision.rule, body, word.authority);
}

/** True if another player held the body, by the record until now, or this one has let go of it for another. */
function isLeftBy(peer: PeerState, body: BodyId): boolean {
  return local.authority === peer.self ? peer.giving.isLetGo(body) : local.hold !== NOT_HELD;
}

/** [A3], [H4] The host agrees: its sequences, this guest's own state, and what is in its hand stays there. */
function confirm(peer: PeerState, body: BodyId, word: Readonly<Claim>, decision: Decision): void {
  const { records } = peer.bodies;
  records.ownershipSequence[body] = word.ownershipSequence;
  records.authoritySequence[body] = word.authoritySequence;
  if (records.confirmed[body] === 0) logEvent(peer, 'confirm', decision.rule, body, peer.self);
  records.confirmed[body] = 1;
  if (word.hold === NOT_HELD) notGiven(peer, body);
}

function isNewer(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}

const local: Claim = claim();
