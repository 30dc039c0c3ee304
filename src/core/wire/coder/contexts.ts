/**
 * The numbers of the range coder's contexts. A context is an adaptive probability; each bit of a packet is coded in
 * one. Each has a prior in priors.ts, so that a change here changes priors.ts, too, and the protocol. STANDARD.md gives
 * the same numbers.
 */

/**
 * A kind of small number (Coder.number). It has its first `block` and, from NEGATIVE + `signs` on, a context for each
 * sign that can be expected (SIGNS_OF_KIND). A kind has several blocks where its caller knows something of the
 * number's size beforehand; the caller gives the block counted from this one.
 */
export type NumberKind = { readonly block: number; readonly signs: number };

/** Contexts of a block: number i is for the question whether a number has more than i bits. */
export const BLOCK_NODES = 16;
/** The expected sign: 0 unknown, 1 positive, 2 negative. */
const SIGNS_OF_KIND = 3;

/** How many size levels there are. Blocks and contexts go by the size level of a number that is already known. */
export const SIZE_LEVELS = 7;
/** The size level for each count of bits. */
const LEVEL_OF_BITS = Uint8Array.from({ length: 33 }, (_, bits) =>
  Math.min(SIZE_LEVELS - 1, Math.ceil(bits / 2)),
);

/** The size level of a whole number, whatever its sign: 0 for 0, 1 for 1 to 3, 2 for 4 to 15 ... 6 from 1024 on. */
export function sizeLevel(value: number): number {
  return LEVEL_OF_BITS[32 - Math.clz32(Math.abs(value))];
}

/** The sign to expect of a number that tends to have the sign of `value`: 1 above 30, 2 below -30, else 0 (unknown). */
export function expectedSign(value: number): number {
  return value > 30 ? 1 : value < -30 ? 2 : 0;
}

let kinds = 0;
let blocks = 0;

function numberKind(count: number): NumberKind {
  const block = blocks;
  blocks += count;
  return { block, signs: SIGNS_OF_KIND * kinds++ };
}

const LEVEL_PAIRS = SIZE_LEVELS * SIZE_LEVELS;
/** How a motion can have been coded: PredictionMode of motion.ts. */
export const PREDICTION_MODES = 3;

/** A disturbed motion: of each three numbers the first to be coded, and the two others. */
export const LINEAR_FIRST = numberKind(SIZE_LEVELS * PREDICTION_MODES);
export const LINEAR_NEXT = numberKind(LEVEL_PAIRS);
export const POSITION_FIRST = numberKind(LEVEL_PAIRS);
export const POSITION_NEXT = numberKind(LEVEL_PAIRS);
export const ANGULAR_FIRST = numberKind(LEVEL_PAIRS);
export const ANGULAR_NEXT = numberKind(LEVEL_PAIRS);
export const ROTATION_FIRST = numberKind(LEVEL_PAIRS);
export const ROTATION_NEXT = numberKind(LEVEL_PAIRS);
/** By how much a motion's grid is coarser than the baseline's; the block is the size level of the baseline's speed. */
export const LINEAR_GRID = numberKind(SIZE_LEVELS);
export const ANGULAR_GRID = numberKind(SIZE_LEVELS);
/** A motion in free flight. */
export const FREE_POSITION = numberKind(1);
export const FREE_ANGULAR = numberKind(1);
export const FREE_ROTATION = numberKind(SIZE_LEVELS);
/** A state at rest. */
export const REST_POSITION = numberKind(SIZE_LEVELS);
export const REST_ROTATION = numberKind(SIZE_LEVELS);

/** An avatar. The block is the size level of the number before; for a first number it is SIZE_LEVELS or more. */
export const HEAD_POSITION = numberKind(SIZE_LEVELS + 1);
export const HEAD_ROTATION = numberKind(2 * SIZE_LEVELS);
export const HAND_POSITION = numberKind(SIZE_LEVELS + 1);
export const HAND_ROTATION = numberKind(2 * SIZE_LEVELS);
export const OFFSET_POSITION = numberKind(SIZE_LEVELS);
export const OFFSET_ROTATION = numberKind(2 * SIZE_LEVELS);

/** The header's connection, term and reset, and the age of the base: a block each. */
export const HEADER_NUMBER = numberKind(4);
export const AUTHOR_TICK = numberKind(1);
/** The whole rounds of the store in a baseline's age: block 0 of a body, 1 of an avatar. */
export const AGE_ROUNDS = numberKind(2);

/** How many blocks there are. Their contexts come first: those of block n begin at n * BLOCK_NODES. */
export const NUMBER_BLOCKS = blocks;
let next = NUMBER_BLOCKS * BLOCK_NODES;

