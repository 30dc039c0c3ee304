import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_BODY, NO_SLOT } from '../../base/ids.ts';
import { BASELINE_STORE_PACKETS } from '../../base/constants.ts';
import { copyState, halt, STATE, STRIDE } from '../../base/state.ts';
import type { Claim } from '../../world/record.ts';
import { claim, copyClaim, sameClaim } from '../../world/record.ts';
import { codeClaim } from './claim.ts';
import {
  AGE_ROUNDS,
  AS_USUAL,
  FROM_BASE,
  HAS_BASELINE,
  KIND,
  SAME_AGE,
  SAME_CLAIM,
  SAME_REST,
} from '../coder/contexts.ts';
import type { BallisticCache } from './flights.ts';
import type { PredictionMode } from './motion.ts';
import { codeMotion, codeRest } from './motion.ts';
import { isOnGrid, LEAST_STATE, MOST_STATE, sameQuantised } from './quantise.ts';
import type { Coder } from '../coder/range-coder.ts';

/**
 * One body in a packet, against a baseline. Each function describes writing and reading at once (see Coder): a
 * reader's update is filled with what was read.
 */

/** [W3] What an update says beyond who has the body. */
export type UpdateKind =
  /** Nothing: to the one that it names [H4], and of bodies that travel in a hand [W5]. */
  | 'record'
  /** That it rests, and where [R2]. */
  | 'rest'
  /** Its pose and velocities. */
  | 'motion';
export const KINDS: readonly UpdateKind[] = ['record', 'rest', 'motion'];

/** The index in KINDS, without a search. */
export function indexOfKind(kind: UpdateKind): 0 | 1 | 2 {
  return kind === 'motion' ? 2 : kind === 'rest' ? 1 : 0;
}

/** Reused: what a packet says of one body. */
export type BodyUpdate = {
  body: BodyId;
  readonly claim: Claim;
  kind: UpdateKind;
  /** The author's tick that the state is of, down to -MAX_STATE_AGE; nothing for 'record'. */
  tick: number;
  /** STRIDE numbers; velocities are 0 for 'rest', nothing counts for 'record'. */
  readonly state: Int32Array;
  /** How a motion was coded, which the coder finds: what is coded against it goes by that. */
  mode: PredictionMode;
};

export function bodyUpdate(): BodyUpdate {
  return { body: NO_BODY, claim: claim(), kind: 'record', tick: 0, state: new Int32Array(STRIDE), mode: 0 };
}

/** What both ends know when an update is written or read. */
export type UpdateContext = {
  /** Bodies in the world. */
  readonly count: number;
  readonly flights: BallisticCache;
  /** Who sent the packet: the author of what nobody has. */
  speaker: Slot;
  /** For each slot, the newest tick that the packet's table gives for it, or -1: not in the table. */
  readonly authorTicks: Int32Array;
  /** By how many packets the base is older, on which most bodies' baselines are; 0: none. */
  baseAge: number;
  /** How the last motion was coded, and how old the last state of another author was. */
  mode: PredictionMode;
  stateAge: number;
  /** 1 if the last claim was not that of its baseline. */
  claimed: number;
  /** Whether the update that is coded is as usual: it was said to be; or not to be; or it can't be with its baseline. */
  usual: 'yes' | 'no' | 'never';
};

export function updateContext(
  count: number,
  authorTicks: Int32Array,
  flights: BallisticCache,
): UpdateContext {
  return {
    count,
    flights,
    speaker: 0 as Slot,
    authorTicks,
    baseAge: 0,
    mode: 0,
    stateAge: 0,
    claimed: 0,
    usual: 'never',
  };
}

/** A packet's updates begin. */
export function beginUpdates(context: UpdateContext, baseAge: number): void {
  context.baseAge = baseAge;
  context.mode = 0;
  context.stateAge = 0;
  context.claimed = 0;
}

