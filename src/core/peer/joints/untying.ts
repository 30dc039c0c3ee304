import type { BodyId } from '../../base/ids.ts';
import type { EntryId } from '../../shared/layout.ts';
import { isAsMade } from '../../world/joints/tears.ts';
import type { PeerState } from '../peer-state.ts';
import { markAll } from '../shared/shared-writes.ts';
import type { ChangedJoint } from './follow-joints.ts';
import { followJoints } from './follow-joints.ts';
import { simulatesEnds } from './joint-writers.ts';
import { NONE } from './made-joints.ts';

/** The word of a joint of the level that is gone, and of one that is there. */
const GONE = Int32Array.of(1);
export const THERE = Int32Array.of(0);

/** The words of a joint that is gone. */
export function goneWords({ bodies: { level } }: PeerState, joint: number): Int32Array {
  return joint < level.joints.length ? GONE : NONE;
}

/** This peer removes joints, as it may. They are followed once: islands are found anew for all of them together. */
export function untie(peer: PeerState, joints: readonly number[]): void {
  const { shared } = peer;
  if (shared === null || joints.length === 0) return;
  for (const joint of joints)
    if (shared.store.write(joint as EntryId, goneWords(peer, joint), 0)) markAll(peer, joint as EntryId);
  followJoints(peer, peer.self);
}

/**
 * [J5.4] Takes away the joints of some bodies that players made.
 * @returns false if they have none.
 */
export function untieMade(peer: PeerState, bodies: readonly BodyId[]): boolean {
  const { level, records } = peer.bodies;
  const { jointsOf } = records.islands;
  const made = bodies.flatMap((part) => jointsOf[part].filter((joint) => joint >= level.joints.length));
  untie(peer, made);
  return made.length > 0;
}

/** [J5.4] Host: a saved world, or what the host before said last, may have joints of bodies that are not here. */
export function dropUntenable(peer: PeerState): void {
  const { bodies, shared } = peer;
  if (shared === null) return;
  const { joints, isGone } = bodies.records.islands;
  const untenable: number[] = [];
  for (let joint = bodies.level.joints.length; joint < shared.layout.joints; joint++) {
    const isSound = joints[joint].ends.every(({ body }) => body === null || bodies.has(body as BodyId));
    if (isGone[joint] === 0 && !isSound) untenable.push(joint);
  }
  untie(peer, untenable);
}

/**
 * [J4.9] Guest: the host's word has changed these joints. Removes those of which this peer simulates both ends, unless
 * these are where the joint holds them: the engine would fling the bodies.
 */
export function untieMisfits(peer: PeerState, changed: readonly ChangedJoint[]): void {
  const { bodies, self } = peer;
  const { joints, isGone } = bodies.records.islands;
  const misfits = changed.filter(
    ({ joint }) =>
      isGone[joint] === 0 && simulatesEnds(peer, joint, self) && !isAsMade(joints[joint], bodies.motion),
  );
  untie(
    peer,
    misfits.map(({ joint }) => joint),
  );
}

/** [J5.4] True while a guest waits for the host's word on a joint. */
export function waitsForJoint({ shared, links, host }: PeerState): boolean {
  const entries = links[host]?.shared?.entries;
  if (shared === null || entries === undefined) return false;
  for (let joint = 0; joint < shared.layout.joints; joint++)
    if (entries.isWaiting(joint as EntryId)) return true;
  return false;
}
