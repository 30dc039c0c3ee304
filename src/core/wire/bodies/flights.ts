import { LINEAR_DAMPING, TICK_RATE } from '../../base/constants.ts';
import type { BodyId } from '../../base/ids.ts';
import { copyState, sameState, STATE, STRIDE } from '../../base/state.ts';
import { FALL, fly, MAX_PREDICTED_TICKS } from './predict.ts';
import { LEAST_STATE } from './quantise.ts';

/** States that the cache keeps of a flight: as many as the longest flight has. */
const REMEMBERED = MAX_PREDICTED_TICKS + 1;
/** Ticks are compared by their low 16 bits. */
const TICK_MASK = 0xffff;
/**
 * The share of a velocity that damping takes in a tick, in 1/2^16: a whole number, since fractions may be allocated.
 */
const PART_BITS = 16;
const LOST = Math.round((LINEAR_DAMPING / TICK_RATE) * 2 ** PART_BITS);
/**
 * Steps by which free flight may differ from what couldBeBallistic expects: SLACK, and SLACK_PER_TICK for each tick.
 * Rounding to the grid errs by at most 8 a tick; the damping as a straight line errs by 354 after 63 ticks.
 */
const SLACK = 16;
const SLACK_PER_TICK = 16;

/** The start of a flight: a body's state (STRIDE numbers) in a tick of its author. */
export type FlightStart = { readonly body: BodyId; readonly tick: number; readonly state: Int32Array };

/**
 * Remembers the results of `predict`: the next packet asks for the same flight one tick later, from a state that lies
 * on it. The cache saves time and changes no result, so that all packets of a peer may share it.
 */
export class BallisticCache {
  /** For each body the states of one flight as a ring by tick; the first tick, and how many states there are. */
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

  /** Bytes of memory that the cache takes. */
  get bytes(): number {
    return this.#states.byteLength + this.#first.byteLength + this.#lengths.byteLength;
  }

  /** Writes to `out` the state `ticks` after the start; `ticks` is 0 to MAX_PREDICTED_TICKS. */
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

  /** True if the remembered flight of a body passes through a state. */
  #passes(body: BodyId, tick: number, state: Int32Array): boolean {
    if (((tick - this.#first[body]) & TICK_MASK) >= this.#lengths[body]) return false;
    return sameState(this.#states, this.#placeOf(body, tick), state, 0);
  }

  /** Adds a tick to a flight, and forgets its oldest state if the ring is full. */
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
 * False if free flight certainly does not lead from a baseline to the linear velocity of a state. This cheap test
 * saves the prediction for most bodies, since most touch something.
 */
export function couldBeBallistic(state: Int32Array, baseline: Int32Array, ticks: number): boolean {
  const slack = SLACK + SLACK_PER_TICK * ticks;
  for (let at = STATE.linear; at < STATE.linear + 3; at++) {
    // Damping took its share of the speed gained by falling for half of the time.
    const fallen = at === STATE.linear + 1 ? FALL * ticks : 0;
    const lost = ((baseline[at] - (fallen >> 1)) * ticks * LOST) >> PART_BITS;
    const expected = Math.max(LEAST_STATE[at], baseline[at] - fallen - lost);
    if (Math.abs(state[at] - expected) > slack) return false;
  }
  return true;
}