/** Ticks by which a relayed state may be older than its author's newest tick; beyond it counts as this old. */
export const MAX_STATE_AGE = 63;
const AGE_BITS = 6;

/** Whose simulation a claim's state comes from. */
export function authorOf(said: Readonly<Claim>, speaker: Slot): Slot {
  return said.authority === NO_SLOT ? speaker : said.authority;
}

/**
 * Codes by how many packets an update's baseline is older, 0 for none; and whether all is as usual with it, as mostly
 * it is: the baseline is the base's, who has the body and what is said of it are as there, and a relayed state is as old
 * as the last one in the packet.
 * @param kindInBase what the base said of the body, as an index of KINDS; -1: nothing.
 * @param known the baseline, if a writer has one, else null.
 */
export function codeBaseline(
  c: Coder,
  context: UpdateContext,
  kindInBase: number,
  age: number,
  update: Readonly<BodyUpdate>,
  known: Readonly<BodyUpdate> | null,
): number {
  const { baseAge } = context;
  context.usual = 'never';
  if (kindInBase < 0) return codeBaselineAge(c, 'body', baseAge, false, age);
  const usual = age === baseAge && known !== null && isUsual(context, update, known);
  if (c.bit(AS_USUAL + kindInBase * 2 + context.claimed, usual ? 1 : 0) === 1) {
    context.usual = 'yes';
    return baseAge;
  }
  const other = codeBaselineAge(c, 'body', baseAge, true, age);
  if (other === baseAge) context.usual = 'no';
  return other;
}

function isUsual(
  context: UpdateContext,
  update: Readonly<BodyUpdate>,
  baseline: Readonly<BodyUpdate>,
): boolean {
  if (update.kind !== baseline.kind || !sameClaim(update.claim, baseline.claim)) return false;
  const author = authorOf(update.claim, context.speaker);
  if (update.kind === 'record' || author === context.speaker) return true;
  return ageOf(context, update, author) === context.stateAge;
}

/** By how many packets a baseline is older, 0 for none: that of the base, if it is in there. */
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

/** How far a baseline lies back in a store's round of packets, and how many rounds. */
function codeAge(c: Coder, which: number, age: number): number {
  const rounds = c.number(AGE_ROUNDS, which, 1, Math.floor(age / BASELINE_STORE_PACKETS));
  if (rounds < 0 || rounds > MOST_ROUNDS) c.fail();
  return rounds * BASELINE_STORE_PACKETS + c.range(age % BASELINE_STORE_PACKETS, 1, LAST_OF_ROUND);
}

/** A packet whose number is two short of a whole round older may still be a baseline: packets overtake each other. */
const LAST_OF_ROUND = BASELINE_STORE_PACKETS - 2;
const MOST_ROUNDS = Math.floor(0xffff / BASELINE_STORE_PACKETS);

/**
 * [W4] True if a packet so many packets back may be a baseline. What was said of a body that has been at rest is
 * kept for long: only what is said of the same body, whole rounds of the store later, takes its place.
 */
export function isBaselineAge(age: number): boolean {
  const inRound = age % BASELINE_STORE_PACKETS;
  return age > 0 && age <= 0xffff && inRound > 0 && inRound <= LAST_OF_ROUND;
}

/** Codes what is said of a body against its baseline, or null. [W1] What could be said otherwise is refused. */
export function codeUpdate(
  c: Coder,
  context: UpdateContext,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
): void {
  codeWord(c, context, update, baseline);
  update.mode = 0;
  if (update.kind === 'record') return;
  const from = baseline === null || baseline.kind === 'record' ? null : baseline;
  if (from === null) codePlain(c, update);
  else if (update.kind === 'rest') codeResting(c, update, from);
  else {
    // Of the ticks the low 16 bits count: a slot's next player may have unwrapped to other ticks on one end.
    const ticks = (update.tick - from.tick) & 0xffff;
    update.mode = codeMotion(c, context.flights, update.state, from, ticks, context.mode);
    context.mode = update.mode;
  }
}

