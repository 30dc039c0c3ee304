import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { BASELINE_STORE_PACKETS } from '../../base/constants.ts';
import { copyState, halt, STATE, STRIDE } from '../../base/state.ts';
import type { Claim } from '../../world/record.ts';
import { claim, copyClaim, sameClaim } from '../../world/record.ts';
import { codeClaim } from './claim.ts';
import {
  AGE_ROUNDS,
  SAME_AS_BASE,
  FROM_BASE,
  HAS_BASELINE,
  KIND,
  SAME_STATE_AGE,
  SAME_CLAIM,
  SAME_REST,
} from '../coder/contexts.ts';
import type { BallisticCache } from './flights.ts';
import type { MotionWorkspace, PredictionMode } from './motion.ts';
import { codeMotion, codeRest, motionWorkspace } from './motion.ts';
import { isOnGrid, LEAST_STATE, MOST_STATE, sameQuantised } from './quantise.ts';
import type { Coder } from '../coder/range-coder.ts';

/**
 * Codes one body in a packet against a baseline. Each function both writes and reads (see Coder): a reader fills the
 * update with what it reads.
 */

/** [W3] The content of an update besides its claim. */
export type UpdateKind =
  /** Nothing: for the player that the claim names [H4], and for bodies that travel in a hand [W5]. */
  | 'record'
  /** The pose of a body at rest [R2]. */
  | 'rest'
  /** The pose and the velocities. */
  | 'motion';
/** All kinds, in the order of their numbers on the wire. */
export const KINDS: readonly UpdateKind[] = ['record', 'rest', 'motion'];

/** The index of a kind in KINDS, without a search. */
export function indexOfKind(kind: UpdateKind): 0 | 1 | 2 {
  return kind === 'motion' ? 2 : kind === 'rest' ? 1 : 0;
}

/** A packet's update of one body. Its owner reuses it. */
export type BodyUpdate = {
  body: BodyId;
  readonly claim: Claim;
  kind: UpdateKind;
  /** The author's tick of the state, down to -MAX_STATE_AGE; without meaning for 'record'. */
  tick: number;
  /** STRIDE numbers [W2]; the velocities are 0 for 'rest'. Without meaning for 'record'. */
  readonly state: Int32Array;
  /** How the motion was coded; codeUpdate sets it. A later motion with this baseline is predicted accordingly. */
  mode: PredictionMode;
};

/** A new update: of no body, without authority, of kind 'record'. */
export function bodyUpdate(): BodyUpdate {
  return { body: NO_BODY, claim: claim(), kind: 'record', tick: 0, state: new Int32Array(STRIDE), mode: 0 };
}

/** The state that a packet's writer and its reader share while they code its updates. */
export type UpdateCoderState = {
  /** Bodies in the world. */
  readonly count: number;
  readonly motion: MotionWorkspace;
  /** The sender of the packet, who is the author of bodies without authority. */
  sender: Slot;
  /** For each slot, its newest tick by the packet's table of authors; -1 if it is not in the table. */
  readonly authorTicks: Int32Array;
  /** Packets by which the base is older; most baselines are in the base. 0: the packet has no base. */
  baseAge: number;
  /** How the last motion in this packet was coded; 0 before the first. */
  lastMode: PredictionMode;
  /** Ticks: the age of the last relayed state in this packet; 0 before the first. */
  lastStateAge: number;
  /** 1 if the last claim that was coded against a baseline differed from it, else 0. */
  claimDiffered: number;
  /**
   * Whether the present update repeats the base's (SAME_AS_BASE). 'not asked': its baseline is not the base's, so that
   * the packet has no such flag or one that follows from it.
   */
  sameAsBase: 'yes' | 'no' | 'not asked';
};

/**
 * @param count bodies in the world.
 * @param authorTicks for each slot its newest tick or -1; kept, not copied: the caller fills it for each packet.
 * @param flights the cache that all packets of a peer share.
 */
export function updateCoderState(
  count: number,
  authorTicks: Int32Array,
  flights: BallisticCache,
): UpdateCoderState {
  return {
    count,
    motion: motionWorkspace(flights),
    sender: 0 as Slot,
    authorTicks,
    baseAge: 0,
    lastMode: 0,
    lastStateAge: 0,
    claimDiffered: 0,
    sameAsBase: 'not asked',
  };
}

/** Begins the updates of a packet whose base is so many packets older; 0: it has none. */
export function beginUpdates(shared: UpdateCoderState, baseAge: number): void {
  shared.baseAge = baseAge;
  shared.lastMode = 0;
  shared.lastStateAge = 0;
  shared.claimDiffered = 0;
}

/** Ticks by which a relayed state can be older than its author's newest tick, at most; older ones count as this old. */
export const MAX_STATE_AGE = 63;
const AGE_BITS = 6;

