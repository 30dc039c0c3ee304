import { tickOfStamp } from '../../shared/author-events.ts';
import type { EntryId } from '../../shared/layout.ts';
import type { Writer } from '../../shared/schema.ts';
import type { SharedPart } from '../../wire/shared/shared-part.ts';
import type { Link } from '../link.ts';
import type { PeerState } from '../peer-state.ts';
import { untieMisfits } from '../joints/untying.ts';
import { followJoints } from '../joints/follow-joints.ts';
import { simulatesEnds } from '../joints/joint-writers.ts';
import { reject } from '../policy/offences.ts';
import type { SentShared } from './sent-shared.ts';
import type { SharedWorld } from './shared-world.ts';
import { decideWrite } from './shared-writes.ts';

/**
 * [V3], [E2] Acts on the shared state and the events of a packet that was read whole, after its players and bodies.
 * @param part null without a schema.
 */
export function receiveShared(peer: PeerState, link: Link, part: SharedPart | null): void {
  const { shared } = peer;
  const sent = link.shared;
  if (shared === null || sent === null || part === null) return;
  if (sent.delayed.size > 0) {
    // [V5.1] Writes that were too many are decided as soon as they are not.
    for (const [entry, words] of sent.delayed)
      if (sent.writes.has(link.receivedMs)) decideWrite(peer, shared, link, sent, entry, words, 0);
  }
  if (part.isEmpty) return;
  link.owesAck = true;
  if (peer.policy.isHost) {
    // [J5.1] A joint that goes may make way for another one of the same packet.
    decideEntries(peer, shared, link, part, 1);
    decideEntries(peer, shared, link, part, 0);
  } else {
    for (let i = 0; i < part.entryCount; i++) {
      const entry = part.entries[i] as EntryId;
      if (!sent.hears(entry, link.acks)) continue;
      if (!sent.entries.isWaiting(entry)) shared.store.write(entry, part.words, i * part.layout.mostWords);
      shared.store.stale[entry] = 0;
    }
    if (part.isComplete) complete(shared, sent);
    // Entries ascend, and joints come first.
    const hasJoint = part.entryCount > 0 && part.entries[0] < shared.layout.joints;
    const changed = part.isComplete || hasJoint ? followJoints(peer, null) : null;
    if (changed !== null) untieMisfits(peer, changed);
  }
  receiveEvents(peer, shared, sent, part, link);
}

/** The host decides the entries of joints that are there now, or all others. @param areThere 1 or 0. */
function decideEntries(
  peer: PeerState,
  shared: SharedWorld,
  link: Link,
  part: SharedPart,
  areThere: 0 | 1,
): void {
  const { shared: sent } = link;
  const { isGone } = peer.bodies.records.islands;
  if (sent === null) return;
  for (let i = 0; i < part.entryCount; i++) {
    const entry = part.entries[i] as EntryId;
    const isThere = entry < shared.layout.joints && isGone[entry] === 0 ? 1 : 0;
    if (isThere !== areThere) continue;
    if (sent.hears(entry, link.acks))
      decideWrite(peer, shared, link, sent, entry, part.words, i * part.layout.mostWords);
    // The guest takes the ack of this packet for a decision, so it hears what counts.
    else sent.entries.mark(entry);
  }
}

/** [V3.4] The guest has every entry of which the host has something to say: all others have their initial values. */
function complete({ store }: SharedWorld, sent: SentShared): void {
  if (sent.isComplete) return;
  sent.isComplete = true;
  for (let i = 0; i < store.stale.length; i++) {
    const entry = i as EntryId;
    if (store.stale[entry] === 1 && !sent.entries.isWaiting(entry)) store.clear(entry);
    store.stale[entry] = 0;
  }
}

function receiveEvents(
  peer: PeerState,
  shared: SharedWorld,
  sent: SentShared,
  part: SharedPart,
  link: Link,
): void {
  for (let i = 0; i < part.eventCount; i++) {
    const slot = part.authors[i];
    const stamp = part.stamps[i];
    const tick = tickOfStamp(stamp);
    const { newestTick, firstTick } = peer.authors[slot];
    // [T3.5] It is of a player that has left, or of another one who was in its slot.
    if (slot === peer.self || newestTick < 0 || tick > newestTick) continue;
    const events = shared.makeEventsOf(slot);
    if (stamp <= events.newest) continue;
    // [E1.3], [E3.2]
    const isTooMany = peer.policy.isHost && tick >= firstTick && !sent.emits.take(link.receivedMs);
    if (isTooMany) reject(peer, 'E3', link.slot);
    if (tick < firstTick || isTooMany) events.pass(stamp);
    else {
      const { set } = part.layout.schema.events[part.kinds[i]];
      events.add(stamp, part.kinds[i], part.eventWords, i * part.layout.mostEventWords, set.words);
    }
  }
}

/**
 * [V3.4] A new link has begun: marks what the other end is to get. On a guest every entry waits for the host's word.
 * @param keepsBodies true if this guest keeps its bodies, under another host.
 */
export function beginShared(peer: PeerState, link: Link, keepsBodies: boolean): void {
  const { shared } = peer;
  const sent = link.shared;
  if (shared === null || sent === null) return;
  const { layout, store } = shared;
  if (!peer.policy.isHost) store.stale.fill(1);
  for (const { writer, first, count } of layout.groups) {
    for (let i = 0; i < count; i++) {
      const entry = (first + i) as EntryId;
      if (store.versions[entry] === 0) continue;
      if (peer.policy.isHost) sent.entries.markFirst(entry);
      else if (isOwn(peer, writer, i, entry, keepsBodies)) sent.entries.mark(entry);
    }
  }
}

/** True if this guest goes on with its own values of a thing. */
function isOwn(
  peer: PeerState,
  writer: Writer,
  index: number,
  entry: EntryId,
  keepsBodies: boolean,
): boolean {
  if (writer === 'self') return index === peer.self;
  if (writer === 'simulator') return keepsBodies && simulatesEnds(peer, entry, peer.self);
  return writer === 'authority' && keepsBodies && peer.bodies.records.authority[index] === peer.self;
}
