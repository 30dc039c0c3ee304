import type { BodyId, HandSide, Sequence, Slot } from '../base/ids.ts';
import { holdOf, KEPT, NO_BODY, NOT_HELD, NO_SLOT } from '../base/ids.ts';
import { advance, newer } from '../base/sequence.ts';
import type { ContactGraph } from './contacts.ts';
import type { GuestRights, Template } from './level.ts';
import type { Records } from './record.ts';
import { holdOfIsland, shareClaim } from './record.ts';

/**
 * The changes that a peer's own actions make to its records. Each function is one rule; none knows of packets. They
 * assume that the rule allows the action, and do not check it. Whatever changes a claim changes that of the body's whole
 * island [J2].
 */

/**
 * Takes authority over a body that is [A5] under nobody, or [A14] another player's. On the host it is confirmed at
 * once, on a guest once the host agrees.
 */
export function take(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  const steps = passAll(records, body) === NO_SLOT ? 1 : STEPS_PAST_A_PLAYER;
  records.authority[body] = self;
  records.hold[body] = NOT_HELD;
  records.authoritySequence[body] = advance(records.authoritySequence[body] as Sequence, steps);
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = isHost ? 1 : 0;
  records.pendingCommit[body] = 0;
  shareClaim(records, body);
  restartRestOf(records, body);
}

/**
 * [A14.3] [J4.10] Steps of the authority sequence for a body that a player had. After one step it would be the number
 * of that player's own return of the body.
 */
const STEPS_PAST_A_PLAYER = 2;

/**
 * [J4.6] Parts of an island may have different sequences on a guest, which hears of a joint before or after the rulings
 * on its bodies. Gives the body the newest of them: a claim that began from older ones would be late for the other
 * parts.
 * @returns a slot that has a part with the newest sequences, or NO_SLOT.
 */
function passAll(records: Records, body: BodyId): number {
  const { authority, ownershipSequence, authoritySequence, islands } = records;
  const parts = islands.parts[body];
  let newest = authority[body];
  for (let i = 0; i < parts.length; i++) {
    const [own, other] = [ownershipSequence[body] as Sequence, ownershipSequence[parts[i]] as Sequence];
    const [claimed, others] = [authoritySequence[body] as Sequence, authoritySequence[parts[i]] as Sequence];
    const isEqual = other === own && others === claimed;
    if (isEqual && newest === NO_SLOT) newest = authority[parts[i]];
    if (isEqual || (other === own ? !newer(others, claimed) : !newer(other, own))) continue;
    ownershipSequence[body] = other;
    authoritySequence[body] = others;
    newest = authority[parts[i]];
  }
  return newest;
}

/**
 * [J4.5] Several islands are one: all of it comes under this player by one claim. Hands keep what they hold; what was kept
 * without a hand is kept no more, since a tie would spread it past every limit.
 */
export function unite(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  const hold = records.hold[body];
  const resting = records.resting[body];
  grab(records, body, self, 0, isHost);
  records.hold[body] = hold === KEPT ? NOT_HELD : hold;
  records.resting[body] = resting;
  shareClaim(records, body);
}

/** [I9] True if all parts of a body's island have the same authority and the same sequences. */
export function isOneClaim(records: Records, body: BodyId): boolean {
  const { authority, ownershipSequence, authoritySequence, islands } = records;
  return islands.parts[body].every(
    (part) =>
      authority[part] === authority[body] &&
      ownershipSequence[part] === ownershipSequence[body] &&
      authoritySequence[part] === authoritySequence[body],
  );
}

/** [A7.3] The second after which an island may return begins anew. */
function restartRestOf({ restTicks, islands }: Records, body: BodyId): void {
  const parts = islands.parts[body];
  for (let i = 0; i < parts.length; i++) restTicks[parts[i]] = 0;
}

/** [A6] [J2.2] True if no other player holds the body, or a part of its island. A player may take it from its own other hand: that is passing. */
export function mayGrab(records: Records, body: BodyId, self: Slot): boolean {
  return records.authority[body] === self || holdOfIsland(records, body) === NOT_HELD;
}

const BITS = { take: 1, hold: 2, keep: 4 } as const;

/** Returns what a template forbids guests, as bits for Records.forbidden; 0 without a template. */
export function forbiddenBy(template: Template | null): number {
  if (template === null) return 0;
  const { take, hold, keep } = template.guests;
  return (take ? 0 : BITS.take) | (hold ? 0 : BITS.hold) | (keep ? 0 : BITS.keep);
}

