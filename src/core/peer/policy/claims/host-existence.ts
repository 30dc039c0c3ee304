import type { BodyId, Sequence, Slot } from '../../../base/ids.ts';
import { NO_SLOT } from '../../../base/ids.ts';
import { OVERRIDE_INTERVAL_SECONDS, ticksIn } from '../../../base/constants.ts';
import { newer } from '../../../base/sequence.ts';
import type { BodyUpdate } from '../../../wire/bodies/update.ts';
import { moveOwnershipPast } from '../../../world/authority.ts';
import type { Decision } from '../../../world/decide.ts';
import { leadOf } from '../../../world/decide.ts';
import { decideExistence } from '../../../world/decide-existence.ts';
import type { Absence } from '../../../world/existence.ts';
import { absenceOf, gone, lesseeOf, templateOf } from '../../../world/existence.ts';
import { logEvent } from '../../diagnostics/log-event.ts';
import type { PeerState } from '../../peer-state.ts';
import { endValues } from '../../shared/shared-writes.ts';
import { reject } from '../offences.ts';

/** [S2] to [S4] The claim says that another body has the id, or none. */
export function decideOther(peer: PeerState, body: BodyId, sender: Slot, bySequences: Decision): Decision {
  const { level, records } = peer.bodies;
  const { local, incoming } = peer.decision;
  const isHere = templateOf(level, body, records.existence[body]) !== null;
  const isClaimed = templateOf(level, body, incoming.existence) !== null;
  const lessee = lesseeOf(level, body);
  // [J2.6] No body goes while it has a joint.
  const isForSpawning = lessee !== NO_SLOT && records.islands.isJointed[body] === 0;
  const isSenders = lessee === sender;
  const claimed = { local, incoming, isHere, isClaimed, isForSpawning, isSenders, sender };
  return decideExistence(claimed, bySequences, absenceFor(peer, body, sender) === null);
}

/** [S2], [S5] Why a guest may not spawn the claimed body now; null if it may. */
function absenceFor(peer: PeerState, body: BodyId, from: Slot): Absence | null {
  const { level } = peer.bodies;
  const template = templateOf(level, body, peer.decision.incoming.existence);
  const isItsOwn = lesseeOf(level, body) === from;
  if (!isItsOwn || template === null || !level.spawning.templates.includes(template)) return 'not allowed';
  return peer.spawnBudget.allows(from, peer.tick, SPAWN_SLACK) ? null : 'too many';
}

/** [S2] A guest's body begins here with its first state, if that is plausible [H9]; or it is gone. */
export function begin(peer: PeerState, update: Readonly<BodyUpdate>, from: Slot, isFalse: boolean): void {
  const { body } = update;
  const { bodies } = peer;
  if (lesseeOf(bodies.level, body) === from && absenceOf(update.claim.existence) === null)
    peer.spawnBudget.spend(from);
  bodies.rest.disturbTouching(body);
  const isGone = absenceOf(update.claim.existence) !== null;
  // [V4.3] The guest may have written for the body before, and its packet may still come.
  endValues(peer, 'body', body);
  if (isGone) bodies.become(body, null);
  else if (update.kind === 'record' || isFalse) bodies.becomeAwaited(body);
  else bodies.become(body, update.state);
  logEvent(peer, isGone ? 'despawn' : 'spawn', isGone ? 'S3' : 'S2', body, from);
}

/** [S2] The guest learns the reason by the record. */
export function refuseSpawn(peer: PeerState, body: BodyId, from: Slot): void {
  const { records } = peer.bodies;
  const { local, incoming } = peer.decision;
  const why = absenceFor(peer, body, from) ?? 'not allowed';
  // [H5] Else refused spawns could turn the sequence half around.
  peer.sequenceBudget.spend(from, body, leadOf(local, incoming, from), true);
  moveOwnershipPast(records, body, incoming.ownershipSequence);
  records.existence[body] = gone(local.existence, why);
  peer.links[from]?.receiver.dispute(body);
  reject(peer, 'S2', from);
  logEvent(peer, 'refuse', 'S2', body, from);
}

/**
 * [S4] Rejects a claim on another generation. If the claim is not older than the record, moves the record past it, at
 * most once a second for each claimant.
 */
export function overrideOutdated(peer: PeerState, body: BodyId, from: Slot): void {
  const { incoming } = peer.decision;
  peer.links[from]?.receiver.dispute(body);
  reject(peer, 'S4', from);
  const own = peer.bodies.records.ownershipSequence[body] as Sequence;
  // The guest will accept the host's record as it is.
  if (newer(own, incoming.ownershipSequence)) return;
  if (peer.tick - peer.lastOverride[from] < ticksIn(OVERRIDE_INTERVAL_SECONDS, peer.rate)) return;
  peer.lastOverride[from] = peer.tick;
  const { records } = peer.bodies;
  moveOwnershipPast(records, body, incoming.ownershipSequence);
  logEvent(peer, 'override', 'S4', body, from);
}

/** [S5] Spawns that a guest may have more than the level allows in a second: packets bunch on their way. */
const SPAWN_SLACK = 2;
