import { TICK_MS } from '../core/base/constants.ts';

/** Milliseconds of missed time that are made up for; what was missed beyond that is a stall, and stays missed. */
const MOST_CATCH_UP_MS = 250;
/** Milliseconds without a frame after which the worker's timer takes over. */
const FRAMES_MISSED_MS = 50;

/** What happens when, in this order in each frame. */
export type TickerHandlers = {
  /** A frame begins: the moment at which hands are sampled [T1]. `xr` is what a headset tells of it, or null. */
  begin(nowMs: number, xr: XRFrame | null): void;
  /** One step of the world, due at `timeMs`. */
  tick(timeMs: number): void;
  /** Draws; `alpha` says how far the frame lies between the last two ticks [T5]. */
  frame(nowMs: number, alpha: number): void;
};

/** Frames of a window or, while one is worn, of a headset: three's renderer knows which. */
export type Frames = { setAnimationLoop(onFrame: ((nowMs: number, xr?: XRFrame) => void) | null): unknown };

/**
 * The page's clock: ticks at 60 Hz whatever the display does. Frames drive it while there are any; when the
 * page is hidden, or frames stop for another reason, a worker's timer does [T4].
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

  /** Starts at once. */
  constructor(frames: Frames, handlers: TickerHandlers) {
    this.#frames = frames;
    this.#handlers = handlers;
    this.#worker = new Worker(new URL('./ticker-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = () => {
      if (performance.now() - this.#frameTime > FRAMES_MISSED_MS) this.#advance(performance.now());
    };
    frames.setAnimationLoop(this.#onFrame);
  }

  /** Ticks in the last second. */
  get rate(): number {
    return this.#rate;
  }

  /** From within a tick or a frame, too: nothing of it comes after. */
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
    // Up to the first tick after the frame: it uses the hands that were sampled just before it [T1].
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
