import type { Existence, Hold, Sequence, Slot } from '../../base/ids.ts';
import { KEPT, NOT_HELD, NO_SLOT } from '../../base/ids.ts';
import { FIRST_SLOTS, MAX_PLAYERS } from '../../base/constants.ts';
import { isExistence } from '../../world/existence.ts';
import type { Claim } from '../../world/record.ts';
import { HAS_AUTHORITY, HELD, SAME_SLOT, SEQUENCE, SLOT_BEYOND } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';

/** How a sequence has changed since the baseline. Where several apply, the first is coded [W1]. */
const SAME = 0;
const NEXT = 1;
const ZERO = 2;
const OTHER = 3;

/**
 * Codes a claim that differs from its baseline's.
 * @param claim a reader fills it.
 * @param before the baseline's claim; without a baseline a claim without authority, with sequences of 0.
 * @param sender the sender of the packet, who is the likeliest authority where `before` has none.
 */
export function codeClaim(c: Coder, claim: Claim, before: Readonly<Claim>, sender: Slot): void {
  const context = HAS_AUTHORITY + (before.authority === NO_SLOT ? 0 : 1);
  const hasAuthority = c.bit(context, claim.authority === NO_SLOT ? 0 : 1) === 1;
  const likely = before.authority === NO_SLOT ? sender : before.authority;
  claim.authority = hasAuthority ? codeSlot(c, claim.authority, likely) : NO_SLOT;
  claim.hold = hasAuthority ? codeHold(c, claim.hold) : NOT_HELD;
  claim.ownershipSequence = codeSequence(c, claim.ownershipSequence, before.ownershipSequence, 0);
  claim.authoritySequence = codeSequence(c, claim.authoritySequence, before.authoritySequence, 1);
  claim.existence = codeExistence(c, claim.existence, before.existence);
}

/** [S1] Existences change so seldom that a plain bit is enough. */
function codeExistence(c: Coder, existence: Existence, before: Existence): Existence {
  if (c.bits(existence === before ? 1 : 0, 1) === 1) return before;
  const other = c.bits(existence, 16);
  if (other === before || !isExistence(other)) c.fail();
  return other as Existence;
}

function codeSlot(c: Coder, slot: Slot, likely: Slot): Slot {
  if (c.bit(SAME_SLOT, slot === likely ? 1 : 0) === 1) return likely;
  const isBeyond = c.bit(SLOT_BEYOND, slot < FIRST_SLOTS ? 0 : 1) === 1;
  const other = c.range(slot, isBeyond ? FIRST_SLOTS : 0, (isBeyond ? MAX_PLAYERS : FIRST_SLOTS) - 1) as Slot;
  if (other === likely) c.fail();
  return other;
}

function codeHold(c: Coder, hold: Hold): Hold {
  if (c.bit(HELD, hold === NOT_HELD ? 0 : 1) === 0) return NOT_HELD;
  return c.range(hold, 1, KEPT) as Hold;
}

/**
 * Codes a sequence against the baseline's; returns it.
 * @param which 0 ownership, 1 authority of a claim; 2 ownership, 3 authority of a body in a hand.
 */
export function codeSequence(c: Coder, sequence: Sequence, before: number, which: number): Sequence {
  const context = SEQUENCE + which * 4;
  const change = changeOf(sequence, before);
  const high = c.bit(context, change >> 1);
  const read = high * 2 + c.bit(context + 1 + high, change & 1);
  if (read === SAME) return before as Sequence;
  if (read === NEXT) return ((before + 1) & 0xffff) as Sequence;
  if (read === ZERO && before !== 0 && before !== 0xffff) return 0 as Sequence;
  const other = c.bits(sequence, 16) as Sequence;
  if (read === ZERO || changeOf(other, before) !== OTHER) c.fail();
  return other;
}

function changeOf(sequence: number, before: number): number {
  if (sequence === before) return SAME;
  if (sequence === ((before + 1) & 0xffff)) return NEXT;
  return sequence === 0 ? ZERO : OTHER;
}
