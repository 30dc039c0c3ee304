import type { BodyId, Hold, Sequence, Slot } from '../../base/ids.ts';
import { copyState, sameState, STRIDE } from '../../base/state.ts';
import type { PredictionMode } from './motion.ts';
import type { BodyUpdate } from './update.ts';
import { indexOfKind, KINDS } from './update.ts';

/**
 * An update in a row of whole numbers, as those keep it who keep many: objects lie all over the memory, and to fetch
 * them takes longer than to code them.
 */

/** Whole numbers of a row: its head, the sequences, the tick, and the state. */
export const PACKED_UPDATE = 3 + STRIDE;
const SEQUENCES = 1;
const TICK = 2;
const STATE_AT = 3;
/** Where in the head what is: the authority plus 1 from bit 0 on, the hold, the kind, the mode, the body. */
const HOLD_AT = 4;
const KIND_AT = 6;
const COURSE_AT = 8;
const BODY_AT = 10;
/** Of the head what says who has the body and what is said of it. */
const CLAIM_MASK = (1 << COURSE_AT) - 1;
const HALF = 16;

/** Writes an update to `out[at]`, PACKED_UPDATE numbers. */
export function packUpdate(update: Readonly<BodyUpdate>, out: Int32Array, at: number): void {
  packClaim(update, out, at);
  out[at + TICK] = update.tick;
  copyState(update.state, 0, out, at + STATE_AT);
}

/** The same without its tick and state: what is there stays. */
export function packClaim(update: Readonly<BodyUpdate>, out: Int32Array, at: number): void {
  out[at] = claimBits(update) | (update.mode << COURSE_AT) | (update.body << BODY_AT);
  out[at + SEQUENCES] = sequencesIn(update);
}

/** Fills an update from what packUpdate wrote to `from[at]`. */
export function unpackUpdate(from: Int32Array, at: number, out: BodyUpdate): void {
  const head = from[at];
  const sequences = from[at + SEQUENCES];
  out.body = bodyIn(from, at);
  out.claim.authority = ((head & 0xf) - 1) as Slot;
  out.claim.hold = ((head >> HOLD_AT) & 3) as Hold;
  out.claim.ownershipSequence = (sequences >>> HALF) as Sequence;
  out.claim.authoritySequence = (sequences & 0xffff) as Sequence;
  out.kind = KINDS[(head >> KIND_AT) & 3];
  out.mode = ((head >> COURSE_AT) & 3) as PredictionMode;
  out.tick = from[at + TICK];
  copyState(from, at + STATE_AT, out.state, 0);
}

export function bodyIn(from: Int32Array, at: number): BodyId {
  return (from[at] >> BODY_AT) as BodyId;
}

export function tickIn(from: Int32Array, at: number): number {
  return from[at + TICK];
}

/** True if the row at `from[at]` is of the same kind, and says the same of who has the body. */
export function sameClaimPacked(from: Int32Array, at: number, update: Readonly<BodyUpdate>): boolean {
  return (from[at] & CLAIM_MASK) === claimBits(update) && from[at + SEQUENCES] === sequencesIn(update);
}

/** True if the row at `from[at]` says the same, whenever that was. */
export function samePacked(from: Int32Array, at: number, update: Readonly<BodyUpdate>): boolean {
  if (!sameClaimPacked(from, at, update)) return false;
  return update.kind === 'record' || sameState(from, at + STATE_AT, update.state, 0);
}

function claimBits({ claim, kind }: Readonly<BodyUpdate>): number {
  return (claim.authority + 1) | (claim.hold << HOLD_AT) | (indexOfKind(kind) << KIND_AT);
}

function sequencesIn({ claim }: Readonly<BodyUpdate>): number {
  return (claim.ownershipSequence << HALF) | claim.authoritySequence;
}
