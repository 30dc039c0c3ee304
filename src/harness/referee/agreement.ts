import type { BodyId, Existence } from '../../core/base/ids.ts';
import { isInHand } from '../../core/base/ids.ts';
import { STRIDE } from '../../core/base/state.ts';
import type { Peer } from '../../core/peer/peer.ts';
import { capacityOf, templateOf } from '../../core/world/existence.ts';
import type { MovingBodies } from './moving-bodies.ts';
import type { JudgedRoom, Violation } from './violation.ts';

/** A difference between a peer and the host. */
export type Difference = Pick<Violation, 'mark' | 'peer' | 'body' | 'what'>;

/**
 * [I1] [I7] The first difference between a peer and the host, which is the first peer; null if they agree. Moving bodies
 * have to be drawn alike, since they never come to rest.
 */
export function firstDifference({ peers, level }: JudgedRoom, moving: MovingBodies): Difference | null {
  const [host] = peers;
  for (const peer of peers) {
    const { slot } = peer.diagnostics;
    const inTheAir = standsInTheAir(peer, host);
    if (inTheAir >= 0) return { mark: 'I1', peer: slot, body: inTheAir, what: 'stands in the air' };
    const body = differsInExistence(peer, host, level);
    if (body >= 0) return { mark: 'I7', peer: slot, body, what: 'exists for one and not for all' };
  }
  for (const peer of peers.slice(1)) {
    const difference = differsInRecords(peer, host, moving);
    if (difference !== null) return difference;
  }
  for (const { diagnostics } of peers) {
    const body = moving.firstDrawnOtherwise(diagnostics.bodies);
    if (body >= 0) return { mark: 'I1', peer: diagnostics.slot, body, what: 'moves, and is drawn elsewhere' };
  }
  return null;
}

/** The first body that rests in nobody's hand and that a peer's engine does not move; -1: none. */
function standsInTheAir({ diagnostics }: Peer, host: Peer): number {
  const { resting, hold, count } = host.diagnostics.bodies.records;
  for (let i = 0; i < count; i++)
    if (resting[i] === 1 && !isInHand(hold[i]) && diagnostics.bodies.isKinematic(i as BodyId)) return i;
  return -1;
}

/** [I7] The first body that a peer has otherwise than the host, or than its own record says; -1: none. */
function differsInExistence(
  { diagnostics: { bodies } }: Peer,
  host: Peer,
  level: JudgedRoom['level'],
): number {
  const { existence } = host.diagnostics.bodies.records;
  for (let i = 0; i < capacityOf(level); i++) {
    const own = bodies.records.existence[i] as Existence;
    const isHere = templateOf(level, i as BodyId, own) !== null;
    if (own !== existence[i] || isHere !== bodies.exists(i as BodyId)) return i;
  }
  return -1;
}

/** [I1] The first difference between a guest's records and the host's. */
function differsInRecords(peer: Peer, { diagnostics }: Peer, moving: MovingBodies): Difference | null {
  const host = diagnostics.bodies.records;
  const guest = peer.diagnostics.bodies.records;
  for (const [what, a, b, size, moves] of [
    ['authority', host.authority, guest.authority, 1, false],
    ['hold', host.hold, guest.hold, 1, false],
    ['ownership sequence', host.ownershipSequence, guest.ownershipSequence, 1, false],
    ['authority sequence', host.authoritySequence, guest.authoritySequence, 1, false],
    ['rest', host.resting, guest.resting, 1, true],
    ['whether this joint is gone', host.islands.isGone, guest.islands.isGone, 1, false],
    ['pose', host.state, guest.state, STRIDE, true],
  ] as const) {
    for (let i = 0; i < a.length; i++) {
      if (a[i] === b[i]) continue;
      const body = Math.floor(i / size);
      if (moves && moving.has(body as BodyId)) continue;
      return { mark: 'I1', peer: peer.diagnostics.slot, body, what: `${what} differs` };
    }
  }
  return null;
}
