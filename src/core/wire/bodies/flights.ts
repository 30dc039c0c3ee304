import type { BodyId } from '../../base/ids.ts';
import { copyState, sameState, STATE, STRIDE } from '../../base/state.ts';
import type { FlightLaw, FlightLaws } from './flight-law.ts';
import type { Claim } from '../../world/record.ts';
import { fly } from './predict.ts';
import { LEAST_STATE, MOST_STATE } from './quantise.ts';

/** Ticks are compared by their low 16 bits. */
const TICK_MASK = 0xffff;
/**
 * Steps by which free flight may differ from what couldBeBallistic expects: SLACK, and SLACK_PER_TICK for each tick, since
 * the dither of a tick errs by less than a step of the coarsest grid.
 */
const SLACK = 16;
const SLACK_PER_TICK = 16;

/** The start of a flight: a body's state (STRIDE numbers) in a tick of its author. */
export type FlightStart = {
  readonly body: BodyId;
  readonly tick: number;
  readonly state: Int32Array;
  readonly claim: Pick<Claim, 'existence'>;
};

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
  readonly laws: FlightLaws;
  /** States that the cache keeps of a flight: as many as the longest flight has. */
  readonly #remembered: number;
  /** For each body the law of the remembered flight. */
  readonly #flown: FlightLaw[];

  /** @param laws of free flight in the level. */
  constructor(laws: FlightLaws) {
    const { count } = laws;
    this.#flown = Array.from({ length: count }, (_, body) => laws.of(body as BodyId, 0));
    this.laws = laws;
    this.#remembered = laws.mostTicks + 1;
    this.#states = new Int32Array(count * this.#remembered * STRIDE);
    this.#first = new Int32Array(count);
    this.#lengths = new Uint8Array(count);
  }

  /** Bytes of memory that the cache takes. */
  get bytes(): number {
    return this.#states.byteLength + this.#first.byteLength + this.#lengths.byteLength;
  }

  /** The law of the free flight of a body with this existence [S1]. */
  lawOf(body: BodyId, existence: number): FlightLaw {
    return this.laws.of(body, existence);
  }

  /** Writes to `out` the state `ticks` after the start; `ticks` is 0 to `laws.mostTicks`. */
  predict({ body, tick, state, claim }: FlightStart, ticks: number, out: Int32Array): void {
    const law = this.laws.of(body, claim.existence);
    if (this.#flown[body] !== law || !this.#passes(body, tick, state)) {
      this.#flown[body] = law;
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
    fly(this.#flown[body], this.#next);
    copyState(this.#next, 0, this.#states, this.#placeOf(body, end));
    if (this.#lengths[body] < this.#remembered) this.#lengths[body]++;
    else this.#first[body] = (this.#first[body] + 1) & TICK_MASK;
  }

  #placeOf(body: BodyId, tick: number): number {
    return (body * this.#remembered + (tick & this.laws.mostTicks)) * STRIDE;
  }
}

/**
 * False if free flight certainly does not lead from a baseline to the linear velocity of a state. This cheap test
 * saves the prediction for most bodies, since most touch something.
 */
export function couldBeBallistic(
  law: FlightLaw,
  state: Int32Array,
  baseline: Int32Array,
  ticks: number,
): boolean {
  const slack = SLACK + SLACK_PER_TICK * ticks;
  for (let at = STATE.linear; at < STATE.linear + 3; at++) {
    const fallen = at === STATE.linear + 1 ? law.fallen[ticks] : 0;
    const expected = baseline[at] * law.kept[ticks] - fallen;
    const inRange = Math.max(LEAST_STATE[at], Math.min(MOST_STATE[at], expected));
    if (Math.abs(state[at] - inRange) > slack) return false;
  }
  return true;
}
