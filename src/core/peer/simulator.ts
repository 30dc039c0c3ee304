import type { BodyId, Slot } from '../base/ids.ts';
import { isAstray } from '../wire/bodies/astray.ts';
import type { BodyUpdate } from '../wire/bodies/update.ts';
import type { PeerState } from './peer-state.ts';

/** The slot that simulates a body for everyone, by this peer's record: its authority, or the host if it has none. */
export function simulatorOf(peer: PeerState, body: BodyId): Slot {
  const authority = peer.bodies.records.authority[body];
  return authority < 0 ? peer.host : (authority as Slot);
}

/**
 * An author's state is due. It is shown if the record has that author as the body's simulator. It is also shown if
 * the body shows that author's states so far: rulings arrive ahead of poses, so what the former simulator did before
 * it lost the body is still to be shown.
 */
export function applyDue(peer: PeerState, author: Slot, due: BodyUpdate): void {
  const simulator = simulatorOf(peer, due.body);
  if (simulator === peer.self || author === peer.self || !isOfSameBody(peer, due)) return;
  const { bodies } = peer;
  // [A7.8]
  if (bodies.records.pendingCommit[due.body] === 1) return;
  // [S2.5] Its first pose.
  if (bodies.isAwaited(due.body)) {
    if (isAstray(bodies.level.bounds, due.state, 0)) return;
    bodies.become(due.body, due.state);
  }
  const { following, received } = bodies;
  if (simulator !== author && !following.isOf(due.body, author)) return;
  // [T7.6] The present simulator's state ends a curve to the former one's state, which will not be shown any more.
  if (simulator === author && received.curves.leadsToAnother(due.body, author))
    received.curves.stop(due.body);
  const { time } = peer.authors[author];
  received.apply(due, author, time.isKnown ? time.at(due.tick) : NaN);
}

/** [S4.2] False for a state of a body that had this id before, or will have it, and for one of no body at all. */
function isOfSameBody({ bodies }: PeerState, { body, claim }: Readonly<BodyUpdate>): boolean {
  return bodies.exists(body) && bodies.records.existence[body] === claim.existence;
}

/**
 * [T7] A sparse author's state waits. The body is drawn on its way there, if the state will be shown and the body was
 * once at the place where it is drawn. States of the former simulator count until one of the present one waits.
 * @param ticks until the state is due.
 * @param interval ticks between two packets of the author.
 */
export function announce(
  peer: PeerState,
  author: Slot,
  waiting: BodyUpdate,
  ticks: number,
  interval: number,
): void {
  const { body } = waiting;
  const { following, kinematic, received } = peer.bodies;
  const simulator = simulatorOf(peer, body);
  if (simulator === peer.self || author === peer.self || kinematic.has(body)) return;
  if (peer.bodies.records.pendingCommit[body] === 1) return;
  if (!isOfSameBody(peer, waiting) || peer.bodies.isAwaited(body)) return;
  if (!peer.policy.isHost && !following.canEase(body)) return;
  const isFormer = following.isOf(body, author) && !received.curves.leadsToAnother(body, author);
  if (simulator === author || isFormer) received.announce(waiting, author, ticks, interval);
}
