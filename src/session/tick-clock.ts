import { TICK_RATE } from '../core/base/constants.ts';

/** Milliseconds: the ticks of a shorter pause are made up for; after a longer pause they are skipped. */
export const MOST_CATCH_UP_MS = 250;

/**
 * Says when ticks are due, so many a second, whenever its owner asks: it keeps time on average, however late the owner is.
 * Times are milliseconds on the owner's clock, which does not go back.
 */
export class TickClock {
  /** When the next tick is due. */
  #dueMs: number;
  /** Ticks that were due and that have been run. */
  ticks = 0;
  /** Those of them that began more than a tick's time after they were due. */
  late = 0;
  /** Ticks that were never run, because the owner was away for too long. */
  skipped = 0;

  /** Milliseconds in a tick. */
  readonly tickMs: number;

  /** @param rate ticks a second. */
  constructor(nowMs: number, rate = TICK_RATE) {
    this.#dueMs = nowMs;
    this.tickMs = 1000 / rate;
  }

  get dueMs(): number {
    return this.#dueMs;
  }

  /**
   * Runs every tick that is due.
   * @param now the present time; it is asked again before each tick.
   * @param run is given the moment at which the tick is due.
   */
  advance(now: () => number, run: (dueMs: number) => void): void {
    const behind = now() - this.#dueMs;
    if (behind > MOST_CATCH_UP_MS) {
      const lost = Math.floor(behind / this.tickMs);
      this.skipped += lost;
      this.#dueMs += lost * this.tickMs;
    }
    // The time is asked once for how many ticks are due: ticks that take too long must not run for ever.
    for (const until = now(); this.#dueMs <= until;) {
      const due = this.#dueMs;
      if (now() - due > this.tickMs) this.late++;
      this.ticks++;
      this.#dueMs += this.tickMs;
      run(due);
    }
  }
}

/**
 * Runs every tick of a clock as soon as it is due, by a timer.
 * @returns stops it; it may be called in a tick.
 */
export function runTicks(clock: TickClock, tick: (dueMs: number) => void): () => void {
  const now = (): number => performance.now();
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;
  const run = (): void => {
    clock.advance(now, (dueMs) => {
      if (!isStopped) tick(dueMs);
    });
    if (!isStopped) timer = setTimeout(run, Math.max(0, clock.dueMs - now()));
  };
  timer = setTimeout(run, clock.tickMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
