import { TICK_SECONDS } from '../../src/core/base/constants.ts';
import { MOTION } from '../../src/core/base/state.ts';
import type { Level } from '../../src/core/world/level.ts';
import { BodilessSimulation } from '../../src/harness/bodiless-simulation.ts';

/** Share of its speed that a body keeps from tick to tick: it floats on and soon stands still. */
const KEPT_SPEED = 0.8;

/** An engine for tests of who has what: bodies float where they were put, and glide a little when let go. */
export function floatingSimulation(level: Level): BodilessSimulation {
  return new BodilessSimulation(level, glide);
}

function glide(motion: Float32Array, at: number): void {
  for (let i = 0; i < 3; i++) {
    motion[at + i] += motion[at + MOTION.linear + i] * TICK_SECONDS;
    motion[at + MOTION.linear + i] *= KEPT_SPEED;
    motion[at + MOTION.angular + i] *= KEPT_SPEED;
  }
}
