import { TICK_RATE } from '../../base/constants.ts';
import { copyState, halt, sameState, STATE, STRIDE } from '../../base/state.ts';
import {
  ANGULAR_FIRST,
  ANGULAR_GRID,
  ANGULAR_NEXT,
  AS_PREDICTED,
  expectedSign,
  FREE_ANGULAR,
  FREE_POSITION,
  FREE_ROTATION,
  IN_FREE_FLIGHT,
  LARGEST_AT_REST,
  LARGEST_DISTURBED,
  LARGEST_IN_FLIGHT,
  LINEAR_FIRST,
  LINEAR_GRID,
  LINEAR_NEXT,
  POSITION_FIRST,
  POSITION_NEXT,
  PREDICTION_MODES,
  REST_POSITION,
  REST_ROTATION,
  ROTATION_FIRST,
  ROTATION_NEXT,
  SAME_GRIDS,
  SIZE_LEVELS,
  sizeLevel,
} from '../coder/contexts.ts';
import type { NumberKind } from '../coder/contexts.ts';
import type { ExpectedRotation } from './differences.ts';
import { codeComponents, codeDifference, codeLargest, greatest } from './differences.ts';
import type { BallisticCache, FlightStart } from './flights.ts';
import { couldBeBallistic } from './flights.ts';
import { turn } from './predict.ts';
import {
  COARSEST_GRID,
  dequantiseRotation,
  gridOf,
  gridShift,
  largestOf,
  LEAST_STATE,
  MOST_STATE,
  POSITION_STEPS,
  VELOCITY_STEPS,
} from './quantise.ts';
import type { Coder } from '../coder/range-coder.ts';

/**
 * Codes the motion of a body against a baseline (STANDARD.md, "In motion"). If the body is in free flight since the
 * baseline, a prediction gives most of its numbers. Else something has disturbed it: the new velocities are coded
 * first, and where the body is and how it is turned follows from the old and the new ones, but for small differences.
 */

/** How a motion was coded: 0 without a baseline, 1 in free flight, 2 disturbed. The next prediction depends on it. */
export type PredictionMode = 0 | 1 | 2;
const FREE_FLIGHT: PredictionMode = 1;
const DISTURBED: PredictionMode = 2;

/** An older state of the same body, against which a motion is coded, and how that state was coded. */
export type Baseline = FlightStart & { readonly mode: PredictionMode };

/**
 * Intermediate results of coding a motion, and the flights of the bodies. Made once, so that coding allocates
 * nothing.
 */
export type MotionWorkspace = ExpectedRotation & {
  readonly flights: BallisticCache;
  /** The state that free flight gives (STRIDE numbers), once fliesTo or a reader has predicted it. */
  readonly predicted: Int32Array;
  /** The mean angular velocity since the baseline, in steps. */
  readonly meanAngular: Float64Array;
  /**
   * When the impact is assumed, in ticks since the baseline: before it the body had the old velocity, after it the
   * new.
   */
  impactTick: number;
  /** The greatest difference between a coordinate and its expected value, in steps of position. */
  positionError: number;
  /** Ticks a second. */
  readonly rate: number;
  /** Steps of position in a tick at one step of velocity. */
  readonly stepsPerTick: number;
  /** Steps of velocity that move a body by a step of position in a tick: 15 at the usual rate. */
  readonly risesPerStep: number;
  /** Steps of velocity that a body gains in a tick by falling: see FALL. */
  readonly fall: number;
};

/** @param flights the cache that all packets of a peer share. */
export function motionWorkspace(flights: BallisticCache): MotionWorkspace {
  const { rate } = flights.laws;
  return {
    flights,
    predicted: new Int32Array(STRIDE),
    rotation: { x: 0, y: 0, z: 0, w: 1 },
    components: new Int32Array(3),
    meanAngular: new Float64Array(3),
    impactTick: 0,
    positionError: 0,
    rate,
    stepsPerTick: POSITION_STEPS / VELOCITY_STEPS / rate,
    risesPerStep: (VELOCITY_STEPS * rate) / POSITION_STEPS,
    fall: Math.round((FALL * TICK_RATE) / rate),
  };
}

