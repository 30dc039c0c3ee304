/** The bucket's size in packets: those that ten seconds without a network leave waiting somewhere arrive at once. */
const BURST_PACKETS = 600;
/** Packets that flow into the bucket each millisecond: twice the full rate, since packets may be duplicated. */
const PACKETS_PER_MS = 120 / 1000;

/**
 * [F1] Limits the packets that are read from another peer (a token bucket), so that a flood costs only the counting.
 */
export class PacketRateLimit {
  #tokens = BURST_PACKETS;
  /** Milliseconds; NaN before the first packet. */
  #updatedAt = Number.NaN;

  /**
   * True if a packet that arrives now may be read; it then counts.
   * @param nowMs milliseconds; if the clock goes back, no time has passed.
   */
  admits(nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.#updatedAt) || 0;
    this.#updatedAt = Math.max(nowMs, this.#updatedAt) || nowMs;
    this.#tokens = Math.min(BURST_PACKETS, this.#tokens + passed * PACKETS_PER_MS);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
