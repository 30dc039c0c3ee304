import type { BodyId } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';

/** [J3.3] True for a part of a machine: nobody is given one. */
export function isTied({ joints }: PeerView, body: BodyId): boolean {
  for (const joint of joints) {
    if (joint !== null && (joint.ends[0].body === body || joint.ends[1].body === body)) return true;
  }
  return false;
}
