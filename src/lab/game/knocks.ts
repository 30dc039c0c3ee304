import { GRAVITY, TICK_SECONDS } from '../../core/base/constants.ts';
import { MOTION, STRIDE } from '../../core/base/state.ts';

/** Metres a second of a change in one tick that gravity does not explain, from which a knock is heard. */
const HEARD = 1;

/** A knock, and the tick in which it happened. A sound that has been played can't be taken back. */
export type Knock = { readonly tick: number; readonly body: number };

/** The knocks between two motions of the same bodies, one tick apart. */
export function knocksBetween(before: Float32Array, after: Float32Array, tick: number): Knock[] {
  const knocks: Knock[] = [];
  for (let body = 0, v = MOTION.linear; v < after.length; body++, v += STRIDE) {
    const fall = GRAVITY * TICK_SECONDS;
    const change = Math.hypot(
      after[v] - before[v],
      after[v + 1] - before[v + 1] + fall,
      after[v + 2] - before[v + 2],
    );
    if (change > HEARD) knocks.push({ tick, body });
  }
  return knocks;
}

/** Knocks of ticks that may still change. They are heard once their ticks are certain, each once. */
export class HeldKnocks {
  #held: Knock[] = [];

  /** A tick was computed, perhaps again: what was held of it counts no more. */
  put(tick: number, knocks: readonly Knock[]): void {
    this.#held = [...this.#held.filter((knock) => knock.tick !== tick), ...knocks];
  }

  /** Hands out the knocks of all ticks up to this one, the oldest first. */
  take(certain: number): Knock[] {
    const heard = this.#held.filter(({ tick }) => tick <= certain).sort((a, b) => a.tick - b.tick);
    if (heard.length > 0) this.#held = this.#held.filter(({ tick }) => tick > certain);
    return heard;
  }
}