/**
 * Codes a motion against a baseline.
 * @param state STRIDE numbers, on their grids; a reader fills them.
 * @param ticks from the baseline to the state; more than the longest prediction has count as 0.
 * @param lastMode the mode of the motion that the packet has before this one; 0 for none.
 * @returns the mode of this motion.
 */
export function codeMotion(
  c: Coder,
  work: MotionWorkspace,
  state: Int32Array,
  baseline: Baseline,
  ticks: number,
  lastMode: PredictionMode,
): PredictionMode {
  const span = ticks > work.flights.laws.mostTicks ? 0 : ticks;
  const from = baseline.state;
  const modes = baseline.mode * 2 + (lastMode === FREE_FLIGHT ? 1 : 0);
  const context = IN_FREE_FLIGHT + modes * 5 + heightClass(work, from, span);
  const isFlight = !c.reads && fliesTo(work, state, baseline, span);
  const flies = c.bit(context, isFlight ? 1 : 0) === 1;
  if (flies) {
    const { predicted } = work;
    // A writer has predicted it in fliesTo.
    if (!isFlight) work.flights.predict(baseline, span, predicted);
    if (c.bit(AS_PREDICTED, sameState(state, 0, predicted, 0) ? 1 : 0) === 1)
      copyState(predicted, 0, state, 0);
    else codeFreeFlight(c, work, state);
    return FREE_FLIGHT;
  }
  codeDisturbed(c, work, state, from, span, baseline.mode);
  if (c.reads ? fliesTo(work, state, baseline, span) : isFlight) c.fail();
  return DISTURBED;
}

/**
 * True if free flight leads from the baseline to the linear velocity of a state; `work.predicted` then has the
 * flight.
 */
function fliesTo(work: MotionWorkspace, state: Int32Array, baseline: Baseline, span: number): boolean {
  const { flights, predicted } = work;
  if (!couldBeBallistic(flights.lawOf(baseline.body, baseline.claim.existence), state, baseline.state, span))
    return false;
  flights.predict(baseline, span, predicted);
  for (let i = STATE.linear; i < STATE.linear + 3; i++) if (state[i] !== predicted[i]) return false;
  return true;
}

/**
 * Codes the pose of a body at rest that differs from its baseline's.
 * @param state STRIDE numbers; a reader's velocities become 0.
 * @param baseline STRIDE numbers, of which the pose counts.
 */
export function codeRest(c: Coder, work: MotionWorkspace, state: Int32Array, baseline: Int32Array): void {
  let level = 0;
  for (let i = 0; i < 3; i++) level = codeDifference(c, state, baseline[i], i, REST_POSITION, level, 0, 0);
  dequantiseRotation(baseline, STATE.largest, work.rotation);
  codeLargest(c, state, baseline[STATE.largest], LARGEST_AT_REST);
  codeComponents(c, work, state, REST_ROTATION, 0, REST_ROTATION, 0, 0);
  halt(state);
}

/** Codes the grid of three velocities [W2], which the velocities must have once they are coded. */
function codeGrid(c: Coder, state: Int32Array, baseline: Int32Array, at: number, kind: NumberKind): number {
  const before = gridOf(baseline, at);
  const speed = sizeLevel(greatest(baseline, at));
  const grid = before + c.number(kind, speed, 0, gridOf(state, at) - before);
  if (grid >= 0 && grid <= COARSEST_GRID) return grid;
  c.fail();
  return 0;
}

/** Codes whether both grids [W2] are the baseline's, as they mostly are. */
function codeSameGrids(c: Coder, state: Int32Array, baseline: Int32Array): boolean {
  const moves = sizeLevel(greatest(baseline, STATE.linear));
  const turns = sizeLevel(greatest(baseline, STATE.angular));
  const same =
    gridOf(state, STATE.linear) === gridOf(baseline, STATE.linear) &&
    gridOf(state, STATE.angular) === gridOf(baseline, STATE.angular);
  return c.bit(SAME_GRIDS + moves * SIZE_LEVELS + turns, same ? 1 : 0) === 1;
}

