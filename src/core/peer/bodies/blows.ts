import type { BodyId } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT, NOT_HELD } from '../../base/ids.ts';
import { HARD_COLLISION_SPEED } from '../../base/constants.ts';
import { approachSpeed } from '../../base/motion.ts';
import { isAllowed, take } from '../../world/authority.ts';
import { holdOfIsland } from '../../world/record.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { simulatorOf } from '../simulator.ts';
import { ignoreLateClaims } from '../policy/host-policy.ts';

/** Metres a second along the line of centres above which a touch is a blow. */
const BLOW_SPEED = 1;

/**
 * A body has collided in this tick, at this speed in m/s. With another body that may be a blow [A14], and a hard
 * collision is logged.
 * @param b NO_BODY for what is no body.
 */
export function collide(peer: PeerState, a: BodyId, b: BodyId, speed: number): void {
  if (b === NO_BODY) return;
  touch(peer, a, b);
  if (speed < HARD_COLLISION_SPEED) return;
  if (simulatorOf(peer, a) === peer.self || simulatorOf(peer, b) === peer.self)
    logEvent(peer, 'collide', '', a, simulatorOf(peer, a));
}

/**
 * [A14] Two bodies begin to touch in the step of this tick. If one of them is this player's and strikes the other, this
 * player takes that one: so the blow is felt at once where it was struck. Motions are still those before the step.
 */
export function touch(peer: PeerState, a: BodyId, b: BodyId): void {
  const struck = struckOf(peer, a, b);
  if (struck === NO_BODY || approachSpeed(peer.bodies.motion, a, b) <= BLOW_SPEED) return;
  strikeBody(peer, struck);
  for (const part of peer.bodies.records.islands.parts[struck]) peer.blows.took(part, peer.tick);
}

/**
 * The body that this player takes if the two approach each other fast enough: the one that the other strikes; NO_BODY
 * if it may take neither.
 */
function struckOf(peer: PeerState, a: BodyId, b: BodyId): BodyId {
  if (strikes(peer, a)) return mayTake(peer, a, b) ? b : NO_BODY;
  return strikes(peer, b) && mayTake(peer, b, a) ? a : NO_BODY;
}

/** [A14.1] True if this player holds or keeps a body, or threw it within the last second. */
function strikes({ self, tick, bodies: { records }, thrownUntil }: PeerState, body: BodyId): boolean {
  if (records.authority[body] !== self) return false;
  return holdOfIsland(records, body) !== NOT_HELD || thrownUntil[body] > tick;
}

/**
 * [A14.2] True if a blow may take this body: it is another player's and awake, nobody holds or keeps it, and neither
 * its template nor another rule of blows forbids it.
 */
function mayTake(peer: PeerState, striker: BodyId, body: BodyId): boolean {
  const { records, kinematic } = peer.bodies;
  const has = records.authority[body];
  if (has === NO_SLOT || has === peer.self) return false;
  if (records.resting[body] === 1 || kinematic.has(body)) return false;
  if (holdOfIsland(records, body) !== NOT_HELD) return false;
  if (!isAllowed(records, body, 'take', peer.policy.isHost)) return false;
  if (peer.blows.isPaused(body, peer.tick)) return false;
  // [A14.5] Two thrown bodies do not change places.
  return has > peer.self || holdOfIsland(records, striker) !== NOT_HELD;
}

/** [A14.3] This player takes another player's body and its island, and simulates them from now on. */
export function strikeBody(peer: PeerState, body: BodyId): void {
  const { isHost } = peer.policy;
  if (isHost) ignoreLateClaims(peer, body);
  take(peer.bodies.records, body, peer.self, isHost);
  peer.bodies.startSimulating(body);
  for (const part of peer.bodies.records.islands.parts[body]) peer.thrownUntil[part] = 0;
  logEvent(peer, 'take', 'A14', body, peer.self);
}
