/**
 * The contexts of the range coder: which probability each bit is coded with. Each has a prior, so that a
 * change here is a change of priors.ts, too, and of the protocol.
 */

/**
 * A kind of small number: the first of its blocks, which go by what is known of its size, each with the contexts of how
 * many bits a number has; and where its signs are, from NEGATIVE on.
 */
export type NumberKind = { readonly block: number; readonly signs: number };

/** Of a block: for each count of bits from 0 on whether a number has more. */
export const BLOCK_NODES = 16;
/** What is expected of a sign: nothing, positive, negative. */
const SIGNS_OF_KIND = 3;

/** Sizes in a context go by this many levels. */
export const LEVELS = 7;
/** The level of a size, by the bits that it takes. */
const LEVEL_OF_BITS = Uint8Array.from({ length: 33 }, (_, bits) => Math.min(LEVELS - 1, Math.ceil(bits / 2)));

/** The level of a whole number of either sign: 0 to LEVELS - 1. */
export function levelOf(value: number): number {
  return LEVEL_OF_BITS[32 - Math.clz32(Math.abs(value))];
}

/** The sign that another number's lets expect: small ones don't count. */
export function signOf(value: number): number {
  return value > 30 ? 1 : value < -30 ? 2 : 0;
}

let kinds = 0;
let blocks = 0;

function numberKind(count: number): NumberKind {
  const block = blocks;
  blocks += count;
  return { block, signs: SIGNS_OF_KIND * kinds++ };
}

const PAIRS = LEVELS * LEVELS;
/** How a motion can have been coded: Course of motion.ts. */
export const PREDICTION_MODES = 3;

/** A body's motion that something disturbs: the first of three numbers, and the others. */
export const LINEAR_FIRST = numberKind(LEVELS * PREDICTION_MODES);
export const LINEAR_NEXT = numberKind(PAIRS);
export const POSITION_FIRST = numberKind(PAIRS);
export const POSITION_NEXT = numberKind(PAIRS);
export const ANGULAR_FIRST = numberKind(PAIRS);
export const ANGULAR_NEXT = numberKind(PAIRS);
export const ROTATION_FIRST = numberKind(PAIRS);
export const ROTATION_NEXT = numberKind(PAIRS);
/** By how much a motion's grid is coarser than its baseline's: of what moves, of what turns. By the baseline's speed. */
export const LINEAR_GRID = numberKind(LEVELS);
export const ANGULAR_GRID = numberKind(LEVELS);
/** One in free flight. */
export const FREE_POSITION = numberKind(1);
export const FREE_ANGULAR = numberKind(1);
export const FREE_ROTATION = numberKind(LEVELS);
/** One at rest. */
export const REST_POSITION = numberKind(LEVELS);
export const REST_ROTATION = numberKind(LEVELS);

/** An avatar. Blocks are by the level of the number before; those from LEVELS on are of the first. */
export const HEAD_POSITION = numberKind(LEVELS + 1);
export const HEAD_ROTATION = numberKind(2 * LEVELS);
export const HAND_POSITION = numberKind(LEVELS + 1);
export const HAND_ROTATION = numberKind(2 * LEVELS);
export const OFFSET_POSITION = numberKind(LEVELS);
export const OFFSET_ROTATION = numberKind(2 * LEVELS);

/** The header; the last block is the age of the base. */
export const HEADER_NUMBER = numberKind(4);
export const AUTHOR_TICK = numberKind(1);
/** Of a baseline's age: of a body, of an avatar. */
export const AGE_ROUNDS = numberKind(2);

/** How many blocks there are. Their contexts are the first: those of block n begin at n * BLOCK_NODES. */
export const NUMBER_BLOCKS = blocks;
let next = NUMBER_BLOCKS * BLOCK_NODES;

function allot(count: number): number {
  const at = next;
  next += count;
  return at;
}

/** Of a small number: it is negative. By the kind's `signs` and what is expected. */
export const NEGATIVE = allot(SIGNS_OF_KIND * kinds);

/** Whether any body is updated; any of a block, for each of the two before by whether any of it is. */
export const ANY_UPDATE = allot(1);
export const BLOCK_UPDATED = allot(4);
/** Whether a body is updated: by what the base packet said of it (4), and whether the two before it in its block are (4). */
export const UPDATED = allot(16);
/** Whether an update is as usual: by what the base packet said of the body (3), and whether the last claim was the same. */
export const AS_USUAL = allot(6);
/** Whether the base packet is the baseline, and whether there is another: of a body, of an avatar. */
export const FROM_BASE = allot(2);
export const HAS_BASELINE = allot(2);
/** By the baseline's kind, 0 for none; of claims also by whether the last one was the same. */
export const SAME_CLAIM = allot(8);
export const KIND = allot(4 * 4);
export const NAMED = allot(2);
export const SAME_SLOT = allot(1);
export const HELD = allot(1);
/** How a sequence has changed: two bits, for each of a claim's two, and of a held body's two. */
export const SEQUENCE = allot(4 * 4);
export const SAME_AGE = allot(1);
/** Whether a body flies free: by how its baseline was coded (COURSES), the body before it (2), and its height (5). */
export const FLIES = allot(PREDICTION_MODES * 10);
/** Whether what flies is as predicted, to the last number. */
export const AS_FLOWN = allot(1);
export const SAME_REST = allot(2);
/** Whether both grains of a motion are its baseline's: by the levels of the two velocities there. */
export const SAME_GRIDS = allot(LEVELS * LEVELS);
/** Whether the largest component of a rotation is the predicted one. */
export const EXPECTED_LARGEST = allot(4);

/** An avatar's. */
export const OF_THIS_TICK = allot(1);
export const SAME_VOICE = allot(1);
export const HAS_NAME = allot(1);
/** Of head and hand. */
export const SAME_POSE = allot(2);
/** Of grip and trigger. */
export const SAME_SQUEEZE = allot(2);
/** Five flags, each by what it was: unknown, 0, 1. */
export const HAND_FLAG = allot(15);
export const SAME_BODY = allot(1);
/** Whether all that a hand does is as before, but for where it is: of one that held nothing, of one that held. */
export const SAME_HAND = allot(2);

export const HAS_ACKS = allot(1);
/** Whether all eight packets of a group have arrived: by whether all of the group before have. */
export const ALL_ARRIVED = allot(2);
/** Whether one of a group has: by the two bits before it. */
export const ACK_BIT = allot(4);
/** Whether a slot is in the table of authors: by whether it is in the base's, and whether it speaks. */
export const AUTHOR = allot(4);
export const HAS_AVATAR = allot(1);

/** How many contexts there are. */
export const CONTEXTS = next;