/** The author of the state that comes with a claim: the claim's authority, or the sender if it has none. */
export function authorOf(claimed: Readonly<Claim>, sender: Slot): Slot {
  return claimed.authority === NO_SLOT ? sender : claimed.authority;
}

/**
 * Codes whether an update repeats the base's (SAME_AS_BASE), as most do: the base's update is its baseline, has the
 * same claim and kind, and a relayed state is as old as the last one in this packet. If not, codes the baseline's
 * age.
 * @param kindInBase the kind of the base's update of the body, as an index of KINDS; -1 if it has none.
 * @param age a writer's: packets by which the update's baseline is older; 0 for none.
 * @param baseline a writer's: the baseline, or null. A reader gives null.
 * @returns packets by which the baseline is older; 0 for none.
 */
export function codeBaseline(
  c: Coder,
  shared: UpdateCoderState,
  kindInBase: number,
  age: number,
  update: Readonly<BodyUpdate>,
  baseline: Readonly<BodyUpdate> | null,
): number {
  const { baseAge } = shared;
  shared.sameAsBase = 'not asked';
  if (kindInBase < 0) return codeBaselineAge(c, 'body', baseAge, false, age);
  const repeats = age === baseAge && baseline !== null && repeatsBaseline(shared, update, baseline);
  if (c.bit(SAME_AS_BASE + kindInBase * 2 + shared.claimDiffered, repeats ? 1 : 0) === 1) {
    shared.sameAsBase = 'yes';
    return baseAge;
  }
  const other = codeBaselineAge(c, 'body', baseAge, true, age);
  if (other === baseAge) shared.sameAsBase = 'no';
  return other;
}

function repeatsBaseline(
  shared: UpdateCoderState,
  update: Readonly<BodyUpdate>,
  baseline: Readonly<BodyUpdate>,
): boolean {
  if (update.kind !== baseline.kind || !sameClaim(update.claim, baseline.claim)) return false;
  const author = authorOf(update.claim, shared.sender);
  if (update.kind === 'record' || author === shared.sender) return true;
  return stateAgeOf(shared, update, author) === shared.lastStateAge;
}

/**
 * Codes by how many packets a baseline is older, 0 for none.
 * @param inBase true if the base has an update of the same body, or the same avatar: then mostly that is the baseline.
 * @returns the age; 0 too if a reader finds the packet invalid.
 */
export function codeBaselineAge(
  c: Coder,
  of: 'body' | 'avatar',
  baseAge: number,
  inBase: boolean,
  age: number,
): number {
  const which = of === 'body' ? 0 : 1;
  if (inBase && c.bit(FROM_BASE + which, age === baseAge ? 1 : 0) === 1) return baseAge;
  if (c.bit(HAS_BASELINE + which, age > 0 ? 1 : 0) === 0) return 0;
  const other = codeAge(c, which, age);
  if (inBase && other === baseAge) c.fail();
  return c.failed ? 0 : other;
}

/** Codes an age in packets as whole rounds of the baseline store and the packets beyond them. */
function codeAge(c: Coder, which: number, age: number): number {
  const rounds = c.number(AGE_ROUNDS, which, 1, Math.floor(age / BASELINE_STORE_PACKETS));
  if (rounds < 0 || rounds > MAX_ROUNDS) c.fail();
  return rounds * BASELINE_STORE_PACKETS + c.range(age % BASELINE_STORE_PACKETS, 1, MAX_AGE_IN_ROUND);
}

/**
 * Packets beyond whole rounds of the store, at most. A packet that is one packet short of a round older is no baseline:
 * packets overtake each other, and the next packet, if it came first, would have taken its place in the store.
 */
const MAX_AGE_IN_ROUND = BASELINE_STORE_PACKETS - 2;
const MAX_ROUNDS = Math.floor(0xffff / BASELINE_STORE_PACKETS);

/**
 * [W4] True if a packet that is `age` packets older may be a baseline. The store keeps an update of a body that rests
 * for long: only an update of the same body, whole rounds of the store later, replaces it.
 */
export function isBaselineAge(age: number): boolean {
  const inRound = age % BASELINE_STORE_PACKETS;
  return age > 0 && age <= 0xffff && inRound > 0 && inRound <= MAX_AGE_IN_ROUND;
}

/**
 * Codes an update against its baseline, or null; call codeBaseline first. A reader must have set `update.body`. [W1] It
 * fails on an update that a writer would have coded in another form.
 */
export function codeUpdate(
  c: Coder,
  shared: UpdateCoderState,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
): void {
  codeClaimAndKind(c, shared, update, baseline);
  update.mode = 0;
  if (update.kind === 'record') return;
  const from = baseline === null || baseline.kind === 'record' ? null : baseline;
  if (from === null) codePlain(c, update);
  else if (update.kind === 'rest') codeResting(c, shared, update, from);
  else {
    // Only the low 16 bits of ticks count: where a slot has a new player, the two ends may differ in the bits above.
    const ticks = (update.tick - from.tick) & 0xffff;
    update.mode = codeMotion(c, shared.motion, update.state, from, ticks, shared.lastMode);
    shared.lastMode = update.mode;
  }
}

