/** Ticks that the buffer holds, at most: two seconds, four times the longest playout delay. */
const TICKS = 128;
/** Ticks: an older payload is stored as if it were only this much older than the newest, so that it has a place. */
const LATEST = 100;

/**
 * A jitter buffer: the payloads of one author by their ticks, until they are due. With the first tick it makes a payload
 * for each place, so that a slot without a player costs nothing; they are reused, and stay the buffer's. A payload that arrives too late is due at once. The buffer drops
 * nothing that has arrived.
 */
export class JitterBuffer<Payload> {
  /** Empty until the first tick. */
  readonly #payloads: Payload[] = [];
  readonly #make: () => Payload;
  readonly #ticks = new Int32Array(TICKS).fill(-1);
  readonly #clear: (payload: Payload) => void;
  #oldest = 0;
  #newest = -1;

  /**
   * @param make makes an empty payload; called once for each place.
   * @param clear empties a payload before it is used again.
   */
  constructor(make: () => Payload, clear: (payload: Payload) => void) {
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
    while (this.#payloads.length < TICKS) this.#payloads.push(this.#make());
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

  /** Hands out the payloads of all ticks up to `upTo`, oldest first, and forgets them. `upTo` may be a fraction. */
  drain(upTo: number, due: (payload: Payload) => void): void {
    const last = Math.min(Math.floor(upTo), this.#newest);
    // After a jump of the playout clock, waiting ticks may be further apart than the ring is long.
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

  /** The payload of a tick if it is still waiting, else null. */
  peek(tick: number): Payload | null {
    return tick >= 0 && this.#ticks[tick % TICKS] === tick ? this.#payloads[tick % TICKS] : null;
  }

  /** The newest tick of all payloads, waiting or handed out; -1 before the first. */
  get newest(): number {
    return this.#newest;
  }
}
