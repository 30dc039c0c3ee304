import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import { BodilessSimulation } from '../../../src/harness/bodiless-simulation.ts';
import { apart } from '../../support/stage.ts';
import { sceneOf } from '../../support/stage-levels.ts';

const HOST = 0 as Slot;

describe('a peer', () => {
  test('[B1.4] takes no simulation of a level with more or fewer bodies', () => {
    const level = sceneOf(apart(4));
    for (const count of [3, 5]) {
      const simulation = new BodilessSimulation(sceneOf(apart(count)), () => undefined);
      expect(() => new Peer({ slot: HOST, host: HOST, level, simulation })).toThrow(
        new RangeError(`The simulation has ${count} ids, and the level 4: it is of another level.`),
      );
    }
  });

  test('[W8.8] sends after a whole number of ticks, and takes nothing else', () => {
    const level = sceneOf(apart(1));
    const simulation = new BodilessSimulation(level, () => undefined);
    const peer = new Peer({ slot: HOST, host: HOST, level, simulation });
    peer.sendEvery = 3;
    for (const ticks of [0, -5, 1.5, NaN]) expect(() => (peer.sendEvery = ticks)).toThrow(RangeError);
    expect(peer.sendEvery).toBe(3);
  });
});
