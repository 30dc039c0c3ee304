import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { EVENTS_A_TICK, stampOf, tickOfStamp } from '../../shared/author-events.ts';
import type { EntryId } from '../../shared/layout.ts';
import { entryOf } from '../../shared/layout.ts';
import { followJoints } from '../joints/follow-joints.ts';
import { mayChange } from '../joints/joint-writers.ts';
import { reject } from '../policy/offences.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';
import { forEachReceiver } from '../receivers.ts';
import type { SentShared } from './sent-shared.ts';
import type { SharedWorld } from './shared-world.ts';

/**
 * Why a value is not written: the schema gives it to another writer, or another player has the body; there is no such
 * body, or no such player; the value is none that the schema allows.
 */
export type WriteRefusal = 'not the writer' | 'no body' | 'no player' | 'bounds';
/** Why an event is not emitted: there were too many [E3.1]; it has a value that the schema does not allow. */
export type EmitRefusal = 'too many' | 'bounds';

/** Why this peer may not write an entry now; null if it may [V2]. */
export function refusalOf(peer: PeerState, shared: SharedWorld, entry: EntryId): WriteRefusal | null {
  const { scope, first } = shared.layout.groupOf(entry);
  const index = entry - first;
  if (scope === 'body' && !peer.bodies.exists(index as BodyId)) return 'no body';
  if (scope === 'player' && index !== peer.self && peer.policy.isHost && peer.links[index] === null)
    return 'no player';
  return mayWrite(peer, shared, entry, peer.self) ? null : 'not the writer';
}

/** [V2] True if a player is the writer of an entry, by the present record. */
function mayWrite(peer: PeerState, shared: SharedWorld, entry: EntryId, slot: Slot): boolean {
  const { writer, first } = shared.layout.groupOf(entry);
  const index = entry - first;
  switch (writer) {
    // [J4.3] The written values count, too: see mayChange.
    case 'simulator':
      return false;
    case 'host':
      return slot === peer.host;
    case 'self':
      return index === slot;
    case 'authority': {
      const authority = peer.bodies.records.authority[index];
      return (authority === NO_SLOT ? peer.host : authority) === slot;
    }
  }
}

/** [V2.4] This peer writes an entry, which it may. */
export function write(
  peer: PeerState,
  shared: SharedWorld,
  entry: EntryId,
  words: Int32Array,
  from: number,
): void {
  if (!shared.store.write(entry, words, from)) return;
  markAll(peer, entry);
  if (entry < shared.layout.joints) followJoints(peer, peer.self);
}

/** [V3.3] All others that this peer exchanges packets with are to get an entry. */
export function markAll(peer: PeerState, entry: EntryId): void {
  forEachReceiver(peer, ({ shared }) => shared?.entries.mark(entry));
}

/**
 * [V2.4] The host decides a guest's write.
 * @param from where the values begin in `words`, which are copied.
 */
export function decideWrite(
  peer: PeerState,
  shared: SharedWorld,
  link: Link,
  sent: SentShared,
  entry: EntryId,
  words: Int32Array,
  from: number,
): void {
  sent.delayed.delete(entry);
  const isOfJoint = entry < shared.layout.joints;
  // It is repeated: what may be done to a joint depends on whether it is there.
  if (isOfJoint && shared.store.has(entry, words, from)) return;
  const may = isOfJoint
    ? mayChange(peer, entry, link.slot, words, from)
    : mayWrite(peer, shared, entry, link.slot);
  if (!may) {
    // V2 may be an honest guest's late write, V5 never is.
    const isLate = isOfJoint || shared.layout.groupOf(entry).writer === 'authority';
    reject(peer, isLate ? 'V2' : 'V5', link.slot);
    sent.entries.mark(entry);
    return;
  }
  // It is repeated, or says what the host has anyway.
  if (shared.store.has(entry, words, from)) return;
  if (!sent.writes.take(link.receivedMs)) {
    reject(peer, 'V5.1');
    // [J5.4] Once its write is acked, a guest relies on the state of its joints: so the write is refused, not delayed.
    if (isOfJoint) {
      sent.entries.mark(entry);
      return;
    }
    sent.delayed.set(entry, words.slice(from, from + shared.layout.mostWords));
    return;
  }
  // The guest hears the host's word on its own write, too: that is how it knows what counts.
  shared.store.write(entry, words, from);
  markAll(peer, entry);
  if (isOfJoint) followJoints(peer, link.slot);
}

/**
 * [V4.2] [V4.3] The values of a player or a body are the initial ones again, and words on them that are under way count
 * no more. The host tells all others; a guest goes ahead of it, for the body that it spawns.
 */
export function endValues(peer: PeerState, scope: 'player' | 'body', index: number): void {
  if (peer.shared === null) return;
  const { layout, store } = peer.shared;
  for (const group of layout.groups) {
    if (group.scope !== scope) continue;
    const entry = entryOf(group, index);
    const isChanged = store.clear(entry);
    forEachReceiver(peer, ({ shared, acks }) => {
      if (shared === null) return;
      shared.heardIn[entry] = acks.newestReceived;
      // A write that was delayed is acked, so its guest hears that it does not count.
      const wasDelayed = shared.delayed.delete(entry);
      if (!peer.policy.isHost) shared.entries.drop(entry);
      else if (isChanged || wasDelayed) shared.entries.mark(entry);
    });
  }
}

/** [E1.1] This peer emits an event in its next tick. @returns why not; null if it does. */
export function emit(
  peer: PeerState,
  shared: SharedWorld,
  kind: number,
  words: Int32Array,
): EmitRefusal | null {
  const events = shared.makeEventsOf(peer.self);
  const first = stampOf(peer.tick + 1, 0);
  const stamp = tickOfStamp(events.newest) === peer.tick + 1 ? events.newest + 1 : first;
  if (stamp >= first + EVENTS_A_TICK || !shared.emits.take(peer.tick)) return 'too many';
  events.add(stamp, kind, words, 0, shared.layout.schema.events[kind].set.words);
  return null;
}
