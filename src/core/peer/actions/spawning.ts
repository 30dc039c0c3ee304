import type { BodyId, Existence } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { MAX_LINEAR_SPEED } from '../../base/constants.ts';
import type { ReadonlyPose, ReadonlyVector } from '../../base/math.ts';
import { isUnit } from '../../base/math.ts';
import { putVector } from '../../base/motion.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import { beginBody, endBody } from '../../world/authority.ts';
import { existing, firstIdOf, generationOf, gone, idsOf } from '../../world/existence.ts';
import type { Template } from '../../world/level.ts';
import { isInBounds } from '../../world/level.ts';
import { quantiseMotion } from '../../wire/bodies/quantise.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { untieMade, waitsForJoint } from '../joints/untying.ts';
import { ignoreLateClaims } from '../policy/host-policy.ts';
import { endValues } from '../shared/shared-writes.ts';

/** [S2] A body to be spawned: its template, which is one of the level's, and its motion in metres and seconds. */
export type Spawn = {
  readonly template: Template;
  readonly pose: ReadonlyPose;
  readonly linear: ReadonlyVector;
  readonly angular: ReadonlyVector;
};

/**
 * Why a body is not spawned or despawned:
 * - `not allowed`: the level lets nobody spawn; or a guest asks to despawn one of the level's own bodies.
 * - `not yours`: the guest does not have the body, or the host has not confirmed it yet. That takes a round trip after
 *   `spawn` or `take`.
 * - `no template`: the template is not one of the objects in `spawning.templates`. A copy does not count.
 * - `too many`: all ids of this player are in use, or its slot has none.
 * - `too fast`: this player has spawned too many in the last second.
 * - `bounds`: the motion is out of the world, or not finite.
 * - `no world`: a guest does not have the host's word on the world yet.
 * - `no body`: there is none of this id.
 * - `jointed`: joints tie it to others, or to the world [J2.6].
 */
export type SpawnRefusal =
  | 'not allowed'
  | 'not yours'
  | 'no template'
  | 'too many'
  | 'too fast'
  | 'bounds'
  | 'no world'
  | 'no body'
  | 'jointed';

/**
 * [S2] Spawns a body under this player, at once. On a guest the host may refuse it, which is logged as `refuse`.
 * @returns its id, or why there is none.
 */
export function spawn(peer: PeerState, wish: Spawn): BodyId | SpawnRefusal {
  const { bodies, self, tick, policy } = peer;
  const { level, records } = bodies;
  if (level.spawning.templates.length === 0) return 'not allowed';
  if (!level.spawning.templates.includes(wish.template)) return 'no template';
  if (!isPossible(peer, wish)) return 'bounds';
  if (!policy.isHost && peer.term < 0) return 'no world';
  const body = freeId(peer);
  if (body === NO_BODY) return 'too many';
  if (!peer.spawnBudget.allows(self, tick)) return 'too fast';
  peer.spawnBudget.spend(self);
  const existence = records.existence[body] as Existence;
  beginBody(records, body, self, policy.isHost);
  records.existence[body] = existing(generationOf(existence), level.templates.indexOf(wish.template));
  bodies.become(body, stateOf(wish));
  // [V4.3] Otherwise this body would begin with the last values of its id, and a waiting write of those would count for
  // it.
  endValues(peer, 'body', body);
  bodies.startSimulating(body);
  logEvent(peer, 'spawn', 'S2', body, self);
  return body;
}

/**
 * [S3] Takes a body out of the world: any on the host; on a guest one that was spawned, and that the host has confirmed
 * as this player's.
 * @returns why not; null if it is gone.
 */
export function despawn(peer: PeerState, body: BodyId): SpawnRefusal | null {
  const { bodies, self, policy } = peer;
  const { records } = bodies;
  if (!Number.isInteger(body) || body < 0 || body >= bodies.count || !bodies.exists(body)) return 'no body';
  if (!policy.isHost && body < bodies.level.bodies.length) return 'not allowed';
  if (records.islands.isTied[body] === 1) return 'jointed';
  // [J5.4]
  if (policy.isHost) untieMade(peer, [body]);
  if (records.islands.isJointed[body] === 1) return 'jointed';
  // [J5.4] To the host, the body may still have the joint that this guest has removed.
  if (!policy.isHost && waitsForJoint(peer)) return 'jointed';
  const isMine = records.authority[body] === self && records.confirmed[body] === 1;
  if (!policy.isHost && !isMine) return 'not yours';
  if (policy.isHost && records.authority[body] !== self && records.authority[body] !== NO_SLOT) {
    ignoreLateClaims(peer, body);
  }
  peer.relay.drop(body);
  endBody(records, body, policy.isHost);
  records.existence[body] = gone(records.existence[body] as Existence, 'despawned');
  bodies.rest.disturbTouching(body);
  bodies.become(body, null);
  if (policy.isHost) endValues(peer, 'body', body);
  logEvent(peer, 'despawn', 'S3', body, self);
  return null;
}

/** The first id of this player that has no body, and on which nothing is under way; NO_BODY if there is none. */
function freeId({ bodies, self }: PeerState): BodyId {
  const { records, level } = bodies;
  const first = firstIdOf(level, self);
  for (let i = 0; i < idsOf(level, self); i++) {
    const body = (first + i) as BodyId;
    const isSettled = records.stale[body] === 0 && records.pendingCommit[body] === 0;
    const isJointed = records.islands.isJointed[body] === 1;
    if (!bodies.exists(body) && isSettled && !isJointed) return body;
  }
  return NO_BODY;
}

function isPossible({ bodies }: PeerState, { pose, linear, angular }: Spawn): boolean {
  const isPlace = isUnit(pose.rotation) && isInBounds(bodies.level.bounds, pose.position);
  return isPlace && isSlow(linear) && isSlow(angular);
}

function isSlow({ x, y, z }: ReadonlyVector): boolean {
  return x * x + y * y + z * z <= (MAX_LINEAR_SPEED / 2) ** 2;
}

/** The quantised state with which a body begins; it is overwritten by the next call. */
function stateOf({ pose, linear, angular }: Spawn): Int32Array {
  putVector(pose.position, motion, 0);
  putVector(pose.rotation, motion, MOTION.rotation);
  motion[MOTION.rotation + 3] = pose.rotation.w;
  putVector(linear, motion, MOTION.linear);
  putVector(angular, motion, MOTION.angular);
  state.fill(-1);
  quantiseMotion(motion, 0, state);
  return state;
}

const motion = new Float32Array(STRIDE);
const state = new Int32Array(STRIDE);
