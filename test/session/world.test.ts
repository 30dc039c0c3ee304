import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_MS } from '../../src/core/base/constants.ts';
import type { ConnectionId, Slot } from '../../src/core/base/ids.ts';
import { playerInput } from '../../src/core/hands/hand-input.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import { field } from '../../src/core/shared/field.ts';
import { sharedSchema } from '../../src/core/shared/schema.ts';
import { World } from '../../src/session/world.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import { createLoopback } from '../../src/transport/loopback.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
const GAME = { levels: gameLevels, simulate: createRapierSimulation };
const SCENE = { id: 'tower', seed: 1 } as const;

describe('a world that a host begins', () => {
  beforeAll(() => loadPhysics());

  test.each([0, 23])('[H8.1] has the host’s term %d, which its guest learns', (term) => {
    const { transports } = createLoopback({ seed: 1, slots: 2 });
    const host = new World(GAME, SCENE, { slot: HOST, host: HOST, name: 'Ada' }, transports[HOST], { term });
    const guest = new World(GAME, SCENE, { slot: GUEST, host: HOST, name: 'Bo' }, transports[GUEST]);
    host.peer.connect(GUEST, 1 as ConnectionId);
    guest.peer.connect(HOST, 1 as ConnectionId);
    for (let tick = 1; tick <= 30; tick++) {
      for (const world of [host, guest]) {
        world.receive(tick * TICK_MS);
        world.tick(tick * TICK_MS, playerInput());
      }
    }
    expect([host.peer.diagnostics.term, guest.peer.diagnostics.term]).toEqual([term, term]);
    host.dispose();
    guest.dispose();
  });

  test('[W9.1] sends within the limits of its owner', () => {
    const { transports } = createLoopback({ seed: 1, slots: 2 });
    const place = { slot: HOST, host: HOST, name: 'Ada' };
    const begin = (eachKbps: number): World =>
      new World(GAME, SCENE, place, transports[HOST], { limits: { eachKbps, allKbps: 1000 } });
    expect(() => begin(31), 'a peer needs 32 kbit/s').toThrow(RangeError);
    begin(32).dispose();
  });

  test('[V1.3] shares the values of the game’s schema', () => {
    const schema = sharedSchema({ room: { round: field.number({ from: 1, to: 9 }) } });
    const { transports } = createLoopback({ seed: 1, slots: 2 });
    const place = { slot: HOST, host: HOST, name: 'Ada' };
    const world = new World({ ...GAME, schema }, SCENE, place, transports[HOST]);
    expect(world.peer.shared(schema).room.set('round', 2)).toBeNull();
    const other = sharedSchema({ room: { round: field.flag() } });
    expect(() => world.peer.shared(other)).toThrow('another schema');
    world.dispose();
    const plain = new World(GAME, SCENE, place, transports[HOST]);
    expect(() => plain.peer.shared(schema)).toThrow('another schema');
    plain.dispose();
  });
});