/** Codes the claim, the kind and the tick. */
function codeClaimAndKind(
  c: Coder,
  shared: UpdateCoderState,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
): void {
  const { sameAsBase, lastStateAge } = shared;
  if (sameAsBase === 'yes' && baseline !== null) {
    shared.claimDiffered = 0;
    copyClaim(baseline.claim, update.claim);
    update.kind = baseline.kind;
  } else {
    const kindBefore = baseline === null ? 0 : 1 + indexOfKind(baseline.kind);
    codeClaimAgainst(c, shared, update, baseline, kindBefore);
    update.kind = codeKind(c, kindBefore, update.kind);
  }
  if (update.kind !== 'record') codeTick(c, shared, update);
  if (sameAsBase !== 'no' || baseline === null || shared.lastStateAge !== lastStateAge) return;
  // Everything repeats the base's after all: SAME_AS_BASE should have been set.
  if (update.kind === baseline.kind && sameClaim(update.claim, baseline.claim)) c.fail();
}

/** @param kindBefore the baseline's index in KINDS plus 1; 0 without a baseline. */
function codeClaimAgainst(
  c: Coder,
  shared: UpdateCoderState,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
  kindBefore: number,
): void {
  if (baseline === null) {
    codeClaim(c, update.claim, UNCLAIMED, shared.sender);
    return;
  }
  const isSame = sameClaim(update.claim, baseline.claim) ? 1 : 0;
  const same = c.bit(SAME_CLAIM + kindBefore * 2 + shared.claimDiffered, isSame);
  shared.claimDiffered = 1 - same;
  if (same === 1) {
    copyClaim(baseline.claim, update.claim);
    return;
  }
  codeClaim(c, update.claim, baseline.claim, shared.sender);
  if (sameClaim(update.claim, baseline.claim)) c.fail();
}

function codeKind(c: Coder, kindBefore: number, kind: UpdateKind): UpdateKind {
  const context = KIND + kindBefore * 2;
  if (c.bit(context, kind === 'motion' ? 1 : 0) === 1) return 'motion';
  return c.bit(context + 1, kind === 'rest' ? 1 : 0) === 1 ? 'rest' : 'record';
}

/** Codes the state's tick: the author's newest tick, less the age of a relayed state. */
function codeTick(c: Coder, shared: UpdateCoderState, update: BodyUpdate): void {
  const author = authorOf(update.claim, shared.sender);
  const newest = shared.authorTicks[author];
  if (newest < 0) c.fail();
  if (author === shared.sender) {
    update.tick = newest;
    return;
  }
  if (shared.sameAsBase !== 'yes') codeStateAge(c, shared, stateAgeOf(shared, update, author));
  update.tick = newest - shared.lastStateAge;
}

/** Ticks by which a relayed state is older than its author's newest tick. */
function stateAgeOf({ authorTicks }: UpdateCoderState, update: Readonly<BodyUpdate>, author: Slot): number {
  return Math.min(MAX_STATE_AGE, authorTicks[author] - update.tick);
}

/** Codes the age of a relayed state in ticks; leaves it in `lastStateAge`. */
function codeStateAge(c: Coder, shared: UpdateCoderState, age: number): void {
  if (c.bit(SAME_STATE_AGE, age === shared.lastStateAge ? 1 : 0) === 1) return;
  const other = c.bits(c.failed ? 0 : age, AGE_BITS);
  if (other === shared.lastStateAge) c.fail();
  shared.lastStateAge = other;
}

/** Codes a state without a baseline. */
function codePlain(c: Coder, update: BodyUpdate): void {
  const { state, kind } = update;
  const end = kind === 'rest' ? STATE.linear : STRIDE;
  for (let i = 0; i < end; i++) state[i] = c.range(state[i], LEAST_STATE[i], MOST_STATE[i]);
  if (kind === 'rest') halt(state);
  if (!isOnGrid(state)) c.fail();
}

function codeResting(
  c: Coder,
  shared: UpdateCoderState,
  update: BodyUpdate,
  from: Readonly<BodyUpdate>,
): void {
  const same = sameQuantised(update.state, from.state);
  if (c.bit(SAME_REST + (from.kind === 'rest' ? 1 : 0), same ? 1 : 0) === 1) {
    copyState(from.state, 0, update.state, 0);
    halt(update.state);
    return;
  }
  codeRest(c, shared.motion, update.state, from.state);
  if (sameQuantised(update.state, from.state)) c.fail();
}

const UNCLAIMED: Readonly<Claim> = claim();
