import type { BodyId, Hold, Sequence, Slot } from '../../base/ids.ts';
import { HAND_SIDES, holdOf, NO_BODY, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { OVERRIDE_INTERVAL_TICKS, THROWN_SPEED, THROWN_TICKS } from '../../base/constants.ts';
import { speedOf } from '../../base/motion.ts';
import { newer } from '../../base/sequence.ts';
import { copyState, STRIDE } from '../../base/state.ts';
import { AGE_STEPS } from '../../wire/avatar/avatar.ts';
import type { AuthorEntry, PacketReader } from '../../wire/packet.ts';
import { dequantiseMotion } from '../../wire/bodies/quantise.ts';
import { free, moveOwnershipPast, release } from '../../world/authority.ts';
import type { Decision, HostRecord, Rule } from '../../world/decide.ts';
import { decideAsHost, leadOf } from '../../world/decide.ts';
import type { Claim } from '../../world/record.ts';
import { claim, readClaim } from '../../world/record.ts';
import { GIVEN_SPEED, giveAway, isFalseReach, isUnaware } from '../hands/giving.ts';
import { forgetPlayer, receiveAvatar } from './player-entry.ts';
import type { PeerState, Policy } from '../peer-state.ts';
import { NONE_REFUSED, logEvent, refuse } from '../peer-state.ts';
import { isPlausible } from './plausible.ts';

/** The host: it decides what guests claim, when it arrives [H7], and tells everyone. */
export const hostPolicy: Policy = {
  isHost: true,

  admit(peer, header) {
    if (header.term !== (peer.term & 0xffff)) return 'other term';
    return header.reset === (peer.reset & 0xffff) ? null : 'other reset';
  },

  adopt: () => false,

  /** [H1] A guest's avatar is its own, and its table has nobody else. */
  check(packet, from) {
    const own = packet.authorCount === 1 && packet.authors[0].slot === from;
    return own ? null : 'speaks for another';
  },

  receive(peer, packet, from) {
    const entry = packet.authors[0];
    const time = entry.tick - entry.avatar.age / AGE_STEPS;
    const isNews = entry.hasAvatar && time > peer.authors[from].avatarTime;
    receiveAvatar(peer, entry);
    if (isNews) {
      applyReleases(peer, packet, from);
      applyHolds(peer, entry, from);
      checkReaches(peer, from);
    }
    applyUpdates(peer, packet, from);
  },

  describe(peer, body, to, out) {
    const { records } = peer.bodies;
    out.body = body;
    readClaim(records, body, out.claim);
    const authority = out.claim.authority;
    out.kind = 'record';
    if (authority === to || out.claim.hold !== NOT_HELD) return true;
    if (authority === NO_SLOT || authority === peer.self) {
      out.kind = records.resting[body] === 1 ? 'rest' : 'motion';
      out.tick = peer.tick;
      copyState(records.state, body * STRIDE, out.state, 0);
    } else if (peer.relay.author[body] === authority) {
      out.kind = peer.relay.resting[body] === 1 ? 'rest' : 'motion';
      out.tick = peer.relay.tick[body];
      copyState(peer.relay.state, body * STRIDE, out.state, 0);
    }
    return true;
  },

  insists: () => false,
};

/** [H6] A player has left: what it had falls free, and nothing of it is waited for. */
export function freeAllOf(peer: PeerState, slot: Slot): void {
  const { records } = peer.bodies;
  for (let i = 0; i < records.count; i++) {
    const body = i as BodyId;
    if (records.authority[body] !== slot) continue;
    free(records, body);
    peer.bodies.startSimulating(body);
    logEvent(peer, 'free', 'H6', body, slot);
  }
  peer.relay.forget(slot);
  peer.lastRefused.fill(NONE_REFUSED, slot * records.count, (slot + 1) * records.count);
  forgetPlayer(peer, slot);
  for (const link of peer.links) link?.forgetPlayer(slot);
}

/** [A7] What a newer avatar does not carry any more has been released; [A9] and given, if it is reached for. */
function applyReleases(peer: PeerState, packet: PacketReader, from: Slot): void {
  const { records } = peer.bodies;
  const entry = packet.authors[0];
  for (let i = 0; i < records.count; i++) {
    const body = i as BodyId;
    const hold = records.hold[body] as Hold;
    if (hold === NOT_HELD || records.authority[body] !== from) continue;
    if (carries(entry, body) || isUnaware(entry.avatar, hold, body)) continue;
    release(records, body);
    logEvent(peer, 'release', 'A7', body, from);
    const speed = speedIn(packet, body);
    if (speed >= THROWN_SPEED) peer.thrownUntil[body] = peer.tick + THROWN_TICKS;
    if (speed < GIVEN_SPEED) giveAway(peer, body, from);
  }
}

/** Metres a second: how fast a packet says that a body is; 0 if it does not. */
function speedIn(packet: PacketReader, body: BodyId): number {
  for (let i = 0; i < packet.updateCount; i++) {
    const { body: said, kind, state } = packet.updates[i];
    if (said !== body || kind !== 'motion') continue;
    dequantiseMotion(state, 0, motion, 0);
    return speedOf(motion, 0 as BodyId);
  }
  return 0;
}

function carries(entry: AuthorEntry, body: BodyId): boolean {
  return HAND_SIDES.some(
    (side) => entry.avatar.hands[side].tracked && entry.avatar.hands[side].held === body,
  );
}

/** [W7] What an avatar carries is a claim to hold it. */
function applyHolds(peer: PeerState, entry: AuthorEntry, from: Slot): void {
  for (const side of HAND_SIDES) {
    const hand = entry.avatar.hands[side];
    if (!hand.tracked || hand.held === NO_BODY) continue;
    incoming.authority = from;
    incoming.hold = holdOf(side);
    incoming.ownershipSequence = hand.ownershipSequence;
    incoming.authoritySequence = hand.authoritySequence;
    const { verdict } = judge(peer, hand.held, from);
    if (verdict === 'accept' && peer.bodies.records.hold[hand.held] !== incoming.hold) {
      peer.bodies.records.hold[hand.held] = incoming.hold;
    }
  }
}

/** [A9] A reach is no claim: only what can't be one is counted. */
function checkReaches(peer: PeerState, from: Slot): void {
  for (const side of HAND_SIDES) if (isFalseReach(peer, from, side)) refuse(peer, 'A9', from);
}

function applyUpdates(peer: PeerState, packet: PacketReader, from: Slot): void {
  for (let i = 0; i < packet.updateCount; i++) {
    const update = packet.updates[i];
    // [A7] What is given back is at rest.
    if (update.claim.authority === NO_SLOT && update.kind !== 'rest') {
      refuse(peer, 'A7');
      peer.links[from]?.outbox.dispute(update.body);
      continue;
    }
    incoming.authority = update.claim.authority;
    incoming.hold = NOT_HELD;
    incoming.ownershipSequence = update.claim.ownershipSequence;
    incoming.authoritySequence = update.claim.authoritySequence;
    if (judge(peer, update.body, from).verdict !== 'accept' || update.kind === 'record') continue;
    if (!isPlausible(peer, update, from)) {
      refuse(peer, 'H9', from);
      continue;
    }
    if (incoming.authority === NO_SLOT) {
      peer.bodies.received.applyReturned(update);
    } else {
      peer.relay.keep(update, from);
      peer.authors[from].stream.addUpdate(update);
    }
  }
}

/** Decides the claim in `incoming`, and does what follows for the record. */
function judge(peer: PeerState, body: BodyId, from: Slot): Decision {
  const { records } = peer.bodies;
  readClaim(records, body, local);
  local.acceptedOwnership = records.acceptedOwnership[body] as Sequence;
  const decision = decideAsHost(local, incoming, from, peer.sequenceBudget.left(from, body, peer.tick));
  switch (decision.verdict) {
    case 'accept':
      accept(peer, body, from, decision);
      break;
    case 'override':
      refuseHeld(peer, body, from);
      break;
    default:
      if (decision.rule !== 'A4' || local.authority !== NO_SLOT || incoming.authority !== NO_SLOT) {
        refuse(peer, decision.rule, from);
        peer.links[from]?.outbox.dispute(body);
        // [A9] Nor is the late word of the one who has just given it.
        if (claimsMore() && peer.giving.from(body) !== from) noteRefusal(peer, decision.rule, body, from);
      }
  }
  return decision;
}

/** True if a refused claim was for a body that the claimant does not have: not just late word of its own. */
function claimsMore(): boolean {
  return incoming.authority !== NO_SLOT && local.authority !== incoming.authority;
}

/** A claim is repeated in every packet, but refused once. */
function noteRefusal(peer: PeerState, rule: Rule, body: BodyId, from: Slot): void {
  if (markRefused(peer, incoming, body, from)) logEvent(peer, 'refuse', rule, body, from);
}

/** Host: what the one who has a body has said of it is refused from now on, which is nothing to be noted. */
export function ignoreLateClaims(peer: PeerState, body: BodyId): void {
  const late = readClaim(peer.bodies.records, body, local);
  markRefused(peer, late, body, late.authority);
}

/** True if the last claim of this player on the body that was refused had other sequences. */
function markRefused(peer: PeerState, refused: Readonly<Claim>, body: BodyId, from: Slot): boolean {
  const at = from * peer.bodies.count + body;
  const sequences = refused.ownershipSequence * 0x10000 + refused.authoritySequence;
  const isNew = peer.lastRefused[at] !== sequences;
  peer.lastRefused[at] = sequences;
  return isNew;
}

function accept(peer: PeerState, body: BodyId, from: Slot, decision: Decision): void {
  const { records } = peer.bodies;
  const changes =
    local.authority !== incoming.authority || (incoming.hold !== NOT_HELD && incoming.hold !== local.hold);
  const known = decision.rule === 'A4';
  records.acceptedOwnership[body] = incoming.ownershipSequence;
  if (known) return;
  const grabs = newer(incoming.ownershipSequence, local.ownershipSequence);
  peer.sequenceBudget.spend(from, body, leadOf(local, incoming, from), grabs);
  records.authority[body] = incoming.authority;
  records.hold[body] = incoming.hold;
  // [H3] A holder that has not yet heard of a move is not taken back behind it.
  if (grabs) records.ownershipSequence[body] = incoming.ownershipSequence;
  records.authoritySequence[body] = incoming.authoritySequence;
  records.confirmed[body] = 0;
  if (!changes) return;
  peer.relay.drop(body);
  if (local.authority === peer.self && local.hold === NOT_HELD)
    logEvent(peer, 'lose', decision.rule, body, peer.self);
  records.restTicks[body] = 0;
  logEvent(peer, incoming.authority === NO_SLOT ? 'return' : 'accept', decision.rule, body, from);
}

/** [H2], [H3] Refuses a claim on a held body; moves past it at most once a second for each claimant. */
function refuseHeld(peer: PeerState, body: BodyId, from: Slot): void {
  peer.links[from]?.outbox.dispute(body);
  noteRefusal(peer, 'H2', body, from);
  refuse(peer, 'H2', from);
  if (peer.tick - peer.lastOverride[from] < OVERRIDE_INTERVAL_TICKS) return;
  peer.lastOverride[from] = peer.tick;
  const past = newer(incoming.ownershipSequence, local.ownershipSequence)
    ? incoming.ownershipSequence
    : local.ownershipSequence;
  moveOwnershipPast(peer.bodies.records, body, past);
  logEvent(peer, 'override', 'H3', body, from);
}

const motion = new Float32Array(STRIDE);
const incoming: Claim = claim();
const local: Claim & { acceptedOwnership: Sequence } & HostRecord = {
  ...claim(),
  acceptedOwnership: 0 as Sequence,
};
