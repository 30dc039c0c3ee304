import { TICK_RATE } from '../core/base/constants.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import type { Bot, BotSight } from './bot.ts';

/**
 * A bot that counts 60ths of a second, in a level of another rate [B2]: it acts in the frames of a display with 60 frames a
 * second, and the input says how old the last frame is.
 */
export class BotOnDisplay implements Bot {
  readonly #bot: Bot;
  readonly #rate: number;
  /** The time since the last frame, in units of which a tick lasts TICK_RATE and a frame lasts `#rate`. */
  #since = 0;
  /** `age` of the input in the last frame. */
  #age = 0;

  /** @param rate ticks a second. */
  constructor(bot: Bot, rate: number) {
    this.#bot = bot;
    this.#rate = rate;
  }

  act(tick: number, sight: BotSight, out: PlayerInput): void {
    for (this.#since += TICK_RATE; this.#since >= this.#rate;) {
      this.#since -= this.#rate;
      this.#bot.act(Math.floor((tick * TICK_RATE - this.#since) / this.#rate), sight, out);
      this.#age = out.age;
    }
    out.age = this.#age + this.#since / TICK_RATE;
  }
}
