import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import { STRIDE } from '../../base/state.ts';
import { isWithin } from '../../world/level.ts';
import { MOST_TEAR } from '../../world/joints/tears.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { despawn } from '../actions/spawning.ts';
import { untieMade } from '../joints/untying.ts';

/**
 * [R4.1] [J2.8] Puts back bodies that have left the world or torn a joint: this peer's own to their start, those of
 * others to their record. [S2.5] The host removes a body without a known pose if its player is gone.
 */
export function putBackStrays(peer: PeerState): void {
  const { bodies } = peer;
  const { maybeAstray } = bodies;
  const { awake } = bodies.simulation;
  // A sleeping body stays where it was last looked at: nearly all of a large world does.
  for (
    let body = awake.nextOfEither(maybeAstray, NO_BODY);
    body !== NO_BODY;
    body = awake.nextOfEither(maybeAstray, body)
  ) {
    // [S2.5] Its player is gone, and nobody knows where it was.
    if (peer.policy.isHost && bodies.isAwaited(body) && bodies.simulatedHere[body] === 1) despawn(peer, body);
    if (!bodies.exists(body)) maybeAstray.delete(body);
    if (!bodies.has(body) || bodies.kinematic.has(body)) continue;
    const isInBounds = isWithin(bodies.level.bounds, 0, bodies.motion, body * STRIDE);
    const { isJointed } = bodies.records.islands;
    if (isInBounds && isJointed[body] === 0) maybeAstray.delete(body);
    else maybeAstray.add(body);
    if (isInBounds && (isJointed[body] === 0 || !isTorn(peer, body))) continue;
    if (bodies.simulatedHere[body] === 0) {
      bodies.putBackToRecord(body);
      continue;
    }
    // [J5.4] With the next tick each of its parts is alone.
    if (untieMade(peer, bodies.records.islands.parts[body])) continue;
    if (body >= bodies.level.bodies.length) {
      // A spawned body has no start. A guest waits until it is confirmed.
      if (despawn(peer, body) !== null) bodies.putBackToRecord(body);
      continue;
    }
    // [J2.6] An island goes back whole. A host may say that a part of it is gone.
    for (const part of bodies.records.islands.parts[body]) if (bodies.has(part)) bodies.putBackToStart(part);
    logEvent(peer, 'put back', 'R4', body, peer.self);
  }
}

/** [J2.8] True if this peer simulates the body, and one of its joints is torn. */
function isTorn({ bodies, tears }: PeerState, body: BodyId): boolean {
  if (bodies.simulatedHere[body] === 0 || bodies.records.resting[body] === 1) return false;
  return tears.tearOf(body, bodies.motion) > MOST_TEAR;
}
