import type { BodyId, Hold, Sequence, Slot } from '../base/ids.ts';
import { NO_BODY, NO_SLOT, NOT_HELD } from '../base/ids.ts';
import { MAX_BASELINE_AGE, MAX_PLAYERS } from '../base/constants.ts';
import { STATE, STRIDE } from '../base/state.ts';
import type { Claim } from '../world/record.ts';
import { claim, copyClaim, sameClaim } from '../world/record.ts';
import type { BitReader, BitWriter } from './bits.ts';
import { bitsFor } from './bits.ts';
import { predict } from './predict.ts';
import { HEIGHT_HIGH, HEIGHT_LOW, MAX_ACROSS, MAX_ANGULAR, MAX_LINEAR, MAX_ROTATION } from './quantise.ts';

/**
 * One body in a packet: writing and reading stand side by side, and both are bit packing against a baseline.
 * A better coder replaces this file and nothing else.
 */

/** [W3] What an update says beyond who has the body. */
export type UpdateKind =
  /** Nothing: to the one that it names [H4], and of bodies that travel in a hand [W5]. */
  | 'record'
  /** That it rests, and where [R2]. */
  | 'rest'
  /** Its pose and velocities. */
  | 'motion';
const KINDS: readonly UpdateKind[] = ['record', 'rest', 'motion'];

/** Reused: what a packet says of one body. */
export type BodyUpdate = {
  body: BodyId;
  readonly claim: Claim;
  kind: UpdateKind;
  /** The author's tick that the state is of, down to -MAX_STATE_AGE; nothing for 'record'. */
  tick: number;
  /** STRIDE numbers; velocities are 0 for 'rest', nothing counts for 'record'. */
  readonly state: Int32Array;
};

export function bodyUpdate(): BodyUpdate {
  return { body: NO_BODY, claim: claim(), kind: 'record', tick: 0, state: new Int32Array(STRIDE) };
}

export function copyUpdate(from: Readonly<BodyUpdate>, out: BodyUpdate): void {
  out.body = from.body;
  copyClaim(from.claim, out.claim);
  out.kind = from.kind;
  out.tick = from.tick;
  out.state.set(from.state);
}

/** True if two updates say the same, whenever they said it. */
export function sameUpdate(a: Readonly<BodyUpdate>, b: Readonly<BodyUpdate>): boolean {
  return (
    a.kind === b.kind && sameClaim(a.claim, b.claim) && (a.kind === 'record' || sameState(a.state, b.state))
  );
}

