import type { BodyId, Existence } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import { gone } from '../../world/existence.ts';
import { quantiseMotion } from '../../wire/bodies/quantise.ts';
import type { SavedWorld } from '../../wire/files/saved-world.ts';
import type { LevelReference } from '../../world/level-reference.ts';
import { restoreValues, saveValues } from '../shared/saved-values.ts';
import { dropUntenable } from '../joints/untying.ts';
import { followJoints } from '../joints/follow-joints.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * Begins the level anew under a reset number, from its start or from a saved world: claims, rulings and poses from
 * before count no more.
 */
export function resetLevel(peer: PeerState, reset: number, saved: SavedWorld | null): void {
  peer.reset = reset;
  peer.shared?.store.restart();
  if (peer.shared !== null && saved?.shared !== undefined) restoreValues(peer.shared, saved.shared);
  followJoints(peer, null);
  peer.bodies.putAll(saved);
  peer.relay.clear();
  peer.crowds.clear();
  peer.giving.clear();
  peer.lastRuling.fill(-1);
  peer.rejectedClaims.clear();
  peer.thrownUntil.fill(0);
  peer.blows.clear();
  peer.bodies.driven.restart(saved?.time ?? 0);
  for (const { stream, avatar, time } of peer.authors) {
    time.clear();
    stream.drop();
    for (const hand of avatar.hands) hand.reach = NO_BODY;
  }
  if (peer.policy.isHost) dropUntenable(peer);
  logEvent(peer, 'reset', '', NO_BODY, NO_SLOT);
}

/**
 * The world as a peer has it now. The arrays are copies that the caller owns.
 * @param now seconds since the beginning of 1970.
 */
export function saveWorld({ bodies, shared }: PeerState, level: LevelReference, now: number): SavedWorld {
  const state = Int32Array.from(bodies.records.state);
  for (let body = 0 as BodyId; body < bodies.count; body++) {
    if (!bodies.kinematic.has(body)) continue;
    // A body in a hand is saved as if it had been let go at rest.
    const at = body * STRIDE;
    const motion = Float32Array.from(bodies.motion.subarray(at, at + STRIDE)).fill(0, MOTION.linear);
    quantiseMotion(motion, 0, state.subarray(at, at + STRIDE));
  }
  const { resting } = bodies.records;
  const existence = bodies.records.existence.map((is, body) =>
    bodies.isAwaited(body as BodyId) ? gone(is as Existence, 'despawned') : is,
  );
  return {
    level,
    savedAt: now,
    existence,
    resting: Uint8Array.from(resting),
    state,
    ...(bodies.driven.count === 0 ? {} : { time: bodies.driven.clock.time }),
    ...(shared === null ? {} : { shared: saveValues(shared) }),
  };
}

/** True if any body was in a hand since the level began; if not, there is nothing worth saving. */
export function isTouched({ bodies }: PeerState): boolean {
  return bodies.records.ownershipSequence.some((sequence) => sequence !== 0);
}
