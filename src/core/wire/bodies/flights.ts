import { LINEAR_DAMPING, TICK_RATE } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { copyState, sameState, STATE, STRIDE } from '../../base/state.ts';
import { FALL, fly, MAX_PREDICTED_TICKS } from './predict.ts';
import { LEAST_STATE } from './quantise.ts';

/** States of a flight that are remembered: as many as the longest has. */
const REMEMBERED = MAX_PREDICTED_TICKS + 1;
/** Of ticks the low 16 bits count. */
const TICK_MASK = 0xffff;
/** The share of a velocity that is lost in a tick, in parts: whole numbers, since a fraction may be garbage. */
const PART_BITS = 16;
const LOST = Math.round((LINEAR_DAMPING / TICK_RATE) * 2 ** PART_BITS);
/**
 * Steps by which free flight may differ from what `mayFly` expects: at all, and more for each tick. Rounding to the
 * grid errs by 8 a tick at the most, and a straight line in place of the damping by 354 after 63.
 */
const SLACK = 16;
const SLACK_PER_TICK = 16;

/** Where a flight begins: a body's state in a tick of its author. */
export type FlightStart = { readonly body: BodyId; readonly tick: number; readonly state: Int32Array };

/**
 * What `predict` makes of the bodies' baselines, remembered: the next packet asks for the same flight one tick on,
 * from a state that lies on it. It saves time and changes no result, so all packets of a peer may share it.
 */
export class BallisticCache {
  /** For each body the states of one flight, a ring by tick; its first tick, and how many there are. */
  readonly #states: Int32Array;
  readonly #first: Int32Array;
  readonly #lengths: Uint8Array;
  readonly #next = new Int32Array(STRIDE);

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#states = new Int32Array(count * REMEMBERED * STRIDE);
    this.#first = new Int32Array(count);
    this.#lengths = new Uint8Array(count);
  }

  /** Bytes that it keeps. */
  get bytes(): number {
    return this.#states.byteLength + this.#first.byteLength + this.#lengths.byteLength;
  }

  /** Writes to `out` the state `ticks` after the takeoff, 0 to MAX_PREDICTED_TICKS. */
  predict({ body, tick, state }: FlightStart, ticks: number, out: Int32Array): void {
    if (!this.#passes(body, tick, state)) {
      this.#first[body] = tick & TICK_MASK;
      this.#lengths[body] = 1;
      copyState(state, 0, this.#states, this.#placeOf(body, tick));
    }
    const wanted = ((tick - this.#first[body]) & TICK_MASK) + ticks;
    for (let at = this.#lengths[body]; at <= wanted; at++) this.#extend(body);
    copyState(this.#states, this.#placeOf(body, tick + ticks), out, 0);
  }

  /** True if the flight that is remembered passes through a state. */
  #passes(body: BodyId, tick: number, state: Int32Array): boolean {
    if (((tick - this.#first[body]) & TICK_MASK) >= this.#lengths[body]) return false;
    return sameState(this.#states, this.#placeOf(body, tick), state, 0);
  }

  /** Flies on by a tick; what is too old for it is forgotten. */
  #extend(body: BodyId): void {
    const end = this.#first[body] + this.#lengths[body];
    copyState(this.#states, this.#placeOf(body, end - 1), this.#next, 0);
    fly(this.#next);
    copyState(this.#next, 0, this.#states, this.#placeOf(body, end));
    if (this.#lengths[body] < REMEMBERED) this.#lengths[body]++;
    else this.#first[body] = (this.#first[body] + 1) & TICK_MASK;
  }

  #placeOf(body: BodyId, tick: number): number {
    return (body * REMEMBERED + (tick & MAX_PREDICTED_TICKS)) * STRIDE;
  }
}

/**
 * False if free flight surely does not lead from a baseline to the linear velocity of a state: most bodies touch
 * something, and to know that takes no flight.
 */
export function couldBeBallistic(state: Int32Array, baseline: Int32Array, ticks: number): boolean {
  const slack = SLACK + SLACK_PER_TICK * ticks;
  for (let at = STATE.linear; at < STATE.linear + 3; at++) {
    // What the fall gave was there for half of the time.
    const fallen = at === STATE.linear + 1 ? FALL * ticks : 0;
    const lost = ((baseline[at] - (fallen >> 1)) * ticks * LOST) >> PART_BITS;
    const expected = Math.max(LEAST_STATE[at], baseline[at] - fallen - lost);
    if (Math.abs(state[at] - expected) > slack) return false;
  }
  return true;
}