/** Codes a state in free flight as its differences from `work.predicted`. */
function codeFreeFlight(c: Coder, work: MotionWorkspace, state: Int32Array): void {
  const { predicted } = work;
  let level = 0;
  const linearGrid = gridOf(predicted, STATE.linear);
  for (let i = 0; i < 3; i++) {
    state[STATE.linear + i] = predicted[STATE.linear + i];
    codeDifference(c, state, predicted[i], i, FREE_POSITION, 0, 0, linearGrid);
  }
  const angularGrid = codeGrid(c, state, predicted, STATE.angular, ANGULAR_GRID);
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    level = Math.max(level, codeDifference(c, state, predicted[at], at, FREE_ANGULAR, 0, 0, angularGrid));
  }
  if (gridOf(state, STATE.angular) !== angularGrid) c.fail();
  dequantiseRotation(predicted, STATE.largest, work.rotation);
  codeLargest(c, state, predicted[STATE.largest], LARGEST_IN_FLIGHT);
  codeComponents(c, work, state, FREE_ROTATION, level, FREE_ROTATION, 0, angularGrid);
  if (sameState(state, 0, predicted, 0)) c.fail();
}

/** Codes a disturbed state: the linear velocity, the position that it predicts, the angular velocity, the rotation. */
function codeDisturbed(
  c: Coder,
  work: MotionWorkspace,
  state: Int32Array,
  baseline: Int32Array,
  span: number,
  mode: PredictionMode,
): void {
  const linearBefore = gridOf(baseline, STATE.linear);
  const angularBefore = gridOf(baseline, STATE.angular);
  const same = codeSameGrids(c, state, baseline);
  const linearGrid = same ? linearBefore : codeGrid(c, state, baseline, STATE.linear, LINEAR_GRID);
  const impact = codeLinear(c, state, baseline, mode, linearGrid);
  codePosition(c, work, state, baseline, span, impact, linearGrid);
  const angularGrid = same ? angularBefore : codeGrid(c, state, baseline, STATE.angular, ANGULAR_GRID);
  if (!same && linearGrid === linearBefore && angularGrid === angularBefore) c.fail();
  const angularImpact = codeAngular(c, state, baseline, impact, angularGrid);
  const { meanAngular, impactTick } = work;
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    meanAngular[i] = span === 0 ? 0 : (baseline[at] * impactTick + state[at] * (span - impactTick)) / span;
  }
  turn(baseline, meanAngular, span, work.rate, work.rotation);
  codeLargest(c, state, largestOf(work.rotation, baseline[STATE.largest]), LARGEST_DISTURBED);
  const level = sizeLevel(angularImpact >> gridShift(STATE.angular, angularGrid)) * SIZE_LEVELS;
  const first = level + sizeLevel(work.positionError);
  codeComponents(c, work, state, ROTATION_FIRST, first, ROTATION_NEXT, level, angularGrid);
}

/** Codes the linear velocity, y first. Returns the linear impact: the greatest change of the three, in steps. */
function codeLinear(
  c: Coder,
  state: Int32Array,
  baseline: Int32Array,
  mode: PredictionMode,
  grid: number,
): number {
  const speed = sizeLevel(greatest(baseline, STATE.linear));
  let level = 0;
  let impact = 0;
  for (let i = 0; i < 3; i++) {
    const at = STATE.linear + UPRIGHT_FIRST[i];
    const before = baseline[at];
    const kind = i === 0 ? LINEAR_FIRST : LINEAR_NEXT;
    const block = i === 0 ? speed * PREDICTION_MODES + mode : sizeLevel(before) * SIZE_LEVELS + level;
    level = codeDifference(c, state, before, at, kind, block, expectedSign(before), grid);
    impact = Math.max(impact, Math.abs(state[at] - before));
  }
  if (gridOf(state, STATE.linear) !== grid) c.fail();
  return impact;
}