/**
 * [A15] [J2.7] The same for a body of an island: it is taken and kept whole, so what is forbidden for one part is
 * forbidden for all; hands hold single parts.
 * @param templates of the parts.
 */
export function forbiddenInIsland(own: Template | null, templates: readonly (Template | null)[]): number {
  let forbidden = forbiddenBy(own);
  for (const template of templates) forbidden |= forbiddenBy(template) & (BITS.take | BITS.keep);
  return forbidden;
}

/** [A15] True if a player may begin to do this with a body, as far as its template says. */
export function isAllowed(
  records: Records,
  body: BodyId,
  right: keyof GuestRights,
  isHost: boolean,
): boolean {
  return isHost || (records.forbidden[body] & BITS[right]) === 0;
}

/** [A15] [J4.11] True if contact may bring a body under nobody, with its island, under this player. */
export function mayTakeByContact(records: Records, body: BodyId, self: Slot, isHost: boolean): boolean {
  return isAllowed(records, body, 'take', isHost) && !isAnothers(records, body, self);
}

/** True if another player has a body or, as far as this peer knows, a part of its island. */
export function isAnothers({ authority, islands }: Records, body: BodyId, self: Slot): boolean {
  const parts = islands.parts[body];
  for (let i = 0; i < parts.length; i++) {
    const has = authority[parts[i]];
    if (has !== NO_SLOT && has !== self) return true;
  }
  return false;
}

/** [A6] Grabs a body into a hand. */
export function grab(records: Records, body: BodyId, self: Slot, side: HandSide, isHost: boolean): void {
  passAll(records, body);
  records.authority[body] = self;
  records.hold[body] = holdOf(side);
  records.ownershipSequence[body] = next(records.ownershipSequence[body]);
  records.authoritySequence[body] = 0;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = isHost ? 1 : 0;
  records.pendingCommit[body] = 0;
  records.resting[body] = 0;
  shareClaim(records, body);
  restartRestOf(records, body);
}

/**
 * [A11] [A13.6] The host takes a guest's body with a new ownership sequence, so that the guest's claims under way count no
 * more. A new authority sequence would not do: the guest's return and its next touch could reach the same number as
 * the host's own return.
 */
export function gather(records: Records, body: BodyId, self: Slot): void {
  grab(records, body, self, 0, true);
  release(records, body);
}

/**
 * [A9] Host: as a holder lets go, gives its body to another player's hand that reaches for it.
 * @param isOwn true if the receiver is the host's own player.
 */
export function give(records: Records, body: BodyId, to: Slot, side: HandSide, isOwn: boolean): void {
  grab(records, body, to, side, isOwn);
}

/** [S2] A body begins under this player: a new ownership sequence. The caller says which body. */
export function beginBody(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  grab(records, body, self, 0, isHost);
  release(records, body);
}

/** [S3] A body goes: it is under nobody, in no hand, and its authority sequence is 1, as after leaving [H6]. */
export function endBody(records: Records, body: BodyId, isHost: boolean): void {
  free(records, body);
  records.pendingCommit[body] = isHost ? 0 : 1;
}

/** [A12] Keeps a body: it is claimed as by a grab, and goes on moving or resting. */
export function keep(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  const resting = records.resting[body];
  grab(records, body, self, 0, isHost);
  records.hold[body] = KEPT;
  records.resting[body] = resting;
  shareClaim(records, body);
}

/** [A12.7] How many bodies a player keeps; an island counts as one. */
export function keptBy({ count, authority, hold, islands }: Records, slot: Slot): number {
  let kept = 0;
  for (let body = 0 as BodyId; body < count; body++)
    if (hold[body] === KEPT && authority[body] === slot && islands.rootOf(body) === body) kept++;
  return kept;
}

/** [A12.5] Ends the keeping of a body; its player has it until it has rested for a second. */
export function endKeeping(records: Records, body: BodyId, self: Slot, isHost: boolean): void {
  take(records, body, self, isHost);
}

/** [A7] Lets a held body go: authority and sequences stay. */
export function release(records: Records, body: BodyId): void {
  records.hold[body] = NOT_HELD;
  restartRestOf(records, body);
}

