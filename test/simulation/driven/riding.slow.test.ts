import { beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { watchRide } from './riders.ts';

beforeAll(loadPhysics);

const CONDITIONS = { latencyMs: 100, jitterMs: 50 };
const [HOST, GUEST, OTHER] = [0, 1, 2] as Slot[];
const PATIENCE = 240_000;

describe.each([1, 3])('[K2.3] on a platform that circles at %i m/s, at 100 ms with 50 of jitter', (speed) => {
  test.each([
    ['a guest, as the host sees it', GUEST, HOST],
    ['a guest, as another guest sees it', GUEST, OTHER],
    ['the host, as a guest sees it', HOST, GUEST],
  ])(
    'nothing trembles by 1 mm that rides with %s, nor is off by 1 cm',
    { timeout: PATIENCE },
    (_who, rider, viewer) => {
      const { trembling, off } = watchRide({ speed, rider, viewer, conditions: CONDITIONS });
      for (const millimetres of Object.values(trembling)) expect(millimetres).toBeLessThan(1);
      expect(off).toBeLessThan(10);
    },
  );

  test('a head that is drawn where it was in the world is off by decimetres', { timeout: PATIENCE }, () => {
    const { off } = watchRide({ speed, rider: GUEST, viewer: HOST, conditions: CONDITIONS, rides: false });
    expect(off).toBeGreaterThan(250 * speed);
  });
});
