import { test } from 'vitest';
import { loadPhysics, createRapierSimulation } from '../../src/physics/rapier-simulation.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { faultsOfLevel } from '../../src/core/world/level-faults.ts';
import { STRIDE } from '../../src/core/base/state.ts';
test('settle', async () => {
  await loadPhysics();
  const level = createLevel({ id: 'workshop', seed: 1 });
  console.log(faultsOfLevel(level), level.bodies.length, level.joints.length);
  const sim = createRapierSimulation(level);
  const m = new Float32Array(sim.count * STRIDE);
  for (let t = 0; t < 1200; t++) {
    sim.step();
    if (t % 120 === 119) {
      sim.capture(m);
      const fast: string[] = [];
      for (let b = 0; b < level.bodies.length; b++) {
        const v = Math.hypot(m[b*STRIDE+7], m[b*STRIDE+8], m[b*STRIDE+9]);
        const w = Math.hypot(m[b*STRIDE+10], m[b*STRIDE+11], m[b*STRIDE+12]);
        const p = level.bodies[b].start.position;
        const d = Math.hypot(m[b*STRIDE]-p.x, m[b*STRIDE+1]-p.y, m[b*STRIDE+2]-p.z);
        if (v > 0.005 || w > 0.01 || d > 0.1) fast.push(`${b}:v${v.toFixed(3)} w${w.toFixed(3)} d${d.toFixed(2)}`);
      }
      console.log(t, fast.join('  '));
    }
  }
});
