import type { Slot } from '../../core/base/ids.ts';
import { NO_SLOT } from '../../core/base/ids.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';

/** The slot whose colour a body has: its authority's. NO_SLOT under none, and under a player without an avatar [T1.4]. */
export function colouringSlot(
  { authority, avatars }: Pick<PeerView, 'authority' | 'avatars'>,
  body: number,
): Slot {
  const slot = authority[body] as Slot;
  return slot === NO_SLOT || avatars[slot].avatarless ? NO_SLOT : slot;
}
