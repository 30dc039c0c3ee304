import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { Roster } from '../../core/room/messages.ts';

/**
 * [P8] Gives each avatar the name that its player has in the roster: a player may change its name while it plays, and
 * its packets keep the name with which it came in.
 * @param view is changed.
 * @param roster null changes nothing.
 */
export function nameAvatars(
  { avatars }: Pick<PeerView, 'avatars'>,
  roster: Pick<Roster, 'players'> | null,
): void {
  if (roster === null) return;
  for (const avatar of avatars)
    for (const { slot, name } of roster.players) if (slot === avatar.slot) avatar.name = name;
}
