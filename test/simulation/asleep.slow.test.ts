import { expect, test } from 'vitest';
import type { BodyId } from '../../src/core/base/ids.ts';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import { distance, pose } from '../../src/core/base/math.ts';
import { poseIn } from '../../src/core/base/motion.ts';
import { STRIDE } from '../../src/core/base/state.ts';
import type { Peer } from '../../src/core/peer/peer.ts';
import { dequantiseMotion } from '../../src/core/wire/bodies/quantise.ts';
import { loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { runRoom } from '../support/run-room.ts';

/**
 * Metres: the greatest distance between a body in any peer's engine and its rest record; 0.004 is left alone.
 */
function worstOff(peers: readonly Peer[]): number {
  let worst = 0;
  for (const { state } of peers) {
    const { simulation, records, count } = state.bodies;
    const [is, said] = [new Float32Array(count * STRIDE), new Float32Array(count * STRIDE)];
    // A sleeper's motion is not captured, so it is woken for this.
    for (let body = 0; body < count; body++) simulation.wake(body as BodyId);
    simulation.capture(is);
    for (let body = 0; body < count; body++) {
      dequantiseMotion(records.state, body * STRIDE, said, body * STRIDE);
      const [at, record] = [is, said].map((motion) => poseIn(motion, body as BodyId, pose()).position);
      worst = Math.max(worst, distance(at, record));
    }
  }
  return worst;
}

test.each(['--seed 1', '--players 4 --seed 2 --seconds 16', '--bots fight --seed 1'])(
  '[R2.2] [R2.3] when a match is over, every sleeping cube is where its record says, in every engine: %s',
  async (words) => {
    await loadPhysics();
    let worst = Infinity;
    const last = (words.includes('16') ? 16 : 20) * TICK_RATE;
    const report = runRoom(words, (room) => {
      if (room.steps === last) worst = worstOff(room.peers);
    });
    expect(report.converged).toBe(true);
    expect(worst).toBeLessThan(0.006);
  },
);
