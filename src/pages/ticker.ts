import { TICK_MS } from '../core/base/constants.ts';

/** Milliseconds of missed time that are made up for; what was missed beyond that is a stall, and stays missed. */
const MOST_CATCH_UP_MS = 250;
/** Milliseconds without a frame after which the worker's timer takes over. */
const FRAMES_MISSED_MS = 50;

/**
 * The page's clock: ticks at 60 Hz whatever the display does. Frames drive it while there are any; when the
 * page is hidden, or frames stop for another reason, a worker's timer does [T4].
 */
export class Ticker {
  readonly #tick: (timeMs: number) => void;
  readonly #frame: (nowMs: number, alpha: number) => void;
  readonly #worker: Worker;
  /** The time of the last tick, on the clock of `performance.now`. */
  #tickTime = Number.NaN;
  #frameTime = -Infinity;
  #request = 0;
  #isStopped = false;
  #ticks = 0;
  #rateSince = 0;
  #rate = 0;

  /**
   * Starts at once.
   * @param tick one step of the world, due at `timeMs`.
   * @param frame draws; `alpha` says how far the frame lies between the last two ticks [T5].
   */
  constructor(tick: (timeMs: number) => void, frame: (nowMs: number, alpha: number) => void) {
    this.#tick = tick;
    this.#frame = frame;
    this.#worker = new Worker(new URL('./ticker-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = () => {
      if (performance.now() - this.#frameTime > FRAMES_MISSED_MS) this.#advance(performance.now());
    };
    this.#request = requestAnimationFrame(this.#onFrame);
  }

  /** Ticks in the last second. */
  get rate(): number {
    return this.#rate;
  }

  /** From within a tick or a frame, too: nothing of it comes after. */
  stop(): void {
    this.#isStopped = true;
    cancelAnimationFrame(this.#request);
    this.#worker.terminate();
  }

  readonly #onFrame = (now: number): void => {
    this.#request = requestAnimationFrame(this.#onFrame);
    this.#frameTime = performance.now();
    this.#advance(now);
    if (this.#isStopped) return;
    this.#frame(now, Math.min(1, Math.max(0, (now - this.#tickTime) / TICK_MS)));
  };

  #advance(now: number): void {
    if (!(now - this.#tickTime < MOST_CATCH_UP_MS)) this.#tickTime = now - TICK_MS;
    while (this.#tickTime + TICK_MS <= now && !this.#isStopped) {
      this.#tickTime += TICK_MS;
      this.#tick(this.#tickTime);
      this.#ticks++;
    }
    if (now - this.#rateSince < 1000) return;
    this.#rate = (this.#ticks * 1000) / (now - this.#rateSince);
    this.#rateSince = now;
    this.#ticks = 0;
  }
}
