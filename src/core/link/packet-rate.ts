/** Packets that may come at once: what ten seconds without a network leave waiting somewhere. */
const MOST_AT_ONCE = 600;
/** Packets a millisecond that may go on coming: twice the full rate, for those that come doubled. */
const A_MILLISECOND = 120 / 1000;

/** [F1] How many packets another peer may send: a flood costs the time of counting it, and no more. */
export class PacketRateLimit {
  #left = MOST_AT_ONCE;
  #at = Number.NaN;

  /** Whether a packet that comes now is to be read. @param nowMs a clock; where it goes back, it stood still. */
  admits(nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.#at) || 0;
    this.#at = Math.max(nowMs, this.#at) || nowMs;
    this.#left = Math.min(MOST_AT_ONCE, this.#left + passed * A_MILLISECOND);
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
