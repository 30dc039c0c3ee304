import type { BodyId } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';

/**
 * Events of one body in the last ticks that are looked at. Five can happen at once: given, refused, grabbed,
 * knocked, lost.
 */
const EVENTS_A_STEP = 16;
/** The most ticks that a peer makes in a step: its clock may be fast. */
const MOST_TICKS = 2;

/** [I9] Reports each body of which the authority or a sequence in the host's record is not that of its island. */
export function checkIslands({ diagnostics }: Peer, report: (body: BodyId, what: string) => void): void {
  const { records } = diagnostics.bodies;
  const { islands, authority, ownershipSequence, authoritySequence, confirmed, pendingCommit } = records;
  for (let body = 0 as BodyId; body < records.count; body++) {
    const root = islands.rootOf(body);
    if (root === body) continue;
    if (authority[body] !== authority[root]) report(body, 'its island is under several players');
    for (const field of [ownershipSequence, authoritySequence, confirmed, pendingCommit])
      if (field[body] !== field[root]) report(body, 'its island has several claims');
  }
}

/**
 * [I2] True if a body, or a part of its island, was released on a peer in the last ticks, or its player has left, or it
 * was despawned.
 */
export function wasReleased({ diagnostics }: Peer, body: BodyId): boolean {
  const { events, tick, bodies } = diagnostics;
  return bodies.records.islands.parts[body].some((part) =>
    events
      .ofBody(part, EVENTS_A_STEP)
      .some(
        ({ kind, tick: at }) =>
          (kind === 'release' || kind === 'throw' || kind === 'free' || kind === 'despawn') &&
          at >= tick - MOST_TICKS,
      ),
  );
}
