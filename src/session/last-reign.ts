/** [F4.36] Milliseconds for which a host that has given its room away goes on as host, at most. */
const REIGN_MS = 2000;

/** [F4.36] The time for which a page that has given its room away is still host for those that have not followed yet. */
export class LastReign {
  #sinceMs: number | null = null;

  /**
   * Call it once a tick.
   * @param isFormerHost true for a page that has stepped down, and whose peer is still host.
   * @returns true if its time is over, whatever the next host does: it sends no more packets.
   */
  isOver(isFormerHost: boolean, nowMs: number): boolean {
    if (!isFormerHost) this.#sinceMs = null;
    else this.#sinceMs ??= nowMs;
    return this.#sinceMs !== null && nowMs - this.#sinceMs >= REIGN_MS;
  }
}
