import type { BodyId, Hold, Sequence, Slot } from '../../base/ids.ts';
import { isInHand, KEPT, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import { newer } from '../../base/sequence.ts';
import { copyState, STRIDE } from '../../base/state.ts';
import type { PacketReader } from '../../wire/packet.ts';
import { isAstray } from '../../wire/bodies/astray.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { authorOf } from '../../wire/bodies/update.ts';
import { claimPast, endKeeping } from '../../world/authority.ts';
import type { Decision } from '../../world/decide.ts';
import { decideAsGuest } from '../../world/decide.ts';
import type { Claim } from '../../world/record.ts';
import { readClaim, sameClaim, writeClaim } from '../../world/record.ts';
import { forgetLink } from '../begin-link.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import { dropGiving, isUnaware, notGiven, wasGiven } from '../hands/giving.ts';
import { forgetPlayer, receiveAvatar } from './player-entry.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';
import { resetLevel } from '../bodies/reset.ts';
import { reject } from './offences.ts';
import type { Policy } from './policy.ts';
import { absenceOf, generationOf, templateOf } from '../../world/existence.ts';

/** A guest: it claims, and follows the host's rulings. */
export const guestPolicy: Policy<PeerState> = {
  isHost: false,

  admit(peer, header) {
    // [H8] Resets are compared within a term: a new host may have missed the last reset.
    if (peer.term < 0) return null;
    if (header.term !== peer.term) return isNewer(header.term, peer.term) ? null : 'old term';
    const knownReset = peer.reset >= 0 && header.reset !== peer.reset;
    return knownReset && !isNewer(header.reset, peer.reset) ? 'old reset' : null;
  },

  followHeader(peer, link, header) {
    if (peer.term >= 0 && header.term !== peer.term) markAllStale(peer);
    peer.term = header.term;
    const isRestart = peer.reset >= 0 && isNewer(header.reset, peer.reset);
    if (isRestart) {
      resetLevel(peer, header.reset, null);
      forgetLink(peer, link);
    }
    peer.reset = header.reset;
    return isRestart;
  },

  check: () => null,

  receive(peer, packet, from, sequence) {
    const newest = peer.links[from]?.acks.newestReceived ?? sequence;
    const present = receivePlayers(peer, packet, sequence >= newest);
    for (let i = 0; i < packet.updateCount; i++) {
      const update = packet.updates[i];
      const isAccepted = applyRuling(peer, update, from, sequence);
      const author = authorOf(update.claim, from);
      if (isAccepted && update.kind !== 'record' && ((present >>> author) & 1) === 1) {
        peer.authors[author].stream.addUpdate(update);
      }
    }
  },

  describe(peer, body, _to, out) {
    const { records } = peer.bodies;
    const mine = records.authority[body] === peer.self;
    const isOwn =
      mine &&
      (!isInHand(records.hold[body]) || isNewHere(peer, body) || records.islands.isJointed[body] === 1);
    if (!isOwn && records.pendingCommit[body] === 0) return false;
    out.body = body;
    readClaim(records, body, out.claim);
    out.kind = !peer.bodies.has(body) ? 'record' : records.resting[body] === 1 ? 'rest' : 'motion';
    out.tick = peer.tick;
    copyState(records.state, body * STRIDE, out.state, 0);
    return true;
  },

  /** [A7] A claim is repeated until the host has confirmed it, the return of a body until the host has taken it. */
  insists(peer, body) {
    const { confirmed, pendingCommit } = peer.bodies.records;
    return confirmed[body] === 0 || pendingCommit[body] === 1;
  },
};

/** [H8] The host's next ruling on every body is to be taken over whole. */
export function markAllStale(peer: PeerState): void {
  peer.bodies.records.stale.fill(1);
  peer.lastRuling.fill(-1);
}

/** [H6] A new connection: this guest's bodies have fallen free on the host, and fall free here, too. */
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
  markAllStale(peer);
  peer.bodies.following.restart();
  peer.bodies.received.curves.clear();
}

