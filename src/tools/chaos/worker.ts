import { createRapierSimulation, loadPhysics } from '../../physics/rapier-simulation.ts';
import { runChaos } from '../../harness/chaos/run-chaos.ts';

/** A process that plays the seeds that it receives, one after the other, and answers with each report. */
await loadPhysics();
process.on('message', (seed: number) => {
  process.send?.(runChaos(seed, createRapierSimulation));
});
