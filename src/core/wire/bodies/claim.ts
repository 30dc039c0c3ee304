import type { Hold, Sequence, Slot } from '../../base/ids.ts';
import { NOT_HELD, NO_SLOT } from '../../base/ids.ts';
import { MAX_PLAYERS } from '../../base/constants.ts';
import type { Claim } from '../../world/record.ts';
import { HELD, NAMED, SAME_SLOT, SEQUENCE } from '../coder/contexts.ts';
import type { Coder } from '../coder/range-coder.ts';

/** How a sequence has changed since the baseline; the first that is true is said [W1]. */
const SAME = 0;
const NEXT = 1;
const ZERO = 2;
const OTHER = 3;

/** Codes a claim that differs from the one before; `before` is UNCLAIMED where there is no baseline. */
export function codeClaim(c: Coder, said: Claim, before: Readonly<Claim>, speaker: Slot): void {
  const named =
    c.bit(NAMED + (before.authority === NO_SLOT ? 0 : 1), said.authority === NO_SLOT ? 0 : 1) === 1;
  const likely = before.authority === NO_SLOT ? speaker : before.authority;
  said.authority = named ? codeSlot(c, said.authority, likely) : NO_SLOT;
  said.hold = named ? codeHold(c, said.hold) : NOT_HELD;
  said.ownershipSequence = codeSequence(c, said.ownershipSequence, before.ownershipSequence, 0);
  said.authoritySequence = codeSequence(c, said.authoritySequence, before.authoritySequence, 1);
}

function codeSlot(c: Coder, slot: Slot, likely: Slot): Slot {
  if (c.bit(SAME_SLOT, slot === likely ? 1 : 0) === 1) return likely;
  const other = c.range(slot, 0, MAX_PLAYERS - 1) as Slot;
  if (other === likely) c.fail();
  return other;
}

function codeHold(c: Coder, hold: Hold): Hold {
  if (c.bit(HELD, hold === NOT_HELD ? 0 : 1) === 0) return NOT_HELD;
  return (c.bits(hold - 1, 1) + 1) as Hold;
}

/** Codes a sequence against the one before; `which` says what it is of. */
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
