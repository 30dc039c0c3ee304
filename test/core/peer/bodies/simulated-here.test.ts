import { expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import type { Peer } from '../../../../src/core/peer/peer.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import { runRoom } from '../../../support/run-room.ts';

/** The phases of a tick that go by the mask. */
const PHASES = [
  'writeReceived',
  'showReceived',
  'updateRest',
  'writeBack',
  'step',
  'updateRecords',
  'showOwn',
] as const;

/** Calls `look` before every phase of every tick of a peer. */
function watch(peer: Peer, look: (phase: string) => void): void {
  const { bodies } = peer.state;
  for (const phase of PHASES) {
    const run = bodies[phase].bind(bodies) as (...rest: unknown[]) => void;
    bodies[phase] = (...rest: unknown[]): void => {
      look(phase);
      run(...rest);
    };
  }
}

test('the mask of simulated bodies is what authority and host say, in every phase of every tick', async () => {
  await loadPhysics();
  const seed = 2;
  const watched = new Set<Peer>();
  const faults = new Set<string>();
  /** How often authority was taken and given back between two phases of one tick. */
  const changes = { taken: 0, returned: 0 };
  runRoom(`--players 3 --bots chaos --scene grid --count 24 --seconds 12 --seed ${seed}`, (room) => {
    for (const peer of room.peers) {
      if (watched.has(peer)) continue;
      watched.add(peer);
      const { bodies } = peer.state;
      const before = bodies.simulatedHere.slice();
      watch(peer, (phase) => {
        for (let i = 0; i < bodies.count; i++) {
          const isHere = peer.simulates(i as BodyId) ? 1 : 0;
          if (bodies.simulatedHere[i] !== isHere) faults.add(`seed ${seed}: ${phase}, body ${i}`);
          if (phase === 'writeBack' && before[i] > isHere) changes.returned++;
          if (phase === 'updateRecords' && before[i] < isHere) changes.taken++;
          before[i] = isHere;
        }
      });
    }
  });
  expect([...faults]).toEqual([]);
  expect(watched.size).toBe(3);
  expect(
    Math.min(changes.taken, changes.returned),
    `seed ${seed}: authority changed within ticks`,
  ).toBeGreaterThan(0);
});