/**
 * Codes the position, and leaves `impactTick` and `positionError` in `work`. It expects that the body had its old
 * velocity up to the impact and the new one after it. For the axis with the greatest change of velocity, which comes
 * first, the impact is assumed in the middle of the time; its coordinate then shows when the impact was, for the
 * others.
 */
function codePosition(
  c: Coder,
  work: MotionWorkspace,
  state: Int32Array,
  baseline: Int32Array,
  span: number,
  impact: number,
  grid: number,
): void {
  const first = axisOfImpact(state, baseline);
  const { stepsPerTick } = work;
  let level = 0;
  work.impactTick = span / 2;
  work.positionError = 0;
  for (let n = 0; n < 3; n++) {
    const i = (first + n) % 3;
    const before = baseline[STATE.linear + i];
    const change = state[STATE.linear + i] - before;
    const way = (state[STATE.linear + i] * span - change * work.impactTick) * stepsPerTick;
    const expected = within(i, (baseline[i] + Math.round(way)) | 0);
    const kind = n === 0 ? POSITION_FIRST : POSITION_NEXT;
    const bits = gridShift(i, grid);
    const second = n === 0 ? sizeLevel(impact >> bits) : level;
    const block = sizeLevel(Math.abs(change) >> bits) * SIZE_LEVELS + second;
    level = codeDifference(c, state, expected, i, kind, block, expectedSign(change), grid);
    work.positionError = Math.max(work.positionError, Math.abs(state[i] - expected));
    if (n > 0 || Math.abs(change) <= LEAST_IMPACT) continue;
    const tick = (state[STATE.linear + i] * span - (state[i] - baseline[i]) / stepsPerTick) / change;
    work.impactTick = Math.max(0, Math.min(span, tick));
  }
}

/** Codes the angular velocity. Returns the greatest change of the three, in steps. */
function codeAngular(
  c: Coder,
  state: Int32Array,
  baseline: Int32Array,
  impact: number,
  grid: number,
): number {
  const spin = sizeLevel(greatest(baseline, STATE.angular));
  let level = 0;
  let most = 0;
  for (let i = 0; i < 3; i++) {
    const at = STATE.angular + i;
    const kind = i === 0 ? ANGULAR_FIRST : ANGULAR_NEXT;
    const block = sizeLevel(impact) * SIZE_LEVELS + (i === 0 ? spin : level);
    level = codeDifference(c, state, baseline[at], at, kind, block, expectedSign(baseline[at]), grid);
    most = Math.max(most, Math.abs(state[at] - baseline[at]));
  }
  if (gridOf(state, STATE.angular) !== grid) c.fail();
  return most;
}

/** The axis along which the velocity has changed most; x before y before z among equals. */
function axisOfImpact(state: Int32Array, baseline: Int32Array): number {
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

/**
 * A class of the height at which free flight without damping would have the body now, 0 to 4: it shows whether the body
 * has met the floor or other bodies. In whole numbers.
 */
function heightClass({ fall, risesPerStep }: MotionWorkspace, baseline: Int32Array, span: number): number {
  const risen = baseline[STATE.linear + 1] * span - (fall * span * (span + 1)) / 2;
  const height = baseline[1] * risesPerStep + risen;
  for (let i = 0; i < HEIGHTS.length; i++) if (height < HEIGHTS[i] * risesPerStep) return i;
  return HEIGHTS.length;
}

/**
 * Steps of velocity that a body gains in a 60th of a second by falling under a gravity of 9.8, and without damping. A
 * constant on every level, since a class only guesses.
 */
const FALL = 167;
/** The bounds of the height classes in 1/4096 m: 0.24, 0.3, 0.5 and 1 m. */
const HEIGHTS = [983, 1229, 2048, 4096] as const;
/** 1/1024 m/s: a smaller change of velocity does not show when the impact was. */
const LEAST_IMPACT = 30;
/** The order of the axes in the linear velocity: y, x, z. */
const UPRIGHT_FIRST = [1, 0, 2] as const;
