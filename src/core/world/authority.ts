import type { BodyId, HandSide, Sequence, Slot } from '../base/ids.ts';
import { holdOf, NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { RETURN_AFTER_TICKS } from '../base/constants.ts';
import { advance, newer } from '../base/sequence.ts';
import type { ContactGraph } from './contacts.ts';
import type { Records } from './record.ts';

/** How a peer's own actions change its records. Each function is one rule; none knows of packets. */

/** [A5] Takes authority over a body that has none. The host's own taking needs nobody's agreement. */
export function take(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  records.authority[body] = self;
  records.hold[body] = NOT_HELD;
  records.authoritySequence[body] = next(records.authoritySequence[body]);
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = isHost ? 1 : 0;
  records.pendingCommit[body] = 0;
  records.restTicks[body] = 0;
}

/** [A6] True if this player may grab the body: nobody else holds it. Its own other hand may (passing). */
export function mayGrab(records: Records, body: BodyId, self: Slot): boolean {
  return records.hold[body] === NOT_HELD || records.authority[body] === self;
}

/** [A6] Grabs a body into a hand. */
export function grab(records: Records, body: BodyId, self: Slot, side: HandSide, isHost: boolean): void {
  records.authority[body] = self;
  records.hold[body] = holdOf(side);
  records.ownershipSequence[body] = next(records.ownershipSequence[body]);
  records.authoritySequence[body] = 0;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = isHost ? 1 : 0;
  records.pendingCommit[body] = 0;
  records.resting[body] = 0;
  records.restTicks[body] = 0;
}

/**
 * [A11] The host takes a body that a guest has. What the guest said of it meanwhile counts no more: with the authority
 * sequence alone, its return and its next touch could come to the number that the host's own return has.
 */
export function gather(records: Records, body: BodyId, self: Slot): void {
  grab(records, body, self, 0, true);
  release(records, body);
}

/** [A9] The host gives a body, as its holder lets go, to another player's hand that reaches for it. */
export function give(records: Records, body: BodyId, to: Slot, side: HandSide, isOwn: boolean): void {
  grab(records, body, to, side, isOwn);
}

/** [A7] Lets go: authority and sequences stay. */
export function release(records: Records, body: BodyId): void {
  records.hold[body] = NOT_HELD;
  records.restTicks[body] = 0;
}

/** [A7] True if a body of this peer has rested for long enough, and the host has agreed to its authority. */
export function mayReturn(records: Records, body: BodyId): boolean {
  return (
    records.resting[body] === 1 &&
    records.hold[body] === NOT_HELD &&
    records.confirmed[body] === 1 &&
    records.restTicks[body] >= RETURN_AFTER_TICKS
  );
}

/** [A7] Gives a rested body back to none. A guest has to go on saying so until the host has taken it. */
export function giveBack(records: Records, body: BodyId, isHost: boolean): void {
  records.authority[body] = NO_SLOT;
  records.authoritySequence[body] = next(records.authoritySequence[body]);
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = 0;
  records.pendingCommit[body] = isHost ? 0 : 1;
}

/** [H6] What a player had falls free when it leaves. */
export function free(records: Records, body: BodyId): void {
  records.authority[body] = NO_SLOT;
  records.hold[body] = NOT_HELD;
  records.ownershipSequence[body] = next(records.ownershipSequence[body]);
  records.authoritySequence[body] = 1;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = 0;
  records.pendingCommit[body] = 0;
}

/** [H3] Moves the host's ownership sequence past a refused claim's; the holder's hold stays as accepted. */
export function moveOwnershipPast(records: Records, body: BodyId, refused: Sequence): void {
  records.ownershipSequence[body] = advance(refused);
}

/** [H8] Claims again, past both sequences, what this guest held or had when it adopted another word. */
export function claimPast(
  records: Records,
  body: BodyId,
  self: Slot,
  hold: number,
  ownSequence: Sequence,
): void {
  const theirs = records.ownershipSequence[body] as Sequence;
  const past = newer(ownSequence, theirs) ? ownSequence : theirs;
  records.authority[body] = self;
  records.hold[body] = hold;
  records.ownershipSequence[body] = advance(past);
  records.authoritySequence[body] = 0;
  records.confirmed[body] = 0;
  records.pendingCommit[body] = 0;
}

/**
 * [A5] Spreads authority: from this peer's awake bodies, one in its hand included, to those of none that
 * touch them, and on through the contact graph. A body that is reached keeps its authority for now.
 */
export class AuthoritySpread {
  readonly #queue: Int32Array;
  readonly #reached: Uint8Array;

  constructor(count: number) {
    this.#queue = new Int32Array(count);
    this.#reached = new Uint8Array(count);
  }

  /** Calls `taken` for each body over which authority was taken. */
  run(
    records: Records,
    contacts: ContactGraph,
    self: Slot,
    isHost: boolean,
    taken: (body: BodyId) => void,
  ): void {
    const { authority, resting, restTicks } = records;
    let queued = 0;
    this.#reached.fill(0);
    for (let body = 0; body < records.count; body++) {
      if (authority[body] !== self || resting[body] === 1) continue;
      this.#reached[body] = 1;
      this.#queue[queued++] = body;
    }
    for (let i = 0; i < queued; i++) {
      const neighbours = contacts.neighbours[this.#queue[i]];
      for (let n = 0; n < neighbours.length; n++) {
        const other = neighbours[n];
        if (this.#reached[other] === 1) continue;
        if (authority[other] === NO_SLOT) {
          take(records, other, self, isHost);
          taken(other);
        } else if (authority[other] !== self) continue;
        restTicks[other] = 0;
        this.#reached[other] = 1;
        this.#queue[queued++] = other;
      }
    }
  }
}

/**
 * [A8] The support set of a body: what lies on it, through the contact graph, each higher than what carries
 * it. Ids are written to `out`; the count is returned.
 * @param heights for each body the height of its centre, in metres, at `body * stride + 1`.
 */
export function supportSet(
  contacts: ContactGraph,
  heights: Float32Array,
  stride: number,
  body: BodyId,
  out: BodyId[],
): number {
  let count = 0;
  const heightOf = (b: BodyId): number => heights[b * stride + 1];
  for (let from = body, i = 0; ; from = out[i++]) {
    const neighbours = contacts.neighbours[from];
    for (let n = 0; n < neighbours.length; n++) {
      const other = neighbours[n];
      if (other === body || heightOf(other) < heightOf(from) + SUPPORT_RISE) continue;
      if (!includes(out, count, other)) out[count++] = other;
    }
    if (i >= count) return count;
  }
}

/** Metres by which a body's centre must lie above another's to count as carried by it, not beside it. */
const SUPPORT_RISE = 0.1;

function includes(list: readonly BodyId[], count: number, body: BodyId): boolean {
  for (let i = 0; i < count; i++) if (list[i] === body) return true;
  return false;
}

function next(sequence: number): Sequence {
  return advance(sequence as Sequence);
}