/**
 * [A7] [J2.3] True if a body of this peer and all parts of its island have rested for long enough, and the host has
 * agreed to its authority.
 * @param after ticks of rest that are long enough: RETURN_AFTER_SECONDS.
 */
export function mayReturn(records: Records, body: BodyId, after: number): boolean {
  const { authority, resting, hold, confirmed, restTicks, islands } = records;
  if (resting[body] === 0 || confirmed[body] === 0) return false;
  const parts = islands.parts[body];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (resting[part] === 0 || hold[part] !== NOT_HELD || restTicks[part] < after) return false;
    // [J4.6] Else it may not be this peer's to give back.
    if (authority[part] !== authority[body] || confirmed[part] === 0) return false;
  }
  return true;
}

/** [A7] Gives a rested body back: it is under nobody. A guest repeats its claim until the host has taken it. */
export function giveBack(records: Records, body: BodyId, isHost: boolean): void {
  passAll(records, body);
  records.authority[body] = NO_SLOT;
  records.authoritySequence[body] = next(records.authoritySequence[body]);
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = 0;
  records.pendingCommit[body] = isHost ? 0 : 1;
  shareClaim(records, body);
}

/** [H6] Host: a player has left, and its body falls free. */
export function free(records: Records, body: BodyId): void {
  passAll(records, body);
  records.authority[body] = NO_SLOT;
  records.hold[body] = NOT_HELD;
  records.ownershipSequence[body] = next(records.ownershipSequence[body]);
  records.authoritySequence[body] = 1;
  records.acceptedOwnership[body] = records.ownershipSequence[body];
  records.confirmed[body] = 0;
  records.pendingCommit[body] = 0;
  shareClaim(records, body);
}

/** [H3] Moves the host's ownership sequence past a rejected claim's; the holder's hold stays as accepted. */
export function moveOwnershipPast(records: Records, body: BodyId, rejected: Sequence): void {
  records.ownershipSequence[body] = advance(rejected);
  // [H3.4] As after leaving: 0 would be the number of a grab under the same ownership sequence.
  if (records.authority[body] === NO_SLOT) records.authoritySequence[body] = 1;
  shareClaim(records, body);
}

/**
 * [H8] A guest has taken over a ruling whole on a body of its own: it claims the body again, past both sequences.
 * @param hold and @param ownSequence of its record before the ruling.
 */
export function claimPast(
  records: Records,
  body: BodyId,
  self: Slot,
  hold: number,
  ownSequence: Sequence,
): void {
  passAll(records, body);
  const ruled = records.ownershipSequence[body] as Sequence;
  const past = newer(ownSequence, ruled) ? ownSequence : ruled;
  records.authority[body] = self;
  records.hold[body] = hold;
  records.ownershipSequence[body] = advance(past);
  records.authoritySequence[body] = 0;
  records.confirmed[body] = 0;
  records.pendingCommit[body] = 0;
  shareClaim(records, body);
}

/**
 * [A5] Spreads authority: from this peer's awake bodies, held ones included, to the bodies under nobody that touch
 * them, and on through the contact graph. A body of this peer that is reached does not return for now: its rest ticks
 * begin anew.
 */
export class AuthoritySpread {
  /** Scratch: the bodies that were reached, in order. */
  readonly #queue: Int32Array;
  /** Scratch: 1 for a body in the queue. */
  readonly #reached: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#queue = new Int32Array(count);
    this.#reached = new Uint8Array(count);
  }

  /**
   * Runs once, after a step.
   * @param taken called for each body over which authority was taken, after its record has changed.
   */
  run(
    records: Records,
    contacts: ContactGraph,
    self: Slot,
    isHost: boolean,
    taken: (body: BodyId) => void,
  ): void {
    const { authority, resting, restTicks, owned } = records;
    let queued = 0;
    this.#reached.fill(0);
    for (let body = owned.next(NO_BODY); body !== NO_BODY; body = owned.next(body)) {
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
          if (!mayTakeByContact(records, other, self, isHost)) continue;
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
 * [A8] Finds the support set of a body: the bodies that lie on it, directly or on others of the set, each higher than
 * the one that carries it.
 * @param heights for each body the height of its centre, in metres, at `body * stride + 1`.
 * @param out gets the ids; the caller's, with room for every body.
 * @returns how many there are.
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

/** The sequence after one in a typed array. */
function next(sequence: number): Sequence {
  return advance(sequence as Sequence);
}
