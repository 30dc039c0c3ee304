import { DRIVE_STEPS } from './drive-clock.ts';

/** Ticks for which the time of a player is kept: half a second more than its states may wait. A power of 2. */
const KEPT = 128;

/**
 * [K2.1] The room's time as another player had it in its own ticks. The poses of bodies and hands that the player sent
 * refer to the driven bodies as they were at that time. A *shift* is the room's time less the player's ticks, in steps,
 * modulo 2^32.
 */
export class AuthorTime {
  readonly #ticks = new Int32Array(KEPT).fill(-1);
  readonly #shifts = new Int32Array(KEPT);
  #newest = -1;
  /** The first tick of which a packet has said the shift. */
  #first = -1;

  /** Forgets everything. */
  clear(): void {
    this.#ticks.fill(-1);
    this.#newest = this.#first = -1;
  }

  /** A packet says the player's shift in one of its ticks. */
  add(tick: number, shift: number): void {
    this.#ticks[tick % KEPT] = tick;
    this.#shifts[tick % KEPT] = shift;
    this.#newest = Math.max(this.#newest, tick);
    this.#first = this.#first < 0 ? tick : Math.min(this.#first, tick);
  }

  /** True once a packet has said a shift. */
  get isKnown(): boolean {
    return this.#newest >= 0;
  }

  /**
   * The room's time in steps at a moment of the player, in its ticks: by the newest shift that is not later, if it is kept.
   * Below 0 for a moment before the level began anew.
   */
  at(moment: number): number {
    const tick = Math.floor(moment);
    const first = this.#first;
    if (tick < first && this.#ticks[first % KEPT] === first)
      return timeOf(first, this.#shifts[first % KEPT]) - (first - moment) * DRIVE_STEPS;
    let known = Math.min(tick, this.#newest);
    for (let i = 0; i < KEPT && known >= 0 && this.#ticks[known % KEPT] !== known; i++) known--;
    const isKept = known >= 0 && this.#ticks[known % KEPT] === known;
    return timeOf(tick, this.#shifts[(isKept ? known : this.#newest) % KEPT]) + (moment - tick) * DRIVE_STEPS;
  }
}

/** The room's time in steps, in a tick with this shift. */
function timeOf(tick: number, shift: number): number {
  return (tick * DRIVE_STEPS + shift) >>> 0;
}

/** The shift of a tick in which the room's time is this. */
export function shiftOf(tick: number, time: number): number {
  return (time - tick * DRIVE_STEPS) | 0;
}
