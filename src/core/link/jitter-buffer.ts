import { ticksIn } from '../base/constants.ts';

/** Seconds that the buffer holds, at most: a little more than four times the longest playout delay. */
const SECONDS = 32 / 15;
/** Seconds: an older payload is stored as if it were only this much older than the newest, so that it has a place. */
const LATEST = 5 / 3;

/**
 * A jitter buffer: the payloads of one author by their ticks, until they are due. With the first tick it makes a
 * payload for each place, so that a slot without a player costs nothing; they are reused, and stay the buffer's. A
 * payload that arrives too late is due at once. The buffer drops nothing that has arrived.
 */
export class JitterBuffer<Payload> {
  /** Empty until the first tick. */
  readonly #payloads: Payload[] = [];
  readonly #make: () => Payload;
  readonly #ticks: Int32Array;
  /** LATEST in ticks. */
  readonly #latest: number;
  readonly #clear: (payload: Payload) => void;
  #oldest = 0;
  #newest = -1;

  /**
   * @param rate ticks a second.
   * @param make makes an empty payload; called once for each place.
   * @param clear empties a payload before it is used again.
   */
  constructor(rate: number, make: () => Payload, clear: (payload: Payload) => void) {
    this.#ticks = new Int32Array(ticksIn(SECONDS, rate)).fill(-1);
    this.#latest = ticksIn(LATEST, rate);
    this.#make = make;
    this.#clear = clear;
  }

  /** Forgets all payloads, without handing them out. */
  reset(): void {
    this.#ticks.fill(-1);
    this.#newest = -1;
  }

  /**
   * The payload of a tick, for the caller to add to; an empty one if the tick has none. If it takes the place of
   * another tick's payload, that one goes to `evict` first. Valid until `drain` hands it out.
   */
  at(tick: number, evict: (payload: Payload) => void): Payload {
    while (this.#payloads.length < this.#ticks.length) this.#payloads.push(this.#make());
    const at = Math.max(0, tick, this.#newest - this.#latest);
    const index = at % this.#ticks.length;
    if (this.#ticks[index] !== at) {
      if (this.#ticks[index] >= 0) evict(this.#payloads[index]);
      this.#ticks[index] = at;
      this.#clear(this.#payloads[index]);
    }
    if (this.#newest < 0 || at < this.#oldest) this.#oldest = at;
    this.#newest = Math.max(this.#newest, at);
    return this.#payloads[index];
  }

  /** Hands out the payloads of all ticks up to `upTo`, oldest first, and forgets them. `upTo` may be a fraction. */
  drain(upTo: number, due: (payload: Payload) => void): void {
    const last = Math.min(Math.floor(upTo), this.#newest);
    // After a jump of the playout clock, waiting ticks may be further apart than the ring is long.
    const { length } = this.#ticks;
    while (last - this.#oldest >= length) {
      const tick = this.#oldestWaiting();
      if (tick < 0 || tick > last - length) this.#oldest = last - length + 1;
      else this.#handOut(tick, due);
    }
    for (let tick = this.#oldest; tick <= last; tick++) {
      if (this.#ticks[tick % length] === tick) this.#handOut(tick, due);
    }
    if (last >= this.#oldest) this.#oldest = last + 1;
  }

  #handOut(tick: number, due: (payload: Payload) => void): void {
    const index = tick % this.#ticks.length;
    this.#ticks[index] = -1;
    due(this.#payloads[index]);
  }

  #oldestWaiting(): number {
    let oldest = -1;
    for (const tick of this.#ticks) if (tick >= 0 && (oldest < 0 || tick < oldest)) oldest = tick;
    return oldest;
  }

  /** The payload of a tick if it is still waiting, else null. */
  peek(tick: number): Payload | null {
    const index = tick % this.#ticks.length;
    return tick >= 0 && this.#ticks[index] === tick ? this.#payloads[index] : null;
  }

  /** The newest tick of all payloads, waiting or handed out; -1 before the first. */
  get newest(): number {
    return this.#newest;
  }
}
