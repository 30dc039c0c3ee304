import { beforeAll, describe, expect, it } from 'vitest';
import { STRIDE } from '../../src/core/base/state.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { loadDeterministicEngine } from '../../src/physics/deterministic.ts';
import type { Engine } from '../../src/physics/engine-types.ts';
import { loadedEngine, loadPhysics } from '../../src/physics/engine.ts';
import { createRestorableSimulation } from '../../src/physics/rapier-simulation.ts';

const scene = createLevel({ id: 'grid', seed: 1, count: 12 });

describe('Rapier’s deterministic build', () => {
  let engine: Engine;
  beforeAll(async () => {
    await loadPhysics();
    engine = await loadDeterministicEngine();
  });

  it('is of the version that rooms play with, and is loaded once', async () => {
    expect(engine.version()).toBe(loadedEngine().version());
    expect(engine).not.toBe(loadedEngine());
    expect(await loadDeterministicEngine()).toBe(engine);
  });

  it('goes on from a snapshot as if nothing had happened since, bit for bit', () => {
    const simulation = createRestorableSimulation(scene, engine);
    const motion = new Float32Array(scene.bodies.length * STRIDE);
    const run = (ticks: number): number[] => {
      for (let i = 0; i < ticks; i++) simulation.step();
      simulation.capture(motion);
      return [...motion];
    };
    run(20);
    const snapshot = simulation.snapshot();
    const once = run(40);
    motion[7] = 5;
    simulation.write(0 as Parameters<typeof simulation.write>[0], motion);
    expect(run(10)).not.toEqual(once);
    simulation.restore(snapshot);
    expect(run(40)).toEqual(once);
    simulation.dispose();
  });
});
