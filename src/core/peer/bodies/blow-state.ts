import { ticksIn } from '../../base/constants.ts';
import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import type { Bodies } from './bodies.ts';

/** Seconds after which a body that went from one player to another may be taken by a blow: four times a second. */
const PAUSE_SECONDS = 0.25;

/** [A14] The memory of blows that one peer has. The rules are in blows.ts. */
export class BlowState {
  /** For each body the tick in which it last went from one player to another. */
  readonly #passedAt: Int32Array;
  /** The bodies that blows have taken in this tick, of which the first `#count` count. */
  readonly #struck: Int16Array;
  #count = 0;

  /** PAUSE_SECONDS in ticks. */
  readonly #pause: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#pause = ticksIn(PAUSE_SECONDS, rate);
    this.#passedAt = new Int32Array(count).fill(-this.#pause);
    this.#struck = new Int16Array(count);
  }

  /** Forgets everything: the level begins anew. */
  clear(): void {
    this.#passedAt.fill(-this.#pause);
  }

  /** [A14.4] True if a body went from one player to another so lately that a blow does not take it. */
  isPaused(body: BodyId, tick: number): boolean {
    return tick - this.#passedAt[body] < this.#pause;
  }

  /**
   * [A14.4], [A14.7] Another peer has changed the record of a body.
   * @param from the player that had it until now, or NO_SLOT.
   */
  passed({ following, records }: Bodies, body: BodyId, from: Slot, self: Slot, tick: number): void {
    if (from === NO_SLOT) return;
    // It was drawn where this player had it: it eases to where the other player has it.
    if (from === self) following.setCanEase(body, true);
    if (records.authority[body] !== NO_SLOT) this.#passedAt[body] = tick;
  }

  /** A blow of this player has taken a body. */
  took(body: BodyId, tick: number): void {
    this.#passedAt[body] = tick;
    this.#struck[this.#count++] = body;
  }

  /**
   * Call after the step. A struck body was drawn once in this tick already, where its player had it: it stays there, and
   * its way from there is eased.
   */
  keepDrawn({ drawn, motion }: Bodies): void {
    for (let i = 0; i < this.#count; i++)
      drawn.corrections.keepDrawn(this.#struck[i] as BodyId, drawn.poses, motion);
    this.#count = 0;
  }
}
