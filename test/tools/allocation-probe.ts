import { bytesPerCall, leastBytes } from '../../src/tools/bench/allocation.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { field } from '../../src/core/shared/field.ts';
import { sharedSchema } from '../../src/core/shared/schema.ts';
import { LeanRoom } from '../../src/harness/lean-room.ts';

/**
 * Measures the figures that allocation.slow.test.ts judges, in a process of its own, and prints them: bytes of a tick
 * of each peer, and of a whole step of the room, receiving and sending included, for each peer of it.
 */

/** Calls in a batch. */
const CALLS = 60;
/** Low enough to believe. */
const FEW_BYTES = 300;
const CUBES = [64, 256];

const SCHEMA = sharedSchema({
  room: { round: field.number({ from: 1, to: 9 }) },
  players: { self: { ready: field.flag() } },
  bodies: { authority: { label: field.text(24) } },
  events: { horn: {} },
});

/** Keeps new objects, so that the compiler makes them at all. */
const kept: unknown[] = [null];

const rooms = CUBES.map((cubes) => {
  const room = new LeanRoom(cubes);
  for (let tick = 0; tick < 200; tick++) room.step();
  return room;
});
const steps = rooms.map((room) => {
  const { length } = room.peers;
  return leastBytes(() => room.step(), CALLS, FEW_BYTES * length) / length;
});
/** [V] A room in which values were written and an event was emitted, and nothing changes any more. */
const shared = new LeanRoom(CUBES[0], SCHEMA);
const [host, guest] = shared.peers.map((peer) => peer.shared(SCHEMA));
for (let tick = 0; tick < 200; tick++) {
  if (tick === 10) host.room.set('round', 3);
  if (tick === 20) guest.players.set(1 as Slot, 'ready', true);
  if (tick === 30) guest.emit('horn', {});
  shared.step();
}
const sharedStep = leastBytes(() => shared.step(), CALLS, FEW_BYTES * 2) / 2;
const ticks = rooms[0].peers.map((peer) => leastBytes(() => peer.tick(rooms[0].input), CALLS, FEW_BYTES));
const array = bytesPerCall(() => (kept[0] = new Array<number>(64).fill(0)), CALLS);
console.log(JSON.stringify({ ticks, steps, sharedStep, array }));
