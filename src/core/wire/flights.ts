import { GRAVITY, LINEAR_DAMPING, TICK_RATE } from '../base/constants.ts';
import type { BodyId } from '../base/ids.ts';
import { STATE, STRIDE } from '../base/state.ts';
import { fly, MAX_PREDICTED_TICKS } from './predict.ts';
import { LEAST_STATE, VELOCITY_STEPS } from './quantise.ts';

/** States of a flight that are remembered: as many as the longest has. */
const REMEMBERED = MAX_PREDICTED_TICKS + 1;
/** Of ticks the low 16 bits count. */
const TICK_MASK = 0xffff;
/** Steps of velocity that a falling body gains in a tick, damping apart; and what it keeps of a velocity. */
const FALL = (GRAVITY * VELOCITY_STEPS) / TICK_RATE;
const LOST = LINEAR_DAMPING / TICK_RATE;
/** Steps by which free flight, rounded to the grid in every tick, may differ from what `mayFly` expects: and for each tick. */
const ODDS = 16;
const ODDS_PER_TICK = 16;

/** Where a flight begins: a body's state in a tick of its author. */
export type Takeoff = { readonly body: BodyId; readonly tick: number; readonly state: Int32Array };

/**
 * What `predict` makes of the bodies' baselines, remembered: the next packet asks for the same flight one tick on,
 * from a state that lies on it. It saves time and changes no result, so all packets of a peer may share it.
 */
export class Flights {
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

  /** Writes to `out` the state `ticks` after the takeoff, 0 to MAX_PREDICTED_TICKS. */
  predict({ body, tick, state }: Takeoff, ticks: number, out: Int32Array): void {
    if (!this.#passes(body, tick, state)) {
      this.#first[body] = tick & TICK_MASK;
      this.#lengths[body] = 1;
      copy(state, 0, this.#states, this.#placeOf(body, tick));
    }
    const wanted = ((tick - this.#first[body]) & TICK_MASK) + ticks;
    for (let at = this.#lengths[body]; at <= wanted; at++) this.#extend(body);
    copy(this.#states, this.#placeOf(body, tick + ticks), out, 0);
  }

  /** True if the flight that is remembered passes through a state. */
  #passes(body: BodyId, tick: number, state: Int32Array): boolean {
    if (((tick - this.#first[body]) & TICK_MASK) >= this.#lengths[body]) return false;
    const at = this.#placeOf(body, tick);
    for (let i = 0; i < STRIDE; i++) if (this.#states[at + i] !== state[i]) return false;
    return true;
  }

  /** Flies on by a tick; what is too old for it is forgotten. */
  #extend(body: BodyId): void {
    const end = this.#first[body] + this.#lengths[body];
    copy(this.#states, this.#placeOf(body, end - 1), this.#next, 0);
    fly(this.#next);
    copy(this.#next, 0, this.#states, this.#placeOf(body, end));
    if (this.#lengths[body] < REMEMBERED) this.#lengths[body]++;
    else this.#first[body] = (this.#first[body] + 1) & TICK_MASK;
  }

  #placeOf(body: BodyId, tick: number): number {
    return (body * REMEMBERED + (tick & MAX_PREDICTED_TICKS)) * STRIDE;
  }
}

function copy(from: Int32Array, at: number, to: Int32Array, out: number): void {
  for (let i = 0; i < STRIDE; i++) to[out + i] = from[at + i];
}

/**
 * False if free flight surely does not lead from a baseline to the linear velocity of a state: most bodies touch
 * something, and to know that takes no flight.
 */
export function mayFly(state: Int32Array, baseline: Int32Array, ticks: number): boolean {
  const kept = 1 - LOST * ticks;
  const odds = ODDS + ODDS_PER_TICK * ticks;
  for (let at = STATE.linear; at < STATE.linear + 3; at++) {
    const fallen = at === STATE.linear + 1 ? (FALL * ticks * (1 + kept)) / 2 : 0;
    const expected = Math.max(LEAST_STATE[at], baseline[at] * kept - fallen);
    if (Math.abs(state[at] - expected) > odds) return false;
  }
  return true;
}
