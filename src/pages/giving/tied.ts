import type { BodyId } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';

/** [J3.3] True for a part of a machine: nobody is given one. */
export function isTied({ joints }: PeerView, body: BodyId): boolean {
  return joints.some((joint) => joint !== null && joint.ends.some((end) => end.body === body));
}
