import type { BodyId, Existence, Hold, Sequence, Slot } from '../../base/ids.ts';
import { copyState, sameState, STRIDE } from '../../base/state.ts';
import type { PredictionMode } from './motion.ts';
import type { BodyUpdate } from './update.ts';
import { indexOfKind, KINDS } from './update.ts';

/**
 * An update packed into consecutive whole numbers, for stores with many updates. Objects would lie scattered in memory,
 * and reading them would take longer than coding them.
 */

/** Numbers of a packed update: its bit fields, the two sequences, the tick, the existence, and the state. */
export const PACKED_UPDATE = 4 + STRIDE;
const SEQUENCES = 1;
const TICK = 2;
const EXISTENCE = 3;
const STATE_AT = 4;
/** The first bit of each bit field: the authority plus 1 is at 0; then the hold, the kind, the mode and the body. */
const HOLD_AT = 6;
const KIND_AT = 8;
const MODE_AT = 10;
const BODY_AT = 12;
/** The bit field of the authority plus 1: 0 to MAX_PLAYERS. */
const AUTHORITY_MASK = (1 << HOLD_AT) - 1;
/** The bit fields of the claim and the kind. */
const CLAIM_MASK = (1 << MODE_AT) - 1;
const HALF = 16;

/** Packs an update into PACKED_UPDATE numbers from `out[at]` on. */
export function packUpdate(update: Readonly<BodyUpdate>, out: Int32Array, at: number): void {
  packClaim(update, out, at);
  out[at + TICK] = update.tick;
  copyState(update.state, 0, out, at + STATE_AT);
}

/** Packs an update without its tick and its state, which stay as they are in `out`. */
export function packClaim(update: Readonly<BodyUpdate>, out: Int32Array, at: number): void {
  out[at] = claimBits(update) | (update.mode << MODE_AT) | (update.body << BODY_AT);
  out[at + SEQUENCES] = sequencesIn(update);
  out[at + EXISTENCE] = update.claim.existence;
}

/** Fills `out` from the packed update at `from[at]` on. */
export function unpackUpdate(from: Int32Array, at: number, out: BodyUpdate): void {
  const fields = from[at];
  const sequences = from[at + SEQUENCES];
  out.body = bodyIn(from, at);
  out.claim.authority = ((fields & AUTHORITY_MASK) - 1) as Slot;
  out.claim.hold = ((fields >> HOLD_AT) & 3) as Hold;
  out.claim.ownershipSequence = (sequences >>> HALF) as Sequence;
  out.claim.authoritySequence = (sequences & 0xffff) as Sequence;
  out.claim.existence = from[at + EXISTENCE] as Existence;
  out.kind = KINDS[(fields >> KIND_AT) & 3];
  out.mode = ((fields >> MODE_AT) & 3) as PredictionMode;
  out.tick = from[at + TICK];
  copyState(from, at + STATE_AT, out.state, 0);
}

/** The body of the packed update at `from[at]` on. */
export function bodyIn(from: Int32Array, at: number): BodyId {
  return (from[at] >> BODY_AT) as BodyId;
}

/** The tick of the packed update at `from[at]` on. */
export function tickIn(from: Int32Array, at: number): number {
  return from[at + TICK];
}

/** True if the packed update at `from[at]` on has the same kind and the same claim. */
export function sameClaimPacked(from: Int32Array, at: number, update: Readonly<BodyUpdate>): boolean {
  return (
    (from[at] & CLAIM_MASK) === claimBits(update) &&
    from[at + SEQUENCES] === sequencesIn(update) &&
    from[at + EXISTENCE] === update.claim.existence
  );
}

/** True if the packed update at `from[at]` on has the same kind, claim and state. The ticks may differ. */
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
