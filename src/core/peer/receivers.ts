import type { Link } from './link.ts';
import type { PeerState } from './peer-state.ts';

/** Calls a function with the link to each peer that gets packets from this one, and [N5.2] with that to all watchers. */
export function forEachReceiver(
  { links, broadcast }: Pick<PeerState, 'links' | 'broadcast'>,
  act: (link: Link) => void,
): void {
  for (const link of links) if (link !== null) act(link);
  if (broadcast !== null) act(broadcast);
}
