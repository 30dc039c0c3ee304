import type { BodyId } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { EntryId } from '../../shared/layout.ts';
import { isAsMade, loadOf } from '../../world/joints/tears.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { write } from '../shared/shared-writes.ts';
import type { ChangedJoint } from './follow-joints.ts';
import { simulatesEnds } from './joint-writers.ts';
import { NONE } from './made-joints.ts';

/** The word of a joint of the level that is gone, and of one that is there. */
const GONE = Int32Array.of(1);
export const THERE = Int32Array.of(0);

/** The words of a joint that is gone. */
export function goneWords({ bodies: { level } }: PeerState, joint: number): Int32Array {
  return joint < level.joints.length ? GONE : NONE;
}

/** [J6] After the step: breaks the joints of bodies that this peer simulates which are under more than their force. */
export function breakOverloaded(peer: PeerState): void {
  const { bodies, shared } = peer;
  if (shared === null) return;
  const { joints, isGone } = bodies.records.islands;
  for (let joint = 0; joint < shared.layout.joints; joint++) {
    if (isGone[joint] === 1 || joints[joint].breaksAt === undefined) continue;
    if (!simulatesEnds(peer, joint, peer.self) || loadOf(joints[joint], bodies.motion) <= 1) continue;
    const { body } = joints[joint].ends[joints[joint].ends[0].body === null ? 1 : 0];
    logEvent(peer, 'break', 'J6', (body ?? NO_BODY) as BodyId, peer.self);
    write(peer, shared, joint as EntryId, goneWords(peer, joint), 0);
  }
}

/**
 * [J5.4] Takes away the joints of some bodies that players made.
 * @returns false if they have none.
 */
export function untieMade(peer: PeerState, bodies: readonly BodyId[]): boolean {
  const { level, records } = peer.bodies;
  const { jointsOf } = records.islands;
  const { shared } = peer;
  const made = bodies.flatMap((part) => jointsOf[part].filter((joint) => joint >= level.joints.length));
  if (shared === null || made.length === 0) return false;
  for (const joint of new Set(made)) write(peer, shared, joint as EntryId, NONE, 0);
  return true;
}

/** [J5.4] Host: a saved world, or what the host before said last, may have joints of bodies that are not here. */
export function dropUntenable(peer: PeerState): void {
  const { bodies, shared } = peer;
  if (shared === null) return;
  const { joints, isGone } = bodies.records.islands;
  for (let joint = bodies.level.joints.length; joint < shared.layout.joints; joint++) {
    const isSound = joints[joint].ends.every(({ body }) => body === null || bodies.has(body as BodyId));
    if (isGone[joint] === 0 && !isSound) write(peer, shared, joint as EntryId, NONE, 0);
  }
}

/** [J4.9] Guest: by the host's word these joints have changed. Where the ends are here, the engine would fling the bodies. */
export function untieMisfits(peer: PeerState, changed: readonly ChangedJoint[]): void {
  const { bodies, shared, self } = peer;
  if (shared === null) return;
  const { joints, isGone } = bodies.records.islands;
  for (const { joint } of changed) {
    if (isGone[joint] === 1 || !simulatesEnds(peer, joint, self)) continue;
    if (!isAsMade(joints[joint], bodies.motion))
      write(peer, shared, joint as EntryId, goneWords(peer, joint), 0);
  }
}

/** [J5.4] True while a guest waits for the host's word on a joint. */
export function waitsForJoint({ shared, links, host }: PeerState): boolean {
  const entries = links[host]?.shared?.entries;
  if (shared === null || entries === undefined) return false;
  for (let joint = 0; joint < shared.layout.joints; joint++)
    if (entries.isWaiting(joint as EntryId)) return true;
  return false;
}
