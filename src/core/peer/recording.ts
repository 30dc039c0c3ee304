import { TICK_RATE } from '../base/constants.ts';
import type { Quaternion } from '../base/math.ts';
import { copyState, halt, sameState, STATE, STRIDE } from '../base/state.ts';
import {
  ANGULAR_FIRST,
  ANGULAR_GRAIN,
  ANGULAR_NEXT,
  AS_FLOWN,
  COURSES,
  EXPECTED_LARGEST,
  FLIES,
  FREE_ANGULAR,
  FREE_POSITION,
  FREE_ROTATION,
  LEVELS,
  levelOf,
  LINEAR_FIRST,
  LINEAR_GRAIN,
  LINEAR_NEXT,
  POSITION_FIRST,
  POSITION_NEXT,
  REST_POSITION,
  REST_ROTATION,
  ROTATION_FIRST,
  ROTATION_NEXT,
  SAME_GRAINS,
  signOf,
} from './contexts.ts';
import type { NumberKind } from './contexts.ts';
import type { Flights, Takeoff } from './flights.ts';
import { mayFly } from './flights.ts';
import { FALL, MAX_PREDICTED_TICKS, turn } from './predict.ts';
import {
  componentsOf,
  dequantiseRotation,
  grainOf,
  grainShift,
  largestOf,
  MAX_GRAIN,
  onGrain,
  LEAST_STATE,
  MOST_STATE,
  POSITION_STEPS,
  VELOCITY_STEPS,
} from './quantise.ts';
import type { Coder } from './range-coder.ts';
import { MAX_NUMBER } from './range-coder.ts';

/** How a motion was coded, which says what the body will do next: 0 not against a baseline. */
export type Course = 0 | 1 | 2;
const FREE: Course = 1;
const DISTURBED: Course = 2;

/** What a motion is coded against: an older state of the same body, and how that was coded. */
export type Baseline = Takeoff & { readonly course: Course };

/** Codes a motion against a baseline `ticks` older; `before` is the course of the body before it. Returns its course. */
export function codeMotion(
  c: Coder,
  flights: Flights,
  state: Int32Array,
  baseline: Baseline,
  ticks: number,
  before: Course,
): Course {
  const span = ticks > MAX_PREDICTED_TICKS ? 0 : ticks;
  const from = baseline.state;
  const context = FLIES + (baseline.course * 2 + (before === FREE ? 1 : 0)) * 5 + heightClass(from, span);
  const isFlight = !c.reads && fliesTo(flights, state, baseline, span);
  const flies = c.bit(context, isFlight ? 1 : 0) === 1;
  if (flies) {
    // A writer has just predicted it.
    if (!isFlight) flights.predict(baseline, span, predicted);
    if (c.bit(AS_FLOWN, sameState(state, 0, predicted, 0) ? 1 : 0) === 1) copyState(predicted, 0, state, 0);
    else codeFree(c, state);
    return FREE;
  }
  codeDisturbed(c, state, from, span, baseline.course);
  if (c.reads ? fliesTo(flights, state, baseline, span) : isFlight) c.fail();
  return DISTURBED;
}

/** True if free flight leads from the baseline to the linear velocity of a state; then it stands in `predicted`. */
function fliesTo(flights: Flights, state: Int32Array, baseline: Baseline, span: number): boolean {
  if (!mayFly(state, baseline.state, span)) return false;
  flights.predict(baseline, span, predicted);
  for (let i = STATE.linear; i < STATE.linear + 3; i++) if (state[i] !== predicted[i]) return false;
  return true;
}

/** Codes where a body has come to rest. */
export function codeRest(c: Coder, state: Int32Array, baseline: Int32Array): void {
  let level = 0;
  for (let i = 0; i < 3; i++) level = codeStep(c, state, baseline[i], i, REST_POSITION, level, 0, 0);
  dequantiseRotation(baseline, STATE.largest, rotated);
  codeLargest(c, state, baseline[STATE.largest], 2);
  codeThree(c, state, REST_ROTATION, 0, REST_ROTATION, 0, 0);
  halt(state);
}

/** Codes the grain of three velocities [W2], which they must turn out to have. */
function codeGrain(c: Coder, state: Int32Array, baseline: Int32Array, at: number, kind: NumberKind): number {
  const before = grainOf(baseline, at);
  const speed = levelOf(greatest(baseline, at));
  const grain = before + c.number(kind, speed, 0, grainOf(state, at) - before);
  if (grain >= 0 && grain <= MAX_GRAIN) return grain;
  c.fail();
  return 0;
}

/** Codes whether both grains [W2] are as before, as mostly they are. */
function codeSameGrains(c: Coder, state: Int32Array, baseline: Int32Array): boolean {
  const moves = levelOf(greatest(baseline, STATE.linear));
  const turns = levelOf(greatest(baseline, STATE.angular));
  const same =
    grainOf(state, STATE.linear) === grainOf(baseline, STATE.linear) &&
    grainOf(state, STATE.angular) === grainOf(baseline, STATE.angular);
  return c.bit(SAME_GRAINS + moves * LEVELS + turns, same ? 1 : 0) === 1;
}

