import type { BodyId } from '../../base/ids.ts';
import { speedOf } from '../../base/motion.ts';
import { MOTION, STRIDE } from '../../base/state.ts';
import type { EngineMirror } from '../bodies/engine-mirror.ts';

/** Metres a second: the fastest throw. */
const FASTEST = 20;

/**
 * [K3.1] A body that a driven body pins against a wall or the floor comes free no faster than the fastest throw, whatever the
 * engine makes of the two that push it. Call it after a step.
 * @param carried 1 for a body that a driven body moved before the step.
 * @param movable true for a body that this peer simulates and no hand holds.
 */
export function slowPinned(
  engine: EngineMirror,
  carried: Uint8Array,
  movable: (body: BodyId) => boolean,
): void {
  const { motion, simulation } = engine;
  for (let i = 0; i < carried.length; i++) {
    const body = i as BodyId;
    if (carried[body] === 0 && !simulation.isCarried(body)) continue;
    if (!movable(body)) continue;
    const speed = speedOf(motion, body);
    if (speed <= FASTEST) continue;
    const v = body * STRIDE + MOTION.linear;
    for (let k = v; k < v + 3; k++) motion[k] *= FASTEST / speed;
    engine.write(body);
  }
}
