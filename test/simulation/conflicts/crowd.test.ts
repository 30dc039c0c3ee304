import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation, loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { HostileGuest } from '../../support/hostile-guest.ts';

beforeAll(loadPhysics);

const HOSTILE = 1 as Slot;
/** Bodies that each packet of the hostile guest puts into its place. */
const A_PACKET = 32;

/** A host with 128 cubes at rest, and a guest whose page puts them where it likes. */
function besieged(): { readonly room: RoomHarness; readonly guest: HostileGuest } {
  const scene = { id: 'grid', seed: 3, count: 128 };
  const room = new RoomHarness(
    { players: 2, scene, bots: 'chaos', seed: 5, conditions: { latencyMs: 20 }, quietFrom: 0 },
    createRapierSimulation,
  );
  onTestFinished(() => {
    room.dispose();
  });
  const guest = new HostileGuest(room, HOSTILE);
  for (let step = 0; step < 120; step++) room.step();
  return { room, guest };
}

/** Pairs of bodies that the host's engine compares, at the most, in two seconds of a behaviour. */
function mostPairs(room: RoomHarness): number {
  let most = 0;
  for (let step = 0; step < 120; step++) {
    room.step();
    const { neighbours } = room.peers[0].state.bodies.simulation.contacts;
    most = Math.max(most, neighbours.reduce((sum, { length }) => sum + length, 0) / 2);
  }
  return most;
}

/** From now on the guest takes all bodies, some in each packet, and puts each where `placeOf` says. */
function crowd(guest: HostileGuest, placeOf: (body: number) => readonly [number, number, number]): void {
  let next = 0;
  guest.behave(() => {
    const bodies = guest.bodies.slice(next, next + A_PACKET);
    next = (next + A_PACKET) % guest.bodies.length;
    return [guest.says(bodies.map((body) => guest.has(body, guest.stateAt(...placeOf(body)))))];
  });
}

test('[H9.5] a guest that puts all bodies into one place gives the host no more to compare than a heap does', () => {
  const { room, guest } = besieged();
  crowd(guest, () => [0.1, 3.1, 0.1]);
  // Without the clause it is each with each: 8,128.
  expect(mostPairs(room)).toBeLessThan(400);
  expect(room.peers[0].offences(HOSTILE)).toBeGreaterThan(1000);
});

test('[H9.5] nor does one that puts as many as it may into each cell', () => {
  const { room, guest } = besieged();
  crowd(guest, (body) => [((body >> 3) & 3) / 2 + 0.1, 3.1, (body >> 5) / 2 + 0.1]);
  expect(mostPairs(room)).toBeLessThan(128 * 40);
});
