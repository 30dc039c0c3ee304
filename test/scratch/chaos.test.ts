import { test } from 'vitest';
import { loadPhysics, createRapierSimulation } from '../../src/physics/rapier-simulation.ts';
import { runChaos } from '../../src/harness/chaos/run-chaos.ts';
import { appendFileSync } from 'node:fs';
test('chaos', async () => {
  await loadPhysics();
  const [from, to] = (process.env.SEEDS ?? '1..4').split('..').map(Number);
  for (let seed = from; seed <= to; seed++) {
    const t = Date.now();
    const players = 2 + (seed % 7);
    const r = runChaos(seed, createRapierSimulation, undefined, { scene: { id: 'workshop', seed: 1 }, players });
    appendFileSync(process.env.OUT ?? '/tmp/jx/chaos.txt', JSON.stringify({ ms: Date.now() - t, seed, room: r.room, faults: r.faults.slice(0, 6), nf: r.faults.length, c: r.convergedAfterMs, ev: r.events }) + '\n');
  }
}, 3600000);
