import { beforeAll, describe, expect, test } from 'vitest';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { forSeeds } from '../../support/seeds.ts';
import { STORMS, weather } from './storms.ts';

beforeAll(loadPhysics);

describe('[I7] [I8] [S6.2] a storm of spawns under loss, with all who come and go', () => {
  test.each(Object.keys(STORMS))('%s', (name) => {
    forSeeds(1, 6, (seed) => {
      expect(weather(name, seed)).toEqual([]);
    });
  });
});
