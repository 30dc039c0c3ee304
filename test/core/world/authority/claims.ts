import type { Hold, Sequence, Slot } from '../../../../src/core/base/ids.ts';
import { NO_SLOT, NOT_HELD } from '../../../../src/core/base/ids.ts';
import type { HostRecord } from '../../../../src/core/world/decide.ts';
import type { Claim } from '../../../../src/core/world/record.ts';
import { AS_AT_START } from '../../../../src/core/world/existence.ts';

/** The players of the tests in this folder. */
export const HOST = 0 as Slot;
export const GUEST_1 = 1 as Slot;
export const GUEST_2 = 2 as Slot;
export const NOBODY = NO_SLOT;
export const IN_A_HAND: Hold = 2;

/** A claim that cannot be changed: who has the body, by which sequences, ownership first. */
export function claimOf(authority: Slot, ownership: number, sequence: number, hold = NOT_HELD): Claim {
  return Object.freeze({
    authority,
    hold,
    ownershipSequence: ownership as Sequence,
    authoritySequence: sequence as Sequence,
    existence: AS_AT_START,
  });
}

/** The host's record of a body, which cannot be changed. `accepted`: the ownership sequence last accepted. */
export function hostHas(
  authority: Slot,
  ownership: number,
  sequence: number,
  hold = NOT_HELD,
  accepted = ownership,
): HostRecord {
  return Object.freeze({
    ...claimOf(authority, ownership, sequence, hold),
    acceptedOwnership: accepted as Sequence,
  });
}
