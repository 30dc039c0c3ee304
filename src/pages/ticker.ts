import { TICK_MS } from '../core/base/constants.ts';
import { MOST_CATCH_UP_MS } from '../session/tick-clock.ts';

/** After so many milliseconds without a frame, the worker's timer takes over. */
const FRAMES_MISSED_MS = 50;

/** Called in this order in each frame. */
export type TickerHandlers = {
  /**
   * A frame begins; hands are sampled now [T1].
   * @param xr the headset's frame, or null without a headset.
   */
  begin(nowMs: number, xr: XRFrame | null): void;
  /** Simulates one tick, due at `timeMs`. */
  tick(timeMs: number): void;
  /**
   * Draws.
   * @param alpha where the frame lies between the last two ticks, 0 to 1 [T5].
   */
  frame(nowMs: number, alpha: number): void;
};

/**
 * Calls a function in each frame of the window or, while a headset is worn, of the headset. three's renderer
 * knows which.
 */
export type Frames = { setAnimationLoop(onFrame: ((nowMs: number, xr?: XRFrame) => void) | null): unknown };

/**
 * The page's clock: 60 ticks per second on every display. Frames drive it. If the page is hidden, or frames
 * stop for another reason, a worker's timer drives it [T4].
 */
export class Ticker {
  readonly #frames: Frames;
  readonly #handlers: TickerHandlers;
  readonly #worker: Worker;
  /** The time of the last tick, on the clock of `performance.now`. */
  #tickTime = Number.NaN;
  #frameTime = -Infinity;
  #isStopped = false;
  #ticks = 0;
  #rateSince = 0;
  #rate = 0;

  /** Starts the clock. */
  constructor(frames: Frames, handlers: TickerHandlers) {
    this.#frames = frames;
    this.#handlers = handlers;
    this.#worker = new Worker(new URL('./ticker-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = () => {
      if (performance.now() - this.#frameTime > FRAMES_MISSED_MS) this.#advance(performance.now());
    };
    frames.setAnimationLoop(this.#onFrame);
  }

  /** Ticks per second, measured over the last second. */
  get rate(): number {
    return this.#rate;
  }

  /** Stops the clock. May be called from a tick or a frame too; no other handler is called after it. */
  stop(): void {
    this.#isStopped = true;
    this.#frames.setAnimationLoop(null);
    this.#worker.terminate();
  }

  readonly #onFrame = (now: number, xr?: XRFrame): void => {
    this.#frameTime = performance.now();
    this.#handlers.begin(now, xr ?? null);
    this.#advance(now);
    if (this.#isStopped) return;
    this.#handlers.frame(now, Math.min(1, Math.max(0, 1 - (this.#tickTime - now) / TICK_MS)));
  };

  #advance(now: number): void {
    if (!(now - this.#tickTime < MOST_CATCH_UP_MS)) this.#tickTime = now - TICK_MS;
    // Up to the first tick after the frame: that tick uses the hands sampled just before it [T1].
    while (this.#tickTime < now && !this.#isStopped) {
      this.#tickTime += TICK_MS;
      this.#handlers.tick(this.#tickTime);
      this.#ticks++;
    }
    if (now - this.#rateSince < 1000) return;
    this.#rate = (this.#ticks * 1000) / (now - this.#rateSince);
    this.#rateSince = now;
    this.#ticks = 0;
  }
}
