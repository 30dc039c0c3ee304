import { beforeAll, describe, expect, test } from 'vitest';
import type { ChaosReport } from '../../src/harness/chaos/run-chaos.ts';
import { drawMix } from '../../src/harness/chaos/mix.ts';
import { runChaos } from '../../src/harness/chaos/run-chaos.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { describeFailure } from '../../src/tools/chaos/summary.ts';

beforeAll(loadPhysics);

/** The two rooms of chaos.slow.test.ts that cost least. */
const SEEDS = [3, 6];
/** Milliseconds that a room may take where others want the machine, too. */
const PATIENCE = 240_000;

test.each(SEEDS)('[I1] to [I8] hold in the room of seed %i', { timeout: PATIENCE }, (seed) => {
  const report = runChaos(seed, createRapierSimulation);
  expect([...report.faults, ...report.restless], describeFailure(report)).toEqual([]);
});

describe('a cruel room', () => {
  test('is the same for the same seed, and another for another', { timeout: PATIENCE }, () => {
    const run = (seed: number): ChaosReport => runChaos(seed, createRapierSimulation);
    expect(run(3)).toEqual(run(3));
    expect(drawMix(3)).not.toEqual({ ...drawMix(4), seed: 3 });
  });

  test('fails if a guest comes to believe something else', { timeout: PATIENCE }, () => {
    const { faults, convergedAfterMs } = runChaos(3, createRapierSimulation, ({ peers, steps }) => {
      if (steps % 30 === 0) peers[1].state.bodies.records.authoritySequence[0] += 3;
    });
    expect(faults.join()).toContain('[I1]');
    expect(convergedAfterMs).toBeNull();
  });

  test('fails if a peer throws, and says where', () => {
    const { faults } = runChaos(3, createRapierSimulation, ({ steps }) => {
      if (steps === 200) throw new Error('a bug of ours');
    });
    expect(faults[0]).toMatch(/^\[F1\] step 200: Error: a bug of ours/);
  });
});