function allot(count: number): number {
  const at = next;
  next += count;
  return at;
}

/** Whether a small number is negative: by the kind's `signs` and the expected sign. */
export const NEGATIVE = allot(SIGNS_OF_KIND * kinds);

/** Whether any body is updated. */
export const ANY_UPDATE = allot(1);
/** Whether any body of a block is updated: by whether any is in each of the two blocks before. */
export const BLOCK_UPDATED = allot(4);
/** Whether a body is updated: by its kind in the base (4, see kindIn), and whether the two bodies before it are (4). */
export const UPDATED = allot(16);
/**
 * Whether an update repeats the base's: its baseline is the base's, with the same claim, kind and age of the state. By
 * the kind in the base (3), and whether the last claim differed from its baseline's.
 */
export const SAME_AS_BASE = allot(6);
/** Whether the base is the baseline, and if not, whether there is a baseline: of a body, of an avatar. */
export const FROM_BASE = allot(2);
export const HAS_BASELINE = allot(2);
/** Whether a claim is the baseline's: by the baseline's kind (0 for none), and whether the last claim differed. */
export const SAME_CLAIM = allot(8);
/** An update's kind, two bits: by the baseline's kind (0 for none). */
export const KIND = allot(4 * 4);
/** Whether a claim has an authority: by whether the baseline's has. */
export const HAS_AUTHORITY = allot(2);
export const SAME_SLOT = allot(1);
export const HELD = allot(1);
/** How a sequence has changed, two bits: for the two sequences of a claim, and the two of a body in a hand. */
export const SEQUENCE = allot(4 * 4);
/** Whether a relayed state is as many ticks old as the last one. */
export const SAME_STATE_AGE = allot(1);
/**
 * Whether a body is in free flight: by its baseline's PredictionMode, whether the motion before is (2), its height
 * (5).
 */
export const IN_FREE_FLIGHT = allot(PREDICTION_MODES * 10);
/** Whether a body in free flight is exactly as predicted. */
export const AS_PREDICTED = allot(1);
/** Whether a body at rest has its baseline's pose: by whether the baseline is at rest. */
export const SAME_REST = allot(2);
/** Whether both grids of a motion are the baseline's: by the size levels of the baseline's two speeds. */
export const SAME_GRIDS = allot(SIZE_LEVELS * SIZE_LEVELS);
/** Whether the largest component of a rotation is the expected one: by the LARGEST_ number. */
export const EXPECTED_LARGEST = allot(4);
export const LARGEST_IN_FLIGHT = 0;
export const LARGEST_DISTURBED = 1;
export const LARGEST_AT_REST = 2;
export const LARGEST_OF_AVATAR = 3;

/** An avatar: whether its sample is less than a tick older than its author's tick. */
export const IS_RECENT = allot(1);
export const SAME_VOICE = allot(1);
export const HAS_NAME = allot(1);
/** Whether a pose is the baseline's: of the head, of a hand. */
export const SAME_POSE = allot(2);
/** Whether a squeeze is the baseline's: grip, trigger. */
export const SAME_SQUEEZE = allot(2);
/** Five flags of a hand: each by what it was (0 unknown, 1 no, 2 yes). */
export const HAND_FLAG = allot(15);
export const SAME_BODY = allot(1);
/** Whether everything of a hand but its poses is the baseline's: by whether it held a body there. */
export const SAME_HAND = allot(2);

export const HAS_ACKS = allot(1);
/** Whether all eight packets of a group have arrived: by whether all of the group before have. */
export const ALL_ARRIVED = allot(2);
/** Whether a packet of a group has arrived: by the two bits before it. */
export const ACK_BIT = allot(4);
/** Whether a slot is in the table of authors: by whether it is in the base's table, and whether it is the sender's. */
export const IN_AUTHOR_TABLE = allot(4);
export const HAS_AVATAR = allot(1);
/** Whether the table of authors goes on beyond the first slots: by whether the sender's slot is beyond them. */
export const WIDE_TABLE = allot(2);
/** Like HAS_AVATAR, of a player that had no avatar at all in the base. */
export const HAS_AVATAR_NOW = allot(1);
/** Whether a player has no avatar at all: by whether it had none in the base. */
export const AVATARLESS = allot(2);
/** Whether a claim's other slot is beyond the first slots. */
export const SLOT_BEYOND = allot(1);
/** Whether a packet has anything of shared state and events. */
export const ANY_SHARED = allot(1);

/** How many contexts there are. */
export const CONTEXTS = next;
