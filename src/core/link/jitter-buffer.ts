/** Ticks that are kept at the most: two seconds, four times the longest playout delay. */
const TICKS = 128;
/** Late arrivals are put this far behind the newest at the most, so that they find a place. */
const LATEST = 100;

/**
 * What one author sent, by its tick, until it is due. Payloads are the caller's, made once for each place and
 * used again. What arrives too late is due at once; nothing that arrived is ever dropped in here.
 */
export class JitterBuffer<Payload> {
  readonly #payloads: readonly Payload[];
  readonly #ticks = new Int32Array(TICKS).fill(-1);
  readonly #clear: (payload: Payload) => void;
  #oldest = 0;
  #newest = -1;

  /** @param make a payload; it is cleared with `clear` before each use. */
  constructor(make: () => Payload, clear: (payload: Payload) => void) {
    this.#payloads = Array.from({ length: TICKS }, make);
    this.#clear = clear;
  }

  /** Drops everything. */
  reset(): void {
    this.#ticks.fill(-1);
    this.#newest = -1;
  }

  /**
   * The payload for a tick, to be added to. If another tick's payload has to make room for it, that one is
   * handed to `evict` first.
   */
  at(tick: number, evict: (payload: Payload) => void): Payload {
    const at = Math.max(0, tick, this.#newest - LATEST);
    const index = at % TICKS;
    if (this.#ticks[index] !== at) {
      if (this.#ticks[index] >= 0) evict(this.#payloads[index]);
      this.#ticks[index] = at;
      this.#clear(this.#payloads[index]);
    }
    if (this.#newest < 0 || at < this.#oldest) this.#oldest = at;
    this.#newest = Math.max(this.#newest, at);
    return this.#payloads[index];
  }

  /** Hands out, oldest first, what is of tick `upTo` or before, and forgets it. */
  drain(upTo: number, due: (payload: Payload) => void): void {
    const last = Math.min(Math.floor(upTo), this.#newest);
    // After a jump of the clock what waits may lie further apart than the ring is long.
    while (last - this.#oldest >= TICKS) {
      const tick = this.#oldestWaiting();
      if (tick < 0 || tick > last - TICKS) this.#oldest = last - TICKS + 1;
      else this.#handOut(tick, due);
    }
    for (let tick = this.#oldest; tick <= last; tick++) {
      if (this.#ticks[tick % TICKS] === tick) this.#handOut(tick, due);
    }
    if (last >= this.#oldest) this.#oldest = last + 1;
  }

  #handOut(tick: number, due: (payload: Payload) => void): void {
    this.#ticks[tick % TICKS] = -1;
    due(this.#payloads[tick % TICKS]);
  }

  #oldestWaiting(): number {
    let oldest = -1;
    for (const tick of this.#ticks) if (tick >= 0 && (oldest < 0 || tick < oldest)) oldest = tick;
    return oldest;
  }

  /** The payload of a tick that is still waiting, or null. */
  peek(tick: number): Payload | null {
    return tick >= 0 && this.#ticks[tick % TICKS] === tick ? this.#payloads[tick % TICKS] : null;
  }

  /** The newest tick that is waiting or was handed out; -1 before the first. */
  get newest(): number {
    return this.#newest;
  }
}