/** Codes what differs from the flight in `predicted`. */
function codeFree(c: Coder, state: Int32Array): void {
  let level = 0;
  const moving = grainOf(predicted, STATE.linear);
  for (let i = 0; i < 3; i++) {
    state[STATE.linear + i] = predicted[STATE.linear + i];
    codeStep(c, state, predicted[i], i, FREE_POSITION, 0, 0, moving);
  }
  const turning = codeGrain(c, state, predicted, STATE.angular, ANGULAR_GRAIN);
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    level = Math.max(level, codeStep(c, state, predicted[at], at, FREE_ANGULAR, 0, 0, turning));
  }
  if (grainOf(state, STATE.angular) !== turning) c.fail();
  dequantiseRotation(predicted, STATE.largest, rotated);
  codeLargest(c, state, predicted[STATE.largest], 0);
  codeThree(c, state, FREE_ROTATION, level, FREE_ROTATION, 0, turning);
  if (sameState(state, 0, predicted, 0)) c.fail();
}

/** Velocities first: what they were tells where the body went, and how it turned. */
function codeDisturbed(
  c: Coder,
  state: Int32Array,
  baseline: Int32Array,
  span: number,
  course: Course,
): void {
  const movedBy = grainOf(baseline, STATE.linear);
  const turnedBy = grainOf(baseline, STATE.angular);
  const same = codeSameGrains(c, state, baseline);
  const moving = same ? movedBy : codeGrain(c, state, baseline, STATE.linear, LINEAR_GRAIN);
  const blow = codeLinear(c, state, baseline, course, moving);
  const struck = codePosition(c, state, baseline, span, blow, moving);
  const turning = same ? turnedBy : codeGrain(c, state, baseline, STATE.angular, ANGULAR_GRAIN);
  if (!same && moving === movedBy && turning === turnedBy) c.fail();
  const spin = codeAngular(c, state, baseline, blow, turning);
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    mean[i] = span === 0 ? 0 : (baseline[at] * struck.after + state[at] * (span - struck.after)) / span;
  }
  turn(baseline, mean, span, rotated);
  codeLargest(c, state, largestOf(rotated, baseline[STATE.largest]), 1);
  const level = levelOf(spin >> grainShift(STATE.angular, turning)) * LEVELS;
  codeThree(c, state, ROTATION_FIRST, level + levelOf(struck.off), ROTATION_NEXT, level, turning);
}

/** Returns the greatest change of the three. */
function codeLinear(
  c: Coder,
  state: Int32Array,
  baseline: Int32Array,
  course: Course,
  grain: number,
): number {
  const speed = levelOf(greatest(baseline, STATE.linear));
  let level = 0;
  let most = 0;
  for (let i = 0; i < 3; i++) {
    const at = STATE.linear + UPRIGHT_FIRST[i];
    const was = baseline[at];
    const kind = i === 0 ? LINEAR_FIRST : LINEAR_NEXT;
    const block = i === 0 ? speed * COURSES + course : levelOf(was) * LEVELS + level;
    level = codeStep(c, state, was, at, kind, block, signOf(was), grain);
    most = Math.max(most, Math.abs(state[at] - was));
  }
  if (grainOf(state, STATE.linear) !== grain) c.fail();
  return most;
}

type Blow = { after: number; off: number };

/**
 * The body flew on for a time with the old velocity, then with the new: half of the time, until the axis with the
 * greatest change tells how long it was.
 */
function codePosition(
  c: Coder,
  state: Int32Array,
  baseline: Int32Array,
  span: number,
  blow: number,
  grain: number,
): Blow {
  const first = firstAxis(state, baseline);
  let level = 0;
  struck.after = span / 2;
  struck.off = 0;
  for (let n = 0; n < 3; n++) {
    const i = (first + n) % 3;
    const before = baseline[STATE.linear + i];
    const change = state[STATE.linear + i] - before;
    const way = (state[STATE.linear + i] * span - change * struck.after) * STEPS_PER_TICK;
    const expectedAt = within(i, (baseline[i] + Math.round(way)) | 0);
    const kind = n === 0 ? POSITION_FIRST : POSITION_NEXT;
    const bits = grainShift(i, grain);
    const block = levelOf(Math.abs(change) >> bits) * LEVELS + (n === 0 ? levelOf(blow >> bits) : level);
    level = codeStep(c, state, expectedAt, i, kind, block, signOf(change), grain);
    struck.off = Math.max(struck.off, Math.abs(state[i] - expectedAt));
    if (n > 0 || Math.abs(change) <= LEAST_BLOW) continue;
    const after = (state[STATE.linear + i] * span - (state[i] - baseline[i]) / STEPS_PER_TICK) / change;
    struck.after = Math.max(0, Math.min(span, after));
  }
  return struck;
}