function sameState(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < STRIDE; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What both ends know when an update is written or read. */
export type UpdateContext = {
  /** Bodies in the world. */
  readonly count: number;
  /** Who sent the packet: the author of what nobody has. */
  speaker: Slot;
  /** For each slot, the newest tick that the packet's table gives for it, or -1: not in the table. */
  readonly authorTicks: Int32Array;
};

/** Ticks by which a relayed state may be older than its author's newest tick; beyond it counts as this old. */
export const MAX_STATE_AGE = 63;
const AGE_BITS = 6;

/** Whose simulation a claim's state comes from. */
export function authorOf(said: Readonly<Claim>, speaker: Slot): Slot {
  return said.authority === NO_SLOT ? speaker : said.authority;
}

/** Writes an update; `baseline`, `baselineAge` packets old, is what the receiver is known to have, or null. */
export function writeUpdate(
  w: BitWriter,
  context: Readonly<UpdateContext>,
  update: Readonly<BodyUpdate>,
  baseline: Readonly<BodyUpdate> | null,
  baselineAge: number,
): void {
  w.writeRange(update.body, 0, context.count - 1);
  w.writeFlag(baseline !== null);
  if (baseline !== null) w.writeRange(baselineAge, 1, MAX_BASELINE_AGE);
  const same = baseline !== null && sameClaim(update.claim, baseline.claim);
  if (baseline !== null) w.writeFlag(same);
  if (!same) writeClaim(w, update.claim);
  w.writeRange(KINDS.indexOf(update.kind), 0, 2);
  if (update.kind === 'record') return;
  const author = authorOf(update.claim, context.speaker);
  if (author !== context.speaker)
    w.write(Math.min(MAX_STATE_AGE, context.authorTicks[author] - update.tick), AGE_BITS);
  if (baseline === null || baseline.kind === 'record') writeState(w, update);
  else writeDelta(w, update, baseline);
}

/**
 * Reads what writeUpdate wrote, after `body` and the baseline; false if it is not an update. [W1] What could
 * be said in another way than writeUpdate's is refused, so that the same state never comes as other bytes.
 */
export function readUpdate(
  r: BitReader,
  context: Readonly<UpdateContext>,
  baseline: Readonly<BodyUpdate> | null,
  out: BodyUpdate,
): boolean {
  if (baseline !== null && r.readFlag()) copyClaim(baseline.claim, out.claim);
  else {
    readClaim(r, out.claim);
    if (baseline !== null && sameClaim(out.claim, baseline.claim)) r.fail();
  }
  out.kind = KINDS[r.readRange(0, 2)];
  if (out.kind === 'record') return !r.failed;
  const author = authorOf(out.claim, context.speaker);
  if (context.authorTicks[author] < 0) r.fail();
  out.tick = context.authorTicks[author] - (author === context.speaker ? 0 : r.read(AGE_BITS));
  if (baseline === null || baseline.kind === 'record') readState(r, out);
  else readDelta(r, baseline, out);
  return !r.failed;
}

/** The body and the age of its baseline, 0 for none; the reader looks the baseline up before it goes on. */
export function readUpdateHead(r: BitReader, context: Readonly<UpdateContext>, out: BodyUpdate): number {
  out.body = r.readRange(0, context.count - 1) as BodyId;
  return r.readFlag() ? r.readRange(1, MAX_BASELINE_AGE) : 0;
}

function writeClaim(w: BitWriter, said: Readonly<Claim>): void {
  w.writeFlag(said.authority !== NO_SLOT);
  if (said.authority !== NO_SLOT) {
    w.writeRange(said.authority, 0, MAX_PLAYERS - 1);
    w.writeRange(said.hold, 0, 2);
  }
  w.write(said.ownershipSequence, 16);
  w.write(said.authoritySequence, 16);
}

function readClaim(r: BitReader, out: Claim): void {
  const named = r.readFlag();
  out.authority = named ? (r.readRange(0, MAX_PLAYERS - 1) as Slot) : NO_SLOT;
  out.hold = named ? (r.readRange(0, 2) as Hold) : NOT_HELD;
  out.ownershipSequence = r.read(16) as Sequence;
  out.authoritySequence = r.read(16) as Sequence;
}

/** A state by itself. */
function writeState(w: BitWriter, update: Readonly<BodyUpdate>): void {
  writePlain(w, POSITION, update.state);
  w.write(update.state[STATE.largest], 2);
  writePlain(w, ROTATION, update.state);
  if (update.kind === 'rest') return;
  writePlain(w, LINEAR, update.state);
  writePlain(w, ANGULAR, update.state);
}

function readState(r: BitReader, out: BodyUpdate): void {
  readPlain(r, POSITION, out.state);
  out.state[STATE.largest] = r.read(2);
  readPlain(r, ROTATION, out.state);
  if (out.kind === 'rest') out.state.fill(0, STATE.linear);
  else {
    readPlain(r, LINEAR, out.state);
    readPlain(r, ANGULAR, out.state);
  }
}

/** A state against a baseline that has one. A body at rest is where the baseline was; others are predicted. */
function writeDelta(w: BitWriter, update: Readonly<BodyUpdate>, baseline: Readonly<BodyUpdate>): void {
  const same = sameState(update.state, baseline.state);
  w.writeFlag(same);
  if (same) return;
  let prediction = baseline.state;
  if (update.kind === 'motion') {
    predictBoth(update, baseline);
    const flies = fliesFree(update.state);
    w.writeFlag(flies);
    prediction = flies ? ballistic : carried;
  }
  writeGroup(w, POSITION, update.state, prediction);
  const turned = update.state[STATE.largest] !== prediction[STATE.largest];
  w.writeFlag(turned);
  if (turned) w.write(update.state[STATE.largest], 2);
  if (turned) writePlain(w, ROTATION, update.state);
  else writeGroup(w, ROTATION, update.state, prediction);
  if (update.kind === 'rest') return;
  writeGroup(w, LINEAR, update.state, prediction);
  writeGroup(w, ANGULAR, update.state, prediction);
}

function readDelta(r: BitReader, baseline: Readonly<BodyUpdate>, out: BodyUpdate): void {
  if (r.readFlag()) {
    out.state.set(baseline.state);
    if (out.kind === 'rest') checkStill(r, out.state);
    return;
  }
  let prediction = baseline.state;
  let flies = false;
  if (out.kind === 'motion') {
    predictBoth(out, baseline);
    flies = r.readFlag();
    prediction = flies ? ballistic : carried;
  }
  readGroup(r, POSITION, prediction, out.state);
  if (r.readFlag()) {
    out.state[STATE.largest] = r.read(2);
    if (out.state[STATE.largest] === prediction[STATE.largest]) r.fail();
    readPlain(r, ROTATION, out.state);
  } else {
    out.state[STATE.largest] = prediction[STATE.largest];
    readGroup(r, ROTATION, prediction, out.state);
  }
  if (out.kind === 'rest') out.state.fill(0, STATE.linear);
  else {
    readGroup(r, LINEAR, prediction, out.state);
    readGroup(r, ANGULAR, prediction, out.state);
  }
  if (sameState(out.state, baseline.state)) r.fail();
  if (out.kind === 'motion' && flies !== fliesFree(out.state)) r.fail();
}

/** A body at rest has no velocity, whatever its baseline had. */
function checkStill(r: BitReader, state: Int32Array): void {
  for (let i = STATE.linear; i < STRIDE; i++) if (state[i] !== 0) r.fail();
}

/**
 * What the baseline became by the update's tick, in `ballistic` and `carried`. Of the ticks the low 16 bits
 * count, which both ends have from the wire: a slot's next player may have unwrapped to other ticks there.
 */
function predictBoth(update: Readonly<BodyUpdate>, baseline: Readonly<BodyUpdate>): void {
  const ticks = (update.tick - baseline.tick) & 0xffff;
  predict(baseline.state, ticks, 'ballistic', ballistic);
  predict(baseline.state, ticks, 'carried', carried);
}

/** Which of the two predictions a state is coded against: the one that costs less, else the ballistic one. */
function fliesFree(state: Int32Array): boolean {
  return cost(state, ballistic) <= cost(state, carried);
}

/** Three numbers that are coded together: where they stand, and their limits. */
type Group = {
  readonly at: number;
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
};

function group(at: number, limit: number): Group {
  return { at, low: [-limit, -limit, -limit], high: [limit, limit, limit] };
}

const POSITION: Group = {
  at: STATE.position,
  low: [-MAX_ACROSS, HEIGHT_LOW, -MAX_ACROSS],
  high: [MAX_ACROSS, HEIGHT_HIGH, MAX_ACROSS],
};
const ROTATION = group(STATE.rotation, MAX_ROTATION);
const LINEAR = group(STATE.linear, MAX_LINEAR);
const ANGULAR = group(STATE.angular, MAX_ANGULAR);

/** Widths in bits of a group's three differences, by class; the last class is plain. */
const WIDTHS = [0, 2, 4, 6, 8, 10, 12] as const;
const PLAIN_CLASS = WIDTHS.length;
const CLASS_BITS = 3;

function writeGroup(w: BitWriter, g: Group, state: Int32Array, prediction: Int32Array): void {
  const index = classOf(g, state, prediction);
  w.write(index, CLASS_BITS);
  if (index === PLAIN_CLASS) {
    writePlain(w, g, state);
    return;
  }
  for (let i = 0; i < 3; i++) w.write(zigzag(state[g.at + i] - prediction[g.at + i]), WIDTHS[index]);
}

function readGroup(r: BitReader, g: Group, prediction: Int32Array, out: Int32Array): void {
  const index = r.read(CLASS_BITS);
  if (index === PLAIN_CLASS) readPlain(r, g, out);
  else {
    for (let i = 0; i < 3; i++) {
      const value = prediction[g.at + i] + unzigzag(r.read(WIDTHS[index]));
      if (value < g.low[i] || value > g.high[i]) r.fail();
      out[g.at + i] = r.failed ? 0 : value;
    }
  }
  if (classOf(g, out, prediction) !== index) r.fail();
}

function writePlain(w: BitWriter, g: Group, state: Int32Array): void {
  for (let i = 0; i < 3; i++) w.writeRange(state[g.at + i], g.low[i], g.high[i]);
}

function readPlain(r: BitReader, g: Group, out: Int32Array): void {
  for (let i = 0; i < 3; i++) out[g.at + i] = r.readRange(g.low[i], g.high[i]);
}

function classOf(g: Group, state: Int32Array, prediction: Int32Array): number {
  let largest = 0;
  for (let i = 0; i < 3; i++) largest = Math.max(largest, zigzag(state[g.at + i] - prediction[g.at + i]));
  const bits = bitsFor(largest);
  for (let index = 0; index < WIDTHS.length; index++) if (bits <= WIDTHS[index]) return index;
  return PLAIN_CLASS;
}

/** Bits of a state against a prediction, to choose between the two, which differ in position and velocity alone. */
function cost(state: Int32Array, prediction: Int32Array): number {
  return groupCost(POSITION, state, prediction) + groupCost(LINEAR, state, prediction);
}

function groupCost(g: Group, state: Int32Array, prediction: Int32Array): number {
  const index = classOf(g, state, prediction);
  if (index < PLAIN_CLASS) return 3 * WIDTHS[index];
  let bits = 0;
  for (let i = 0; i < 3; i++) bits += bitsFor(g.high[i] - g.low[i]);
  return bits;
}

/** Small numbers of either sign as small numbers: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

const ballistic = new Int32Array(STRIDE);
const carried = new Int32Array(STRIDE);
