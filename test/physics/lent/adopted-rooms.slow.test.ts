import type RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, describe, expect, it } from 'vitest';
import { Referee } from '../../../src/harness/referee/referee.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { adopt } from '../../../src/physics/lent/adopt.ts';
import { strangersWorld } from '../../support/strangers-world.ts';

/** Steps: bots play for eight seconds, and all comes to rest in twelve more. */
const QUIET = 480;
const END = QUIET + 720;

describe('rooms whose players share worlds of their own', () => {
  let engine: typeof RAPIER;
  beforeAll(async () => {
    const loaded = (await import('rapier-0.21')).default;
    await loaded.init();
    // The classes of two versions are never equal to TypeScript.
    engine = loaded as unknown as typeof RAPIER;
  });

  it.each([1, 2, 3])('agree to the bit once all is at rest, and break no rule: seed %i', (seed) => {
    const scene = { id: 'pyramid', seed } as const;
    const room = new RoomHarness(
      { players: 3, scene, bots: 'chaos', seed, conditions: { latencyMs: 40, loss: 0.05 }, quietFrom: QUIET },
      (level) => {
        const { world, bodies } = strangersWorld(engine, level);
        return adopt(engine, world, bodies, { bounds: level.bounds }).simulation;
      },
    );
    const referee = new Referee(room, 80, true);
    for (let step = 0; step < END; step++) {
      room.step((peer) => referee.afterReceive(peer));
      referee.observe();
    }
    expect(referee.violations).toEqual([]);
    expect(referee.finish().converged).toBe(true);
    const [host, ...guests] = room.peers.map(({ diagnostics }) => [...diagnostics.bodies.records.state]);
    for (const guest of guests) expect(guest).toEqual(host);
    room.dispose();
  });

  it('have the level that the bodies were made by', () => {
    const level = createLevel({ id: 'pyramid', seed: 1 });
    const { world, bodies } = strangersWorld(engine, level);
    const adopted = adopt(engine, world, bodies, { bounds: level.bounds }).level;
    expect(adopted.bodies).toHaveLength(level.bodies.length);
    expect(adopted.templates).toHaveLength(1);
    expect(adopted.templates[0].mass).toBeCloseTo(level.templates[0].mass, 5);
  });
});
