import { expect, test } from 'vitest';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { parseSimArguments } from '../../src/tools/arguments.ts';
import { describeEndurance, endure } from '../../src/tools/endurance.ts';

test('[F1] in an hour of play with eight players nothing creeps: memory, error, playout delay', async () => {
  await loadPhysics();
  const options = parseSimArguments('--players 8 --scene grid --count 16'.split(' '));
  if (options === null) throw new Error('asked for help');
  const report = endure(options, 1, createRapierSimulation);
  console.info(describeEndurance(report));
  expect(report.minutes).toHaveLength(60);
  // Some three grabs a second.
  expect(report.grabs).toBeGreaterThan(5000);
  expect(report.drifts).toEqual([]);
  expect(report.violations).toEqual([]);
});
