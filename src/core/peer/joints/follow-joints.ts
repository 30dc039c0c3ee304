import type { BodyId, Slot } from '../../base/ids.ts';
import { KEPT, NO_BODY } from '../../base/ids.ts';
import type { EntryId } from '../../shared/layout.ts';
import { isOneClaim, unite } from '../../world/authority.ts';
import type { Islands } from '../../world/joints/islands.ts';
import type { Joint } from '../../world/joints/joint.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';
import { madeJoint } from './made-joints.ts';

/** A joint that has changed, and the bodies that it tied or ties. */
export type ChangedJoint = { readonly joint: number; readonly ends: readonly BodyId[] };

/**
 * [J4] Brings islands, engine and rest in line with the joints that are there by the shared values. Call it after these
 * may have changed.
 * @param by the player whose change of joints this peer has decided on; null if the change is the host's word: then
 * rulings on the bodies follow.
 * @returns what has changed; null if nothing has.
 */
export function followJoints(peer: PeerState, by: Slot | null): readonly ChangedJoint[] | null {
  const { shared, bodies, jointWords } = peer;
  if (shared === null || shared.layout.joints === 0) return null;
  const { islands } = bodies.records;
  const { layout, store } = shared;
  // Nearly always there is none: a list in each packet would be garbage.
  let changed: ChangedJoint[] | null = null;
  let wasGone: Uint8Array | null = null;
  for (let joint = 0; joint < layout.joints; joint++) {
    const from = layout.wordOf(joint as EntryId);
    if (store.has(joint as EntryId, jointWords, from)) continue;
    wasGone ??= islands.isGone.slice();
    const { words } = layout.groupOf(joint as EntryId).set;
    jointWords.set(store.words.subarray(from, from + words), from);
    const ends = islands.isGone[joint] === 1 ? [] : endsOf(islands.joints[joint]);
    const found = jointBy(peer, joint, from);
    // [J4.8] A joint that is gone stays known as it was: a guest needs its ends to say under another host that it is
    // gone.
    islands.set(joint, found);
    if (found !== null) ends.push(...endsOf(found));
    (changed ??= []).push({ joint, ends });
  }
  if (changed === null || wasGone === null) return null;
  islands.find();
  changed.push(...affectedByRoom(islands, wasGone, changed));
  for (const { joint } of changed)
    bodies.simulation.setJoint(joint, islands.isGone[joint] === 1 ? null : islands.joints[joint]);
  for (const { joint, ends } of changed) {
    const isThere = islands.isGone[joint] === 0;
    for (const body of ends) {
      for (const part of islands.parts[body]) bodies.retie(part);
      if (isThere && by !== null) uniteIsland(peer, body, by);
    }
    logEvent(peer, isThere ? 'tie' : 'untie', 'J4', ends[0] ?? NO_BODY, by ?? peer.host);
  }
  return changed;
}

/** [J5.5] Joints whose words are the same, but which came because their island has room now, or went because it has no more. */
function affectedByRoom(
  { joints, isGone }: Islands,
  wasGone: Uint8Array,
  changed: readonly ChangedJoint[],
): readonly ChangedJoint[] {
  const known = new Set(changed.map(({ joint }) => joint));
  return joints.flatMap((of, joint) =>
    isGone[joint] === wasGone[joint] || known.has(joint) ? [] : { joint, ends: endsOf(of) },
  );
}

/** The joint of a number by the shared values, whose words begin at `from`; null if there is none. */
function jointBy({ bodies: { level }, jointWords }: PeerState, joint: number, from: number): Joint | null {
  if (joint >= level.joints.length) return madeJoint(level, jointWords, from);
  return jointWords[from] === 0 ? level.joints[joint] : null;
}

function endsOf({ ends }: Joint): BodyId[] {
  return ends.flatMap(({ body }) => (body === null ? [] : [body as BodyId]));
}

/**
 * [J4.5] A joint has made one island of several: its player has all of it by one claim. [J5.3] It keeps none of it, also if
 * the claims were equal before.
 */
function uniteIsland({ bodies: { records }, self, policy }: PeerState, body: BodyId, by: Slot): void {
  const isKept = records.islands.parts[body].some((part) => records.hold[part] === KEPT);
  if (isKept || !isOneClaim(records, body)) unite(records, body, by, policy.isHost && by === self);
}
