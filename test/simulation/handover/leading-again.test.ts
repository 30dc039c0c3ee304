import { expect, test } from 'vitest';
import { MAX_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import { expectAgreed, roomWith } from './rooms.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

test('[F4.19] [H8.1] a host that stepped down for one that is gone by then is host again, and a friend finds it', () => {
  const room = roomWith(2);
  const host = room.at(0);
  host.stalledUntil = room.now + 5000;
  room.runUntil('the host steps down', () => host.yielded === 1, 8000);
  for (const page of room.pages.filter((other) => other !== host)) room.cut(page);
  room.runUntil('it is host again', () => host.isHost, 32_000);
  expect(host.slot).toBe(0);
  room.run(2000);
  room.join();
  room.run(6000);
  expect(room.pages).toHaveLength(2);
  expectAgreed(room);
  const [of, term] = [room.pages.map(({ peer }) => peer?.diagnostics.term), host.member.host?.tenure.term];
  expect(of).toEqual([term, term]);
});

test('[F4.27] a host alone whose door another room has gives way once, then plays on in its own room', () => {
  const room = roomWith(1);
  const guest = room.at(1);
  room.isBrokerAlive = false;
  room.cut(room.at(0));
  room.runUntil('the guest goes on alone', () => guest.isHost, 32_000);
  // Meanwhile somebody else has opened a room under the same code.
  room.isBrokerAlive = true;
  room.door = null;
  guest.stalledUntil = room.now + 1000;
  const other = room.open({
    role: 'host',
    options: { slot: 4 as Slot, level: chooseLevel({ id: 'pile', seed: 2 }), capacity: MAX_ROOM_PLAYERS },
  });
  room.runUntil('it gives way', () => guest.yielded === 1, 30_000);
  room.runUntil('it is host again', () => guest.isHost, 34_000);
  const { peer } = guest;
  room.run(90_000);
  expect([guest.isHost, guest.yielded, guest.peer === peer]).toEqual([true, 1, true]);
  expect([other.isHost, other.yielded]).toEqual([true, 0]);
});

test('[F4.7] the only guest that is left goes on, though the broker keeps the door of the host that is gone', () => {
  const room = roomWith(2);
  const guest = room.at(2);
  for (const page of [room.at(0), room.at(1)]) room.cut(page);
  if (room.door !== null) room.door.goneAt = Infinity;
  room.runUntil('it is host', () => guest.isHost, 28_000);
});
