import type RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Level, Template } from '../../src/core/world/level.ts';
import { faultsOfLevel } from '../../src/core/world/level-faults.ts';
import type { Simulation } from '../../src/core/world/simulation.ts';
import { createLevel } from '../../src/levels/levels.ts';
import { adopt } from '../../src/physics/lent/adopt.ts';
import { createSimulation } from '../../src/physics/index.ts';
import { simulationContract } from '../contract/simulation-contract.ts';
import { strangersWorld } from '../support/strangers-world.ts';

/** The versions that the package accepts, and the one that rooms use. */
const VERSIONS = {
  '0.19': () => import('rapier-0.19'),
  '0.20': () => import('@dimforge/rapier3d-compat'),
  '0.21': () => import('rapier-0.21'),
};

describe.each(Object.keys(VERSIONS) as (keyof typeof VERSIONS)[])('Rapier %s', (version) => {
  let engine: typeof RAPIER;
  beforeAll(async () => {
    const loaded = (await VERSIONS[version]()).default;
    await loaded.init();
    // The classes of two versions are never equal to TypeScript.
    engine = loaded as unknown as typeof RAPIER;
  });

  // Rooms use 0.20, so it has its own test.
  if (version !== '0.20')
    simulationContract('a world of its own', (level) => createSimulation(engine, level));
  simulationContract("another project's world", adopted);
  if (version === '0.19')
    test('a level in which players make joints is refused', () => {
      const making = { perPlayer: 1, slots: 1, kinds: [{ kind: 'ball', collides: true }] } as const;
      const level = { ...createLevel({ id: 'grid', seed: 1, count: 1 }), making };
      expect(() => createSimulation(engine, level)).toThrow('Joints need Rapier 0.20 or newer.');
    });

  function adopted(level: Level): Simulation {
    const { world, bodies } = strangersWorld(engine, level);
    const { spawning, bounds } = level;
    // The contract has bodies, too, that are smaller than a level may have.
    if (faultsOfLevel(level).length > 0) return createSimulation(engine, level);
    const template = (read: Template, i: number): Template => {
      return { ...read, rollingFriction: level.bodies[i].template.rollingFriction };
    };
    return adopt(engine, world, bodies, { spawning, bounds, template }).simulation;
  }
});
