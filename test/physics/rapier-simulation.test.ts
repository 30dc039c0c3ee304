import { beforeAll, describe, expect, it } from 'vitest';
import { STRIDE } from '../../src/core/base/state.ts';
import type { Level } from '../../src/core/world/level.ts';
import { flatLevel, STANDARD_MATERIAL } from '../../src/core/world/level.ts';
import { faultsOfLevel } from '../../src/core/world/level-faults.ts';
import type { Point, Shape } from '../../src/core/world/shape.ts';
import { loadBuild } from '../../src/physics/engine.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { simulationContract } from '../contract/simulation-contract.ts';

describe.each(['plain', 'simd'] as const)('of the build %s', (build) => {
  beforeAll(() => loadBuild(build));

  simulationContract(`Rapier, ${build},`, createRapierSimulation);
});

describe('Rapier', () => {
  beforeAll(loadPhysics);

  it('[B1.4] refuses a faulty level with a sentence for each fault, before the engine sees it', () => {
    const flat: Point[] = [0, 1, 2, 3].map((x) => [x, x * x, 0]);
    const level = levelOf({ kind: 'ball', radius: -1 }, { kind: 'hull', points: flat });
    const faults = faultsOfLevel(level);
    expect(faults).toHaveLength(2);
    expect(() => createRapierSimulation(level)).toThrow(new RangeError(faults.join('\n')));
  });

  const levelOf = (...shapes: Shape[]): Level =>
    flatLevel(
      'shapes',
      shapes.map((shape, i) => ({
        template: { ...STANDARD_MATERIAL, shape },
        start: { position: { x: i * 3, y: 2, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
      })),
    );

  it('has every shape, and each comes to lie on the floor at its own height', () => {
    const r = 0.3;
    const simulation = createRapierSimulation(
      levelOf(
        { kind: 'box', halfExtents: [0.5, 0.2, 0.5] },
        { kind: 'ball', radius: r },
        { kind: 'capsule', radius: r, halfHeight: 0.4 },
        {
          kind: 'hull',
          points: [-r, r].flatMap((x) => [-r, r].flatMap((y) => [-r, r].map((z) => [x, y, z] as const))),
        },
      ),
    );
    for (let i = 0; i < 300; i++) simulation.step();
    const motion = new Float32Array(4 * STRIDE);
    simulation.capture(motion);
    const heights = [0, 1, 2, 3].map((body) => motion[body * STRIDE + 1]);
    expect(heights[0]).toBeCloseTo(0.2, 1);
    expect(heights[1]).toBeCloseTo(r, 1);
    expect(heights[2]).toBeGreaterThan(r - 0.05);
    expect(heights[3]).toBeCloseTo(r, 1);
    simulation.dispose();
  });

  it('[B1.4] has every hull that is no fault of a level, down to the thinnest', () => {
    for (const size of [
      [0.02, 0.02, 0.02],
      [10, 0.03, 10],
      [10, 0.05, 0.05],
      [2, 0.02, 0.3],
    ]) {
      const points = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point => [
        (i & 1) * size[0],
        ((i >> 1) & 1) * size[1],
        (i >> 2) * size[2],
      ]);
      const level = levelOf({ kind: 'hull', points });
      expect(faultsOfLevel(level)).toEqual([]);
      const simulation = createRapierSimulation(level);
      for (let i = 0; i < 60; i++) simulation.step();
      const motion = new Float32Array(STRIDE);
      simulation.capture(motion);
      expect(motion.every((value) => Number.isFinite(value))).toBe(true);
      simulation.dispose();
    }
  });

  it('refuses a hull without a volume in one sentence', () => {
    expect(() => createRapierSimulation(levelOf({ kind: 'hull', points: [[0, 0, 0]] }))).toThrow(RangeError);
  });
});
