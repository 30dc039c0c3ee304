import { NO_BODY } from '../../../core/base/ids.ts';
import { speedOf } from '../../../core/base/motion.ts';
import { STRIDE } from '../../../core/base/state.ts';
import type { Simulation } from '../../../core/world/simulation.ts';

/** Counts the bodies of an engine that move. */
export class MovingCount {
  readonly #engine: Simulation;
  readonly #motion: Float32Array;

  constructor(engine: Simulation) {
    this.#engine = engine;
    this.#motion = new Float32Array(engine.count * STRIDE);
  }

  /** How many awake bodies are faster than this, in metres a second. */
  fasterThan(speed: number): number {
    const { awake } = this.#engine;
    this.#engine.capture(this.#motion);
    let moving = 0;
    for (let body = awake.next(NO_BODY); body !== NO_BODY; body = awake.next(body))
      if (speedOf(this.#motion, body) > speed) moving++;
    return moving;
  }
}
