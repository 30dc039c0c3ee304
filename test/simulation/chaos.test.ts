import { beforeAll, expect, test } from 'vitest';
import { runChaos } from '../../src/harness/chaos/run-chaos.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { describeFailure } from '../../src/tools/chaos/summary.ts';

beforeAll(loadPhysics);

/** Milliseconds that a room may take where others want the machine, too. */
const PATIENCE = 240_000;

test(
  '[I1] to [I8] hold in the room of seed 6, the cheapest of chaos.slow.test.ts',
  { timeout: PATIENCE },
  () => {
    const report = runChaos(6, createRapierSimulation);
    expect([...report.faults, ...report.restless], describeFailure(report)).toEqual([]);
  },
);

test('a cruel room fails if a peer throws, and says where', () => {
  const { faults } = runChaos(3, createRapierSimulation, ({ steps }) => {
    if (steps === 200) throw new Error('a bug of ours');
  });
  expect(faults[0]).toMatch(/^\[F1\] step 200: Error: a bug of ours/);
});
