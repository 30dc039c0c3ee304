import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import { isOneClaim, unite } from '../../world/authority.ts';
import { logEvent } from '../diagnostics/log-event.ts';
import type { PeerState } from '../peer-state.ts';

/**
 * [J4] Brings islands, engine and rest in line with the joints that are there by the shared values. Call it after these
 * may have changed.
 * @param by the player that removed, broke or mended joints, for whom this peer decides; null: what it changed is the
 * host's word, and rulings on the bodies follow.
 */
export function followJoints(peer: PeerState, by: Slot | null): void {
  const { shared, bodies } = peer;
  if (shared === null) return;
  const { islands } = bodies.records;
  const { words } = shared.store;
  let changed: number[] | null = null;
  for (let joint = 0; joint < shared.layout.joints; joint++) {
    if (islands.isGone[joint] === words[joint]) continue;
    islands.isGone[joint] = words[joint];
    bodies.simulation.setJoint(joint, words[joint] === 0 ? islands.joints[joint] : null);
    (changed ??= []).push(joint);
  }
  if (changed === null) return;
  islands.find();
  for (const joint of changed) {
    const isMended = words[joint] === 0;
    const ends = islands.joints[joint].ends.map(({ body }) => (body ?? NO_BODY) as BodyId);
    for (const body of ends) {
      if (body === NO_BODY) continue;
      for (const part of islands.parts[body]) bodies.retie(part);
      if (isMended && by !== null) uniteIsland(peer, body, by);
    }
    logEvent(
      peer,
      isMended ? 'tie' : 'untie',
      'J4',
      ends[0] === NO_BODY ? ends[1] : ends[0],
      by ?? peer.host,
    );
  }
}

/** [J4.5] A joint has made one island of several: its player has all of it by one claim. */
function uniteIsland({ bodies: { records }, self, policy }: PeerState, body: BodyId, by: Slot): void {
  if (!isOneClaim(records, body)) unite(records, body, by, policy.isHost && by === self);
}
