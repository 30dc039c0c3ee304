import { beforeAll, expect, test } from 'vitest';
import { TICK_RATE } from '../../src/core/base/constants.ts';
import type { Traffic } from '../../src/core/peer/diagnostics/traffic.ts';
import { createRapierSimulation, loadPhysics } from '../../src/physics/rapier-simulation.ts';
import type { HarnessOptions } from '../../src/harness/room.ts';
import { RoomHarness } from '../../src/harness/room.ts';

beforeAll(loadPhysics);

/** kbit/s in the worst second, wherever it begins, of each direction out of the host and of all together. */
function worstSeconds(options: Partial<HarnessOptions>, seconds: number): { each: number; all: number } {
  const conditions = { latencyMs: 50, jitterMs: 50, loss: 0.05 };
  const scene = { id: 'pile', seed: 1, count: 64 } as const;
  const defaults = { players: 2, scene, bots: 'chaos', seed: 1, conditions, quietFrom: Infinity } as const;
  const room = new RoomHarness({ ...defaults, ...options }, createRapierSimulation);
  const [host, ...guests] = room.peers;
  const sent: number[][] = [];
  for (let step = 0; step < seconds * TICK_RATE; step++) {
    room.step();
    sent.push(guests.map(({ state }) => bitsOf(host.traffic(state.self))));
  }
  room.dispose();
  const [each, all] = [[0], [0]];
  for (let step = TICK_RATE; step < sent.length; step++) {
    const second = sent[step].map((bits, i) => (bits - sent[step - TICK_RATE][i]) / 1000);
    each.push(...second);
    all.push(second.reduce((a, b) => a + b, 0));
  }
  return { each: Math.max(...each), all: Math.max(...all) };
}

function bitsOf({ bytesSent }: Traffic): number {
  return bytesSent * 8;
}

test('[W9.1] 1024 cubes that fall fill 256 kbit/s, and no second has more', () => {
  const scene = { id: 'grid', seed: 1, count: 1024 } as const;
  const { each } = worstSeconds({ scene, bots: 'idle' }, 3);
  expect(each).toBeGreaterThan(230);
  expect(each).toBeLessThanOrEqual(256);
});

test('[W9.1] a host sends seven guests 1 Mbit/s in all at the most', () => {
  const { each, all } = worstSeconds({ players: 8 }, 4);
  expect(all).toBeGreaterThan(850);
  expect(all).toBeLessThanOrEqual(1000);
  expect(each).toBeLessThanOrEqual(1000 / 7);
});
