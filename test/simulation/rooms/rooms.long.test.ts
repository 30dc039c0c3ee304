import { beforeAll, describe, expect, it } from 'vitest';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { CONDITIONS, faultsOf, runRoom } from '../../support/run-room.ts';

beforeAll(loadPhysics);

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

describe('[I1] to [I6] hold in whole rooms, seeds 1 to 20', () => {
  describe.each(CONDITIONS)('%s', (_, words) => {
    it.each(SEEDS)('seed %i', (seed) => {
      const report = runRoom(`${words} --seed ${seed}`);
      expect(faultsOf(report, words.includes('fight') ? 'fight' : 'chaos')).toBe('');
    });
  });
});
