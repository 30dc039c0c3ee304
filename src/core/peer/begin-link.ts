import type { ConnectionId, Slot } from '../base/ids.ts';
import { Link } from './link.ts';
import type { PeerState } from './peer-state.ts';
import { beginShared } from './shared/receive-shared.ts';
import { SentShared } from './shared/sent-shared.ts';

/**
 * Begins a link to another peer, in place of an earlier one.
 * @param keepsBodies true if this guest keeps its bodies, under another host [F4].
 */
export function beginLink(peer: PeerState, slot: Slot, connection: ConnectionId, keepsBodies: boolean): void {
  const link = newLink(peer, slot, connection);
  peer.links[slot] = link;
  beginShared(peer, link, keepsBodies);
}

/** @returns a link of this peer that nothing has gone through. */
export function newLink(peer: PeerState, slot: Slot, connection: ConnectionId): Link {
  const { bodies, flights, rate, shared } = peer;
  const sent = shared === null ? null : new SentShared(shared, peer.policy.isHost);
  return new Link(slot, connection, bodies.count, flights, rate, sent);
}

/** A new beginning of the level: neither end of a link has anything of it. */
export function forgetLink(peer: PeerState, link: Link): void {
  link.forget();
  beginShared(peer, link, true);
}
