import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { runChaos } from '../../harness/chaos/run-chaos.ts';
import type { ChaosTask } from './arguments.ts';

/** A process that plays the seeds that it receives, one after the other, and answers with each report. */
await loadPhysics();
process.on('message', ({ seed, court }: ChaosTask) => {
  process.send?.(runChaos(seed, createRapierSimulation, undefined, court));
});
