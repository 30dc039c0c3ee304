/** [N5.5] Milliseconds by which a watcher falls behind its best before it begins anew: TCP has delivered too slowly. */
const MOST_BEHIND_MS = 4000;
/** The times of hosts are given modulo this. */
const WRAP_MS = 2 ** 32;

/**
 * [N5.5] Says how late bundles come, by the times of their host: they come ten a second, so silence is lateness, too. The
 * clocks of host and watcher need not be alike.
 */
export class Lag {
  /** The least difference of the two clocks, and the newest time of the host by which it was measured. */
  #leastMs = Infinity;
  #hostMs = NaN;
  #beganMs = 0;

  /** A bundle is taken in. @param hostMs the time that it has. */
  heard(nowMs: number, hostMs: number): void {
    // The count wraps; the time that is kept does not.
    const known = Number.isNaN(this.#hostMs) ? hostMs : this.#hostMs;
    const step = ((((hostMs - known) % WRAP_MS) + WRAP_MS * 1.5) % WRAP_MS) - WRAP_MS / 2;
    this.#hostMs = known + step;
    this.#leastMs = Math.min(this.#leastMs, nowMs - this.#hostMs);
  }

  /** True if what is shown now is too old. */
  isTooLong(nowMs: number): boolean {
    const behindMs = nowMs - (Number.isNaN(this.#hostMs) ? this.#beganMs : this.#hostMs + this.#leastMs);
    return behindMs > MOST_BEHIND_MS;
  }

  /** Another stream begins. */
  restart(nowMs: number): void {
    this.#beganMs = nowMs;
    this.#leastMs = Infinity;
    this.#hostMs = NaN;
  }
}
