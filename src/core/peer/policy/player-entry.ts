import type { Slot } from '../../base/ids.ts';
import { AGE_STEPS, copyAvatar } from '../../wire/avatar/avatar.ts';
import type { AuthorEntry } from '../../wire/packet.ts';
import type { PeerState } from '../peer-state.ts';

/** [H7] Takes in a player's entry of a packet, on host and guest alike: its avatar waits until it is due. */
export function receiveAvatar(peer: PeerState, entry: Readonly<AuthorEntry>): void {
  const author = peer.authors[entry.slot];
  if (author.newestTick < 0) author.firstTick = entry.tick;
  author.stream.arrive(entry.tick, peer.tick);
  if (peer.bodies.driven.count > 0) author.time.add(entry.tick, entry.shift);
  if (entry.tick >= author.newestTick) author.shift = entry.shift;
  author.receivedTick = peer.tick;
  if (entry.tick >= author.newestTick) author.isAvatarless = entry.isAvatarless;
  author.newestTick = Math.max(author.newestTick, entry.tick);
  if (!entry.hasAvatar) return;
  author.stream.addAvatar(entry.tick, entry.avatar);
  const time = entry.tick - entry.avatar.age / AGE_STEPS;
  if (time <= author.avatarTime) return;
  author.avatarTime = time;
  copyAvatar(entry.avatar, author.avatar);
  if (entry.avatar.name.length === 0) return;
  author.setName(entry.avatar.name);
}

/** [H6] A player has left: forgets it, and drops its poses. The next player in its slot is another one. */
export function forgetPlayer(peer: PeerState, slot: Slot): void {
  peer.authors[slot].clear();
  peer.bodies.following.forgetAuthor(slot);
  peer.shared?.forgetPlayer(slot);
}