/** True if the host's ruling on every body has come, and each body of another player shows a pose of that player. */
export function knowsAll(peer: PeerState): boolean {
  // [V3.4]
  if (peer.links[peer.host]?.shared?.isComplete === false) return false;
  const { bodies } = peer;
  for (let i = 0; i < bodies.count; i++) {
    const body = i as BodyId;
    const shows =
      !bodies.exists(body) || simulatorOf(peer, body) === peer.self || bodies.following.isOfAnother(body);
    if (bodies.records.stale[body] === 1 || !shows) return false;
  }
  return true;
}

/**
 * [T3] Takes in the players in the host's packet. The newest packet has all players that are present: a player that is
 * missing in it has left, and a player whose ticks went back is another one in the same slot. A packet that was
 * overtaken removes and adds no player; it counts for players that are present, as far as it is not ahead of them.
 * @returns the slots, as bits, whose poses in this packet count.
 */
function receivePlayers(peer: PeerState, packet: PacketReader, isNewest: boolean): number {
  let present = 0;
  for (let i = 0; i < packet.authorCount; i++) {
    const entry = packet.authors[i];
    if (entry.slot === peer.self) continue;
    const { newestTick } = peer.authors[entry.slot];
    if (isNewest && entry.tick < newestTick) forgetPlayer(peer, entry.slot);
    if (!isNewest && entry.tick > newestTick) continue;
    receiveAvatar(peer, entry);
    present = (present | (1 << entry.slot)) >>> 0;
  }
  if (isNewest) forgetOthers(peer, present);
  return present;
}

/** Forgets the players that are not among these slots, given as bits. */
export function forgetOthers(peer: PeerState, slots: number): void {
  for (let slot = 0; slot < MAX_PLAYERS; slot++) {
    const isPresent = slot === peer.self || ((slots >>> slot) & 1) === 1;
    if (!isPresent && peer.authors[slot].newestTick >= 0) forgetPlayer(peer, slot as Slot);
  }
}

/**
 * Decides the host's ruling on a body, and on this body alone [J4.6]: the other parts of its island have their own in the
 * same packet, and this guest may not know yet which parts these are.
 * @returns true if the pose that came with it may be shown.
 */
function applyRuling(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot, sequence: number): boolean {
  const { body } = update;
  const { records } = peer.bodies;
  const { local } = peer.decision;
  readClaim(records, body, local);
  // An overtaken ruling does not count. Its pose may still be in time, if the claim has not changed since [I3].
  if (sequence < peer.lastRuling[body]) return sameClaim(update.claim, local);
  peer.lastRuling[body] = sequence;
  const decision = decideAsGuest(local, update.claim, peer.self, records.stale[body] === 1);
  const isSame = update.claim.existence === local.existence;
  switch (decision.verdict) {
    case 'accept':
      accept(peer, update, decision);
      break;
    case 'confirm':
      if (isSame) confirm(peer, body, update.claim, decision);
      else accept(peer, update, decision);
      break;
    default:
      reject(peer, decision.rule);
      peer.links[from]?.receiver.dispute(body);
      return false;
  }
  return true;
}

function accept(peer: PeerState, update: Readonly<BodyUpdate>, decision: Decision): void {
  const { body, claim: ruling } = update;
  const { records } = peer.bodies;
  const { local } = peer.decision;
  const wasStale = records.stale[body] === 1;
  const had = local.authority === peer.self;
  const changes = ruling.authority !== local.authority;
  const isMine = ruling.authority === peer.self;
  records.stale[body] = 0;
  if (wasStale && had && (ruling.existence === local.existence || keepsOwn(peer, update))) {
    records.ownershipSequence[body] = ruling.ownershipSequence;
    claimPast(records, body, peer.self, local.hold, local.ownershipSequence);
    return;
  }
  records.pendingCommit[body] = 0;
  records.confirmed[body] = isMine ? 1 : 0;
  writeClaim(ruling, records, body);
  // [A3] If the ruling gives this guest a body that it did not have by its own record, no hand holds it; unless the
  // hand that it is given to still reaches for it [A9].
  const isForHand = isMine && ruling.hold !== KEPT;
  if (isForHand && !isUnaware(peer.authors[peer.self].avatar, ruling.hold, body))
    records.hold[body] = NOT_HELD;
  if (ruling.existence !== local.existence) {
    change(peer, update);
    return;
  }
  if (!changes) return;
  for (const part of records.islands.parts[body])
    peer.blows.passed(peer.bodies, part, local.authority, peer.self, peer.tick);
  if (!wasStale && isInHand(records.hold[body]) && isLeftByHolder(peer, body)) {
    wasGiven(peer, body, local.authority, peer.tick + 1);
    return;
  }
  // [A9] Or it is in no hand: the one that it was given to has opened by now.
  if (had) notGiven(peer, body);
  if (ruling.authority === peer.self) peer.bodies.startSimulating(body);
  if (had) logEvent(peer, 'lose', decision.rule, body, peer.self);
  else
    logEvent(peer, ruling.authority === NO_SLOT ? 'return' : 'accept', decision.rule, body, ruling.authority);
}

