/** Milliseconds of silence after which a player is shown as lost [F3]. */
export const LOST_AFTER_MS = 1500;
/** Milliseconds of silence after which a player, or the host, is absent [F3]. */
export const AWAY_AFTER_MS = 8000;
/** Milliseconds for which a slot waits for its absent player [F3]. */
export const SEAT_KEPT_MS = 30_000;
/** Milliseconds of absence after which a newcomer may have the slot in a full room [F3]. */
export const SEAT_YIELDS_MS = 10_000;
/** Milliseconds after a player has come in, in which it is not shown as lost: its page is loading [F3]. */
export const SETTLES_MS = 10_000;
/** Milliseconds: a longer time between two ticks was a pause of this page, and proves no silence of anybody. */
const LONGEST_STEP_MS = 250;

/** Measures the time between ticks. It has no clock of its own: the caller passes the time in. */
export class StepClock {
  #tickedAt = Number.NaN;

  /**
   * Call it once a tick.
   * @param nowMs milliseconds on the owner's clock.
   * @returns milliseconds since the last call, 0 to LONGEST_STEP_MS; 0 at the first call.
   */
  step(nowMs: number): number {
    const step = Math.min(LONGEST_STEP_MS, Math.max(0, nowMs - this.#tickedAt)) || 0;
    this.#tickedAt = nowMs;
    return step;
  }
}

/** For how long nothing has come from one player, as long as this page listened. */
export class Silence {
  #ms = 0;
  #lastPacketMs = -Infinity;

  /** Milliseconds since the last packet, or since `end`. */
  get ms(): number {
    return this.#ms;
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick, from StepClock.
   * @param packetMs when the last packet came, on the owner's clock; -Infinity before the first.
   * @param hasLine false while there is no line to the player: then a packet ends no silence.
   */
  tick(step: number, packetMs: number, hasLine: boolean): void {
    this.#ms = hasLine && packetMs > this.#lastPacketMs ? 0 : this.#ms + step;
    this.#lastPacketMs = Math.max(this.#lastPacketMs, packetMs);
  }

  /** The player has made itself known otherwise than by a packet, or its absence begins to count anew. */
  end(): void {
    this.#ms = 0;
  }

  /** Makes the silence at least so long, in milliseconds: something other than time has shown it. */
  atLeast(ms: number): void {
    this.#ms = Math.max(this.#ms, ms);
  }
}