function codeAngular(c: Coder, state: Int32Array, baseline: Int32Array, blow: number, grain: number): number {
  const spin = levelOf(greatest(baseline, STATE.angular));
  let level = 0;
  let most = 0;
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    const kind = i === 0 ? ANGULAR_FIRST : ANGULAR_NEXT;
    const block = levelOf(blow) * LEVELS + (i === 0 ? spin : level);
    level = codeStep(c, state, baseline[at], at, kind, block, signOf(baseline[at]), grain);
    most = Math.max(most, Math.abs(state[at] - baseline[at]));
  }
  if (grainOf(state, STATE.angular) !== grain) c.fail();
  return most;
}

/** Which component of a rotation is left out, of a body or an avatar: mostly the expected one. */
export function codeLargest(c: Coder, state: Int32Array, expected: number, context: number): void {
  const at = STATE.largest;
  if (c.bit(EXPECTED_LARGEST + context, state[at] === expected ? 1 : 0) === 1) state[at] = expected;
  else state[at] = (expected + 1 + c.range((state[at] - expected + 3) & 3, 0, 2)) & 3;
}

/** The three other components of a rotation that `rotated` predicts. The level of each is added to the next one's block. */
function codeThree(
  c: Coder,
  state: Int32Array,
  first: NumberKind,
  firstBlock: number,
  next: NumberKind,
  nextBlock: number,
  grain: number,
): void {
  componentsOf(rotated, state[STATE.largest], components);
  let level = codeStep(c, state, components[0], STATE.rotation, first, firstBlock, 0, grain);
  for (let i = 1; i < 3; i++) {
    const block = next === FREE_ROTATION ? firstBlock : nextBlock + level;
    level = codeStep(c, state, components[i], STATE.rotation + i, next, block, 0, grain);
  }
}

/** Codes a number of a state as the difference from what is expected; returns the level of the difference. */
function codeStep(
  c: Coder,
  state: Int32Array,
  expected: number,
  at: number,
  kind: NumberKind,
  block: number,
  sign: number,
  grain: number,
): number {
  const bits = grainShift(at, grain);
  const near = bits === 0 ? expected : onGrain(expected, at, grain);
  const off = state[at] - near;
  const step = c.number(kind, block, sign, (off >> bits) << bits === off ? off >> bits : MAX_NUMBER + 1);
  const value = near + (step << bits);
  const inside = value >= LEAST_STATE[at] && value <= MOST_STATE[at];
  if (!inside) c.fail();
  state[at] = inside ? value : 0;
  return levelOf(step);
}

function greatest(state: Int32Array, at: number): number {
  return Math.max(Math.abs(state[at]), Math.abs(state[at + 1]), Math.abs(state[at + 2]));
}

/** The axis along which the velocity has changed most. */
function firstAxis(state: Int32Array, baseline: Int32Array): number {
  let axis = 0;
  let most = -1;
  for (let i = 0; i < 3; i++) {
    const change = Math.abs(state[STATE.linear + i] - baseline[STATE.linear + i]);
    if (change > most) {
      most = change;
      axis = i;
    }
  }
  return axis;
}

function within(at: number, value: number): number {
  return Math.max(LEAST_STATE[at], Math.min(MOST_STATE[at], value));
}

/** How near to the floor a body is expected: what it will meet there. In whole numbers, by a fall without damping. */
function heightClass(baseline: Int32Array, span: number): number {
  const risen = baseline[STATE.linear + 1] * span - (FALL * span * (span + 1)) / 2;
  const height = baseline[1] * RISES_PER_STEP + risen;
  for (let i = 0; i < HEIGHTS.length; i++) if (height < HEIGHTS[i] * RISES_PER_STEP) return i;
  return HEIGHTS.length;
}

/** 1/4096 m: 0.24, 0.3, 0.5 and 1 m. */
const HEIGHTS = [983, 1229, 2048, 4096] as const;
/** Steps of velocity that make a step of position in a tick: 15. */
const RISES_PER_STEP = (VELOCITY_STEPS * TICK_RATE) / POSITION_STEPS;
/** 1/1024 m/s: less of a change does not tell when it was. */
const LEAST_BLOW = 30;
/** Steps of position in a tick at one step of velocity. */
const STEPS_PER_TICK = POSITION_STEPS / VELOCITY_STEPS / TICK_RATE;
const UPRIGHT_FIRST = [1, 0, 2] as const;

const predicted = new Int32Array(STRIDE);
const mean = new Float64Array(3);
const components = new Int32Array(3);
const rotated: Quaternion = { x: 0, y: 0, z: 0, w: 1 };
const struck: Blow = { after: 0, off: 0 };