/** Who has the body, and what is said of it and of which tick. */
function codeWord(
  c: Coder,
  context: UpdateContext,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
): void {
  const { usual, stateAge } = context;
  if (usual === 'yes' && baseline !== null) {
    context.claimed = 0;
    copyClaim(baseline.claim, update.claim);
    update.kind = baseline.kind;
  } else {
    const known = baseline === null ? 0 : 1 + indexOfKind(baseline.kind);
    codeAuthority(c, context, update, baseline, known);
    update.kind = codeKind(c, known, update.kind);
  }
  if (update.kind !== 'record') codeTick(c, context, update);
  if (usual !== 'no' || baseline === null || context.stateAge !== stateAge) return;
  if (update.kind === baseline.kind && sameClaim(update.claim, baseline.claim)) c.fail();
}

function codeAuthority(
  c: Coder,
  context: UpdateContext,
  update: BodyUpdate,
  baseline: Readonly<BodyUpdate> | null,
  known: number,
): void {
  if (baseline === null) {
    codeClaim(c, update.claim, UNCLAIMED, context.speaker);
    return;
  }
  const asked = c.bit(
    SAME_CLAIM + known * 2 + context.claimed,
    sameClaim(update.claim, baseline.claim) ? 1 : 0,
  );
  context.claimed = 1 - asked;
  if (asked === 1) {
    copyClaim(baseline.claim, update.claim);
    return;
  }
  codeClaim(c, update.claim, baseline.claim, context.speaker);
  if (sameClaim(update.claim, baseline.claim)) c.fail();
}

function codeKind(c: Coder, known: number, kind: UpdateKind): UpdateKind {
  const context = KIND + known * 2;
  if (c.bit(context, kind === 'motion' ? 1 : 0) === 1) return 'motion';
  return c.bit(context + 1, kind === 'rest' ? 1 : 0) === 1 ? 'rest' : 'record';
}

function codeTick(c: Coder, context: UpdateContext, update: BodyUpdate): void {
  const author = authorOf(update.claim, context.speaker);
  const newest = context.authorTicks[author];
  if (newest < 0) c.fail();
  if (author === context.speaker) {
    update.tick = newest;
    return;
  }
  if (context.usual !== 'yes') codeStateAge(c, context, ageOf(context, update, author));
  update.tick = newest - context.stateAge;
}

/** Ticks by which a relayed state is older than its author's newest. */
function ageOf({ authorTicks }: UpdateContext, update: Readonly<BodyUpdate>, author: Slot): number {
  return Math.min(MAX_STATE_AGE, authorTicks[author] - update.tick);
}

function codeStateAge(c: Coder, context: UpdateContext, age: number): void {
  if (c.bit(SAME_AGE, age === context.stateAge ? 1 : 0) === 1) return;
  const other = c.bits(c.failed ? 0 : age, AGE_BITS);
  if (other === context.stateAge) c.fail();
  context.stateAge = other;
}

/** A state by itself. */
function codePlain(c: Coder, update: BodyUpdate): void {
  const { state, kind } = update;
  const end = kind === 'rest' ? STATE.linear : STRIDE;
  for (let i = 0; i < end; i++) state[i] = c.range(state[i], LEAST_STATE[i], MOST_STATE[i]);
  if (kind === 'rest') halt(state);
  if (!isOnGrid(state)) c.fail();
}

function codeResting(c: Coder, update: BodyUpdate, from: Readonly<BodyUpdate>): void {
  const same = sameQuantised(update.state, from.state);
  if (c.bit(SAME_REST + (from.kind === 'rest' ? 1 : 0), same ? 1 : 0) === 1) {
    copyState(from.state, 0, update.state, 0);
    halt(update.state);
    return;
  }
  codeRest(c, update.state, from.state);
  if (sameQuantised(update.state, from.state)) c.fail();
}

const UNCLAIMED: Readonly<Claim> = claim();
