import { TICK_RATE } from '../core/base/constants.ts';
import { MOST_CATCH_UP_MS } from '../session/tick-clock.ts';

/** After so many milliseconds without a frame, the worker's timer takes over. */
const FRAMES_MISSED_MS = 50;
/** Milliseconds between two calls of that timer. */
const TIMER_MS = 8;

/** Called in this order in each frame. `Xr` is a headset's frame. */
export type TickerHandlers<Xr> = {
  /**
   * A frame begins; hands are sampled now [T1].
   * @param xr the headset's frame, or null without a headset.
   */
  begin(nowMs: number, xr: Xr | null): void;
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
export type Frames<Xr = unknown> = {
  setAnimationLoop(onFrame: ((nowMs: number, xr?: Xr) => void) | null): unknown;
};

/**
 * The page's clock: as many ticks a second as the level says, on every display. Frames drive it. If the page is hidden, or frames
 * stop for another reason, a worker's timer drives it [T4].
 */
export class Ticker<Xr> {
  readonly #frames: Frames<Xr>;
  readonly #handlers: TickerHandlers<Xr>;
  readonly #stopTimer: () => void;
  /** The time of the last tick, on the clock of `performance.now`. */
  #tickTime = Number.NaN;
  #frameTime = -Infinity;
  #isStopped = false;
  #ticks = 0;
  #rateSince = 0;
  #rate = 0;
  /** Milliseconds in a tick. */
  readonly #tickMs: number;

  /** Starts the clock. @param rate ticks a second. */
  constructor(frames: Frames<Xr>, handlers: TickerHandlers<Xr>, rate = TICK_RATE) {
    this.#tickMs = 1000 / rate;
    this.#frames = frames;
    this.#handlers = handlers;
    this.#stopTimer = startTimer(() => {
      if (performance.now() - this.#frameTime > FRAMES_MISSED_MS) this.#advance(performance.now());
    });
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
    this.#stopTimer();
  }

  readonly #onFrame = (now: number, xr?: Xr): void => {
    this.#frameTime = performance.now();
    this.#handlers.begin(now, xr ?? null);
    this.#advance(now);
    if (this.#isStopped) return;
    this.#handlers.frame(now, Math.min(1, Math.max(0, 1 - (this.#tickTime - now) / this.#tickMs)));
  };

  #advance(now: number): void {
    if (!(now - this.#tickTime < MOST_CATCH_UP_MS)) this.#tickTime = now - this.#tickMs;
    // Up to the first tick after the frame: that tick uses the hands sampled just before it [T1].
    while (this.#tickTime < now && !this.#isStopped) {
      this.#tickTime += this.#tickMs;
      this.#handlers.tick(this.#tickTime);
      this.#ticks++;
    }
    if (now - this.#rateSince < 1000) return;
    this.#rate = (this.#ticks * 1000) / (now - this.#rateSince);
    this.#rateSince = now;
    this.#ticks = 0;
  }
}

/**
 * Calls a function every TIMER_MS: browsers do not slow down a worker's timer when the page is hidden [T4]. The worker's
 * script is in its address, so that no bundler has to find a file; where a site's policy forbids that, the page's own
 * timer does what it can.
 * @returns stops it.
 */
function startTimer(onTime: () => void): () => void {
  const script = `setInterval(() => postMessage(0), ${TIMER_MS})`;
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  let stop: () => void;
  const startOwn = (): void => {
    const timer = setInterval(onTime, TIMER_MS);
    stop = () => clearInterval(timer);
  };
  try {
    const worker = new Worker(address);
    stop = () => worker.terminate();
    worker.onmessage = onTime;
    worker.onerror = () => {
      stop();
      startOwn();
    };
  } catch {
    startOwn();
  }
  return () => {
    stop();
    URL.revokeObjectURL(address);
  };
}

/** The functions that `startTicker` calls. */
export type TickHandlers = {
  /** Once a tick, in hidden pages too. @param timeMs when it is due, on the page's clock. */
  readonly tick: (timeMs: number) => void;
  /** [B2] Ticks a second: the rate of the level, `room.level.rate`. 60 if left out. */
  readonly rate?: number;
  /** Once a frame, to draw. @param alpha where the frame lies between the last two ticks, 0 to 1. */
  readonly frame?: (alpha: number) => void;
  /** It calls the frames: three's renderer, which knows those of a headset. The window if left out. */
  readonly frames?: Frames;
};

/**
 * Keeps time for a game: as many ticks a second as its level has, on every display, in hidden pages too.
 * @returns stops it; it may be called in a tick or a frame.
 */
export function startTicker({ tick, rate, frame, frames = windowFrames() }: TickHandlers): () => void {
  const handlers = { begin: () => undefined, tick, frame: (_: number, alpha: number) => frame?.(alpha) };
  const ticker = new Ticker(frames, handlers, rate);
  return () => ticker.stop();
}

function windowFrames(): Frames {
  let asked = 0;
  return {
    setAnimationLoop(onFrame) {
      cancelAnimationFrame(asked);
      if (onFrame === null) return;
      const next = (nowMs: number): void => {
        asked = requestAnimationFrame(next);
        onFrame(nowMs);
      };
      asked = requestAnimationFrame(next);
    },
  };
}
