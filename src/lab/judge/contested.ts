import { TICK_RATE } from '../../core/base/constants.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import { cubesTouch } from './boxes.ts';
import type { JudgedBodies } from './push-response.ts';

/** Metres between two cubes that count as touching. */
const CLOSE = 0.05;
/** Ticks for which a touch counts: players who touch a body within a second of each other contest it. */
const LASTS = TICK_RATE;

/** Knows which bodies two players or more have touched within a second, where the machines that decide have them. */
export class ContestedBodies {
  readonly #bodies: JudgedBodies;
  /** The tick of the last touch: for each body, one number for each player. */
  readonly #touchedAt: Int32Array;
  #ticks = 0;

  constructor(bodies: JudgedBodies) {
    this.#bodies = bodies;
    this.#touchedAt = new Int32Array(bodies.halves.length * bodies.players).fill(-LASTS);
  }

  /** @param truth POSE_STRIDE numbers a body. */
  observe(truth: Float32Array): void {
    this.#ticks++;
    const { halves, players } = this.#bodies;
    for (let body = players; body < halves.length; body++) {
      for (let player = 0; player < players; player++) {
        const [at, own] = [body * POSE_STRIDE, player * POSE_STRIDE];
        if (cubesTouch(truth, own, halves[player], truth, at, halves[body], CLOSE))
          this.#touchedAt[body * players + player] = this.#ticks;
      }
    }
  }

  /** True for a body that is contested now. */
  has(body: number): boolean {
    const { players } = this.#bodies;
    let touching = 0;
    for (let player = 0; player < players; player++) {
      if (this.#ticks - this.#touchedAt[body * players + player] < LASTS) touching++;
    }
    return touching > 1;
  }
}
