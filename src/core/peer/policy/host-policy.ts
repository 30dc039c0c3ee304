import type { BodyId, Existence, Hold, Sequence, Slot } from '../../base/ids.ts';
import { HAND_SIDES, holdOf, isInHand, KEPT, NO_BODY, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import {
  MAX_KEPT,
  OVERRIDE_INTERVAL_SECONDS,
  THROWN_SECONDS,
  THROWN_SPEED,
  ticksIn,
} from '../../base/constants.ts';
import { speedOf } from '../../base/motion.ts';
import { newer } from '../../base/sequence.ts';
import { copyState, STRIDE } from '../../base/state.ts';
import { AGE_STEPS } from '../../wire/avatar/avatar.ts';
import type { AuthorEntry, PacketReader } from '../../wire/packet.ts';
import { dequantiseMotion } from '../../wire/bodies/quantise.ts';
import { free, isAllowed, keptBy, moveOwnershipPast, release } from '../../world/authority.ts';
import type { Decision, Rule, Verdict } from '../../world/decide.ts';
import { decideAsHost, leadOf } from '../../world/decide.ts';
import { holdOfIsland, readClaim, shareClaim } from '../../world/record.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import { GIVEN_SPEED, giveAway, isFalseReach, isUnaware } from '../hands/giving.ts';
import { forgetPlayer, receiveAvatar } from './player-entry.ts';
import type { PeerState } from '../peer-state.ts';
import { forEachReceiver } from '../receivers.ts';
import type { DecisionContext } from './decision-context.ts';
import { restsWhole } from './claims/island-claims.ts';
import { reject } from './offences.ts';
import type { Policy } from './policy.ts';
import { doubtOf } from './plausible.ts';
import { endValues } from '../shared/shared-writes.ts';
import { absenceOf, lesseeOf } from '../../world/existence.ts';
import { begin, decideOther, overrideOutdated, refuseSpawn } from './claims/host-existence.ts';

/** The host: it decides guests' claims when they arrive [H7], and sends its rulings to all guests. */
export const hostPolicy: Policy<PeerState> = {
  isHost: true,

  admit(peer, header) {
    if (header.term !== (peer.term & 0xffff)) return 'other term';
    return header.reset === (peer.reset & 0xffff) ? null : 'other reset';
  },

  followHeader: () => false,

  /** [H1] A guest sends its own avatar, and no other player's. */
  check(packet, from) {
    const own = packet.authorCount === 1 && packet.authors[0].slot === from;
    return own ? null : 'speaks for another';
  },

  receive(peer, packet, from) {
    const entry = packet.authors[0];
    const time = entry.tick - entry.avatar.age / AGE_STEPS;
    const isNewer = entry.hasAvatar && time > peer.authors[from].avatarTime;
    receiveAvatar(peer, entry);
    if (isNewer) {
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
    // [J3.1] A jointed body has a pose of its own in a hand, too.
    const isCarried = isInHand(out.claim.hold) && records.islands.isJointed[body] === 0;
    if (authority === to || isCarried || !peer.bodies.has(body)) return true;
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

/** [H6] A player has left: its bodies fall free, and its poses and its link's state are dropped. */
export function freeAllOf(peer: PeerState, slot: Slot): void {
  const { records } = peer.bodies;
  for (let i = 0; i < records.count; i++) {
    const body = i as BodyId;
    if (records.authority[body] !== slot) continue;
    // [J2.1] With it the rest of its island.
    free(records, body);
    peer.bodies.startSimulating(body);
    logEvent(peer, 'free', 'H6', body, slot);
  }
  peer.relay.forget(slot);
  peer.rejectedClaims.forget(slot);
  peer.spawnBudget.renew(slot);
  forgetPlayer(peer, slot);
  forEachReceiver(peer, ({ receiver, shared }) => {
    receiver.forgetPlayer(slot);
    shared?.events.forgetPlayer(slot);
  });
  endValues(peer, 'player', slot);
}

/** [A7] Releases the bodies that a newer avatar does not hold any more; [A9] gives those that a hand reaches for. */
function applyReleases(peer: PeerState, packet: PacketReader, from: Slot): void {
  const { records } = peer.bodies;
  const { held } = records;
  const entry = packet.authors[0];
  for (let body = held.next(NO_BODY); body !== NO_BODY; body = held.next(body)) {
    const hold = records.hold[body] as Hold;
    if (!isInHand(hold) || records.authority[body] !== from) continue;
    if (carries(entry, body) || isUnaware(entry.avatar, hold, body)) continue;
    release(records, body);
    logEvent(peer, 'release', 'A7', body, from);
    const speed = speedIn(packet, body);
    if (speed >= THROWN_SPEED) peer.thrownUntil[body] = peer.tick + ticksIn(THROWN_SECONDS, peer.rate);
    if (speed < GIVEN_SPEED) giveAway(peer, body, from);
  }
}

/** Metres a second: a body's speed by the packet; 0 if the packet has no motion of it. */
function speedIn(packet: PacketReader, body: BodyId): number {
  for (let i = 0; i < packet.updateCount; i++) {
    const update = packet.updates[i];
    if (update.body !== body || update.kind !== 'motion') continue;
    dequantiseMotion(update.state, 0, motion, 0);
    return speedOf(motion, 0 as BodyId);
  }
  return 0;
}

/** True if a tracked hand of the entry's avatar holds the body. */
function carries(entry: AuthorEntry, body: BodyId): boolean {
  return HAND_SIDES.some(
    (side) => entry.avatar.hands[side].tracked && entry.avatar.hands[side].held === body,
  );
}

/** [W7] An avatar that holds a body claims to hold it. */
function applyHolds(peer: PeerState, entry: AuthorEntry, from: Slot): void {
  const { incoming } = peer.decision;
  for (const side of HAND_SIDES) {
    const hand = entry.avatar.hands[side];
    if (!hand.tracked || hand.held === NO_BODY) continue;
    incoming.existence = peer.bodies.records.existence[hand.held] as Existence;
    incoming.authority = from;
    incoming.hold = holdOf(side);
    incoming.ownershipSequence = hand.ownershipSequence;
    incoming.authoritySequence = hand.authoritySequence;
    if (!peer.bodies.exists(hand.held) && lesseeOf(peer.bodies.level, hand.held) !== NO_SLOT) {
      // [S2.1] Its player may have spawned it in the same packet: the update decides.
      peer.links[from]?.receiver.dispute(hand.held);
      continue;
    }
    const { verdict } = decideClaim(peer, hand.held, from);
    if (verdict === 'accept' && peer.bodies.records.hold[hand.held] !== incoming.hold) {
      peer.bodies.records.hold[hand.held] = incoming.hold;
    }
  }
}

/** [A9] A reach is no claim; it is only rejected if it can't be true. */
function checkReaches(peer: PeerState, from: Slot): void {
  for (const side of HAND_SIDES) if (isFalseReach(peer, from, side)) reject(peer, 'A9', from);
}

function applyUpdates(peer: PeerState, packet: PacketReader, from: Slot): void {
  const { islandClaims } = peer;
  islandClaims.begin(packet);
  for (let i = 0; i < packet.updateCount; i++) {
    const update = packet.updates[i];
    let verdict = islandClaims.verdictOn(packet, i);
    if (verdict === null) verdict = decideUpdate(peer, packet, i, from);
    islandClaims.keep(update.body, i, verdict);
    if (verdict === 'accept') takeState(peer, packet, i, from);
  }
}

/** Decides the claim of an update: the first of its island in this packet [J2.4]. */
function decideUpdate(peer: PeerState, packet: PacketReader, index: number, from: Slot): Verdict {
  const { incoming } = peer.decision;
  const update = packet.updates[index];
  // [A7.5] A body that is given back is at rest; [J2.3] so is its whole island.
  const isReturn = update.claim.authority === NO_SLOT && absenceOf(update.claim.existence) === null;
  if (isReturn && !restsWhole(peer.bodies.records, packet, update)) {
    reject(peer, 'A7');
    peer.links[from]?.receiver.dispute(update.body);
    return 'reject';
  }
  incoming.authority = update.claim.authority;
  // [A12] A guest claims what its hands hold by its avatar, and what it keeps by the body's update.
  incoming.hold = update.claim.hold === KEPT ? KEPT : NOT_HELD;
  incoming.ownershipSequence = update.claim.ownershipSequence;
  incoming.authoritySequence = update.claim.authoritySequence;
  incoming.existence = update.claim.existence;
  return decideClaim(peer, update.body, from).verdict;
}

/** [H7] The claim of an update was accepted: its state counts, if it is plausible. */
function takeState(peer: PeerState, packet: PacketReader, index: number, from: Slot): void {
  const update = packet.updates[index];
  const { records } = peer.bodies;
  const { authority, existence } = update.claim;
  const doubt = update.kind === 'record' ? null : doubtOf(peer, packet, index, from);
  if (peer.decision.local.existence !== existence && !records.islands.hasOthers(update.body))
    begin(peer, update, from, doubt !== null);
  // [H9.6] [H9.8] Only what can't be true is an offence.
  if (doubt !== null) {
    reject(peer, doubt, from);
    peer.relay.doubt(update, from);
  }
  // A despawn has no state, whatever the packet says.
  if (doubt !== null || update.kind === 'record' || !peer.bodies.exists(update.body)) return;
  if (peer.bodies.isAwaited(update.body)) peer.bodies.become(update.body, update.state);
  if (authority === NO_SLOT) {
    peer.bodies.received.applyReturned(update);
  } else {
    peer.relay.keep(update, from);
    peer.authors[from].stream.addUpdate(update);
  }
}

/** Decides the claim in `peer.decision.incoming`, and changes the record accordingly. Fills `peer.decision.local`. */
function decideClaim(peer: PeerState, body: BodyId, from: Slot): Decision {
  const { records } = peer.bodies;
  const { local, incoming } = peer.decision;
  readClaim(records, body, local);
  // [J2.2] A body is held while any part of its island is.
  local.hold = holdOfIsland(records, body);
  local.acceptedOwnership = records.acceptedOwnership[body] as Sequence;
  const root = records.islands.rootOf(body);
  const bySequences = decideAsHost(local, incoming, from, peer.sequenceBudget.left(from, root, peer.tick));
  // [S4.3] Nobody has an id without a body.
  const isOfBody = peer.bodies.exists(body) || incoming.authority === NO_SLOT;
  const isSame = local.existence === incoming.existence && isOfBody;
  const bySame = beginsForbidden(peer, body, from, bySequences) ? FORBIDDEN : bySequences;
  const decision = isSame ? bySame : decideOther(peer, body, from, bySequences);
  switch (decision.verdict) {
    case 'accept':
      accept(peer, body, from, decision);
      break;
    case 'override':
      if (decision.rule === 'S4') overrideOutdated(peer, body, from);
      else rejectAndPass(peer, body, from, decision.rule === 'A4' ? 'A4' : 'H2');
      break;
    case 'refuse':
      refuseSpawn(peer, body, from);
      break;
    default:
      if (decision.rule !== 'A4' || local.authority !== NO_SLOT || incoming.authority !== NO_SLOT) {
        reject(peer, decision.rule, from);
        peer.links[from]?.receiver.dispute(body);
        // [A9] Late claims of the player that has just given the body are not logged.
        if (claimsMore(peer.decision) && peer.giving.from(body) !== from)
          logRejection(peer, decision.rule, body, from);
      }
  }
  return decision;
}

/** [A15.3] True for a claim that would be accepted, and begins what the body's template forbids guests. */
function beginsForbidden(peer: PeerState, body: BodyId, from: Slot, { verdict }: Decision): boolean {
  const { records } = peer.bodies;
  const { local, incoming } = peer.decision;
  if (records.forbidden[body] === 0 || verdict !== 'accept' || incoming.authority !== from) return false;
  const isNew = local.authority !== from;
  if (incoming.hold === NOT_HELD) {
    // [A15.4] Or it was in the guest's hand, or kept, and the packets that said so are lost.
    const grabs = newer(incoming.ownershipSequence, local.ownershipSequence);
    const wasHeld =
      grabs && (isAllowed(records, body, 'hold', false) || isAllowed(records, body, 'keep', false));
    return isNew && !wasHeld && !isAllowed(records, body, 'take', false);
  }
  const begins = isNew || local.hold !== incoming.hold;
  return begins && !isAllowed(records, body, incoming.hold === KEPT ? 'keep' : 'hold', false);
}

/** True if a rejected claim was for a body over which the claimant has no authority, and not just late. */
function claimsMore({ incoming, local }: DecisionContext): boolean {
  return incoming.authority !== NO_SLOT && local.authority !== incoming.authority;
}

/** Logs the rejection of a claim once, though the claim is repeated in every packet. */
function logRejection(peer: PeerState, rule: Rule, body: BodyId, from: Slot): void {
  if (peer.rejectedClaims.add(peer.decision.incoming, body, from)) logEvent(peer, 'refuse', rule, body, from);
}

/**
 * [A14.6] The host takes a guest's body, and its island: late repetitions of the guest's last claim will be rejected
 * without being logged, and its states are relayed no more. Call it before the claim changes.
 */
export function ignoreLateClaims(peer: PeerState, body: BodyId): void {
  for (const part of peer.bodies.records.islands.parts[body]) {
    const late = readClaim(peer.bodies.records, part, peer.decision.local);
    peer.rejectedClaims.add(late, part, late.authority);
    peer.relay.drop(part);
  }
}

function accept(peer: PeerState, body: BodyId, from: Slot, decision: Decision): void {
  const { records } = peer.bodies;
  const { local, incoming } = peer.decision;
  const changes =
    local.authority !== incoming.authority || (incoming.hold !== NOT_HELD && incoming.hold !== local.hold);
  const isRepeated = decision.rule === 'A4';
  records.acceptedOwnership[body] = incoming.ownershipSequence;
  if (isRepeated) return;
  const grabs = newer(incoming.ownershipSequence, local.ownershipSequence);
  // [S5.1] Spawns have a limit of their own, and there are no more despawns than spawns.
  const isGrab = grabs && incoming.existence === local.existence;
  const root = records.islands.rootOf(body);
  peer.sequenceBudget.spend(from, root, leadOf(local, incoming, from), isGrab);
  records.authority[body] = incoming.authority;
  if (!isStillInHand(peer, body, from))
    records.hold[body] = keepsTooMuch(peer, from) ? NOT_HELD : incoming.hold;
  records.existence[body] = incoming.existence;
  // [H3] A holder may not know yet that the host has moved the sequence past its own: then the record keeps the newer
  // one.
  if (grabs) records.ownershipSequence[body] = incoming.ownershipSequence;
  records.authoritySequence[body] = incoming.authoritySequence;
  records.confirmed[body] = 0;
  shareClaim(records, body);
  if (local.hold === KEPT && incoming.hold === NOT_HELD) logEvent(peer, 'release', 'A12', body, from);
  if (!changes) return;
  // [A14.6] Late claims of the player that was struck are not logged.
  const isStruck = !grabs && local.authority !== NO_SLOT && local.authority !== from;
  for (const part of records.islands.parts[body]) {
    peer.blows.passed(peer.bodies, part, local.authority, peer.self, peer.tick);
    if (isStruck) peer.rejectedClaims.add(local, part, local.authority);
    peer.relay.drop(part);
    records.restTicks[part] = 0;
  }
  if (local.authority === peer.self && local.hold === NOT_HELD)
    logEvent(peer, 'lose', decision.rule, body, peer.self);
  logEvent(peer, incoming.authority === NO_SLOT ? 'return' : 'accept', decision.rule, body, from);
}

/** [A7.1] True for a jointed body in the claimant's hand, which an update does not open: only an avatar does. */
function isStillInHand({ bodies: { records }, decision }: PeerState, body: BodyId, from: Slot): boolean {
  const { local, incoming } = decision;
  if (records.islands.isJointed[body] === 0 || incoming.hold !== NOT_HELD) return false;
  return isInHand(records.hold[body]) && local.authority === from && incoming.authority === from;
}

/** [A12.7] True if the claim is to keep one more body than its player may. */
function keepsTooMuch(
  { bodies: { records }, decision: { local, incoming } }: PeerState,
  from: Slot,
): boolean {
  const isNew = incoming.hold === KEPT && (local.hold !== KEPT || local.authority !== from);
  // [A12.1] Keeping begins as a grab does. Counting for each other claim would cost too much.
  const grabs = newer(incoming.ownershipSequence, local.ownershipSequence);
  return isNew && (!grabs || keptBy(records, from) >= MAX_KEPT);
}

/**
 * [H3] Rejects a claim, and moves past it at most once a second for each claimant.
 * @param rule [H2] the body is held; or [A4.2] the host has it under nobody by the claim's own sequences, and nobody is
 * to blame.
 */
function rejectAndPass(peer: PeerState, body: BodyId, from: Slot, rule: 'A4' | 'H2'): void {
  const { local, incoming } = peer.decision;
  peer.links[from]?.receiver.dispute(body);
  logRejection(peer, rule, body, from);
  reject(peer, rule, from);
  if (peer.tick - peer.lastOverride[from] < ticksIn(OVERRIDE_INTERVAL_SECONDS, peer.rate)) return;
  peer.lastOverride[from] = peer.tick;
  const past = newer(incoming.ownershipSequence, local.ownershipSequence)
    ? incoming.ownershipSequence
    : local.ownershipSequence;
  moveOwnershipPast(peer.bodies.records, body, past);
  logEvent(peer, 'override', 'H3', body, from);
}

const FORBIDDEN = { verdict: 'override', rule: 'H3' } as const;
/** Scratch of speedIn. */
const motion = new Float32Array(STRIDE);