/** True for a body that this guest has spawned, and that the host does not know yet. */
function isNewHere({ bodies: { level, records } }: PeerState, body: BodyId): boolean {
  return body >= level.bodies.length && records.confirmed[body] === 0;
}

/** [H8.2] Under a newer term: true if the host has not heard of a body that this guest has spawned, which it keeps. */
function keepsOwn(
  { bodies: { level, records }, decision: { local } }: PeerState,
  update: Readonly<BodyUpdate>,
): boolean {
  const { body, claim: ruling } = update;
  const isUnknown = templateOf(level, body, ruling.existence) === null;
  if (!isUnknown || generationOf(ruling.existence) !== generationOf(local.existence)) return false;
  records.existence[body] = local.existence;
  return true;
}

/** [S1] By the ruling another body has this id, or none. */
function change(peer: PeerState, update: Readonly<BodyUpdate>): void {
  const { body, claim: ruling } = update;
  const { bodies, decision } = peer;
  const had = decision.local.authority === peer.self;
  notGiven(peer, body);
  bodies.rest.disturbTouching(body);
  const isHere = templateOf(bodies.level, body, ruling.existence) !== null;
  const isPlaced = update.kind !== 'record' && !isAstray(bodies.level.bounds, update.state, 0);
  if (!isHere) bodies.become(body, null);
  else if (isPlaced) bodies.become(body, update.state);
  else bodies.becomeAwaited(body);
  if (ruling.authority === peer.self) bodies.startSimulating(body);
  const why = absenceOf(ruling.existence);
  const isRefused = had && why !== null && why !== 'despawned';
  if (isRefused) logEvent(peer, 'refuse', 'S2', body, peer.self);
  else logEvent(peer, isHere ? 'spawn' : 'despawn', isHere ? 'S2' : 'S3', body, ruling.authority);
}

/** True if another player held the body by the record until now, or this player has let it go for another to take. */
function isLeftByHolder(peer: PeerState, body: BodyId): boolean {
  const { local } = peer.decision;
  if (peer.bodies.records.islands.isJointed[body] === 1) return false;
  return local.authority === peer.self ? peer.giving.isLetGo(body) : isInHand(local.hold);
}

/** [A3], [H4] The host agrees: the record takes its sequences, and keeps this guest's state and hold. */
function confirm(peer: PeerState, body: BodyId, ruling: Readonly<Claim>, decision: Decision): void {
  const { records } = peer.bodies;
  records.ownershipSequence[body] = ruling.ownershipSequence;
  records.authoritySequence[body] = ruling.authoritySequence;
  if (saysAnewWhetherKept(peer, body, ruling)) return;
  if (records.confirmed[body] === 0) logEvent(peer, 'confirm', decision.rule, body, peer.self);
  records.confirmed[body] = 1;
  if (ruling.hold === NOT_HELD) notGiven(peer, body);
}

/**
 * [A12.6] The host has moved past this guest's word on keeping without having heard it: the guest says it again.
 * Returns false if the two agree.
 */
function saysAnewWhetherKept(peer: PeerState, body: BodyId, ruling: Readonly<Claim>): boolean {
  const { records } = peer.bodies;
  const hold = records.hold[body] as Hold;
  if ((hold === KEPT) === (ruling.hold === KEPT)) return false;
  if (hold === NOT_HELD) endKeeping(records, body, peer.self, false);
  else claimPast(records, body, peer.self, hold, ruling.ownershipSequence);
  return true;
}

function isNewer(a: number, b: number): boolean {
  return newer(a as Sequence, b as Sequence);
}
