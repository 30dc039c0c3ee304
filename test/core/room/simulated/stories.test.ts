import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { SETTLES_MS } from '../../../../src/core/room/silence.ts';
import { House } from './house.ts';
import type { HouseOptions } from './house.ts';
import type { GuestPage } from './pages.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

/** Milliseconds in which every guest with a good line is in the room. */
const IN_MS = 3000;

/** A house with this many guests, all in the room and settled. */
function houseWith(
  count: number,
  options: Partial<HouseOptions> = {},
): { house: House; guests: GuestPage[] } {
  const house = new House({ seed: 1, capacity: 8, ...options });
  const guests = Array.from({ length: count }, () => house.guest());
  house.run(IN_MS);
  for (const guest of guests) expect(statusOf(guest)).toBe('here');
  return { house, guests };
}

function statusOf({ room: { status } }: GuestPage): string {
  return status.kind === 'ended' ? `ended: ${status.why}` : status.kind;
}

/** The presence of this guest's slot in the host's roster. */
function presenceOf(house: House, slot: Slot | undefined): string {
  return house.host.room.roster.players.find((player) => player.slot === slot)?.presence ?? 'none';
}

function slotOf(guest: GuestPage): Slot | undefined {
  return guest.place?.slot;
}

describe('a house', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'for %d has so many players, and tells others that it is full',
    (capacity) => {
      const { house, guests } = houseWith(capacity - 1, { capacity, hostSlot: 3 as Slot });
      const late = house.guest();
      house.run(IN_MS);
      expect(statusOf(late)).toBe('ended: full');
      expect(new Set(guests.map(slotOf)).size).toBe(capacity - 1);
      expect(house.host.room.roster.players).toHaveLength(capacity);
    },
  );

  test('[F4.6] gets a new host at once when its host leaves: the lowest slot', () => {
    const { house, guests } = houseWith(3);
    house.host.room.close();
    house.run(1000);
    const leads = guests.filter(({ room }) => room.claim !== null);
    expect(leads.map(slotOf)).toEqual([1]);
  });

  test('[F4.7] has as host each guest that hears nobody and finds nobody at the door', () => {
    const { house, guests } = houseWith(2);
    for (const end of house.host.ends.values()) end.break(house.now, house.random);
    house.host.stalledUntil = Infinity;
    house.door = 'not found';
    house.run(15_000);
    const home = { host: 0, term: 0 };
    expect(guests.map(({ room }) => room.claim?.home)).toEqual([home, home]);
  });

  test('[H6.3] gets its guests back in new worlds when its host’s page is loaded again', () => {
    const { house, guests } = houseWith(3);
    house.replaceHost();
    house.run(15_000);
    for (const guest of guests) {
      expect(statusOf(guest)).toBe('here');
      expect(guest.entered).toEqual({ anew: 2, goingOn: 0 });
    }
    house.checkQuiet();
  });

  test('[F3] goes on after its host has paused for ten seconds', () => {
    const { house, guests } = houseWith(3);
    house.host.stalledUntil = house.now + 10_000;
    house.run(40_000);
    for (const guest of guests) expect(statusOf(guest)).toBe('here');
    house.checkQuiet();
  });

  test('[F4.7] is led by whoever hears nobody, if its host has paused for a minute', () => {
    const { house, guests } = houseWith(3);
    house.host.stalledUntil = house.now + 60_000;
    house.run(28_000);
    for (const guest of guests) expect(guest.room.claim).toMatchObject({ home: { host: 0 } });
  });
});

describe('[F3] a guest', () => {
  test('with a line that is silent for 5 s is lost in the meantime, and keeps its connection', () => {
    const { house, guests } = houseWith(2);
    const [guest] = guests;
    house.run(SETTLES_MS);
    guest.place?.end?.silence(house.now + 5000);
    house.run(2500);
    expect([statusOf(guest), presenceOf(house, slotOf(guest))]).toEqual(['lost', 'lost']);
    house.run(6000);
    expect(guest.entered).toEqual({ anew: 1, goingOn: 1 });
    house.checkQuiet();
  });

  test('[H6.4] with a dead line goes on over another line within 5 s: nothing is lost', () => {
    const { house, guests } = houseWith(2);
    const [guest] = guests;
    guest.place?.end?.silence(Infinity);
    house.run(5000);
    expect(guest.entered).toEqual({ anew: 1, goingOn: 1 });
    expect(statusOf(guest)).toBe('here');
    house.checkQuiet();
  });

  test('[F3.1] [F3.3] that can’t connect for 10 s keeps its slot, and begins a new world', () => {
    const { house, guests } = houseWith(2);
    const [guest] = guests;
    const slot = slotOf(guest);
    guest.place?.end?.silence(Infinity);
    house.door = 'no broker';
    house.run(10_000);
    expect([statusOf(guest), presenceOf(house, slot)]).toEqual(['lost', 'away']);
    house.door = 'open';
    house.run(12_000);
    expect(guest.entered).toEqual({ anew: 2, goingOn: 0 });
    expect(slotOf(guest)).toBe(slot);
    house.checkQuiet();
  });

  test('that reloads its page gets its slot back', () => {
    const { house, guests } = houseWith(4);
    const slot = slotOf(guests[2]);
    const again = house.reload(guests[2]);
    house.run(8000);
    expect([statusOf(again), slotOf(again)]).toEqual(['here', slot]);
    house.checkQuiet();
  });

  test('[F3.3] that stays away for 40 s finds its seat taken', () => {
    const { house, guests } = houseWith(1, { capacity: 2 });
    const [{ key, place }] = guests;
    house.vanish(guests[0]);
    house.run(7000);
    const early = house.guest();
    house.run(2000);
    expect(statusOf(early)).toBe('ended: full');
    house.run(31_000);
    const heir = house.guest();
    house.run(IN_MS);
    expect([statusOf(heir), slotOf(heir)]).toEqual(['here', place?.slot]);
    const former = house.guest({ key });
    house.run(IN_MS);
    expect([statusOf(former), statusOf(heir)]).toEqual(['ended: full', 'here']);
  });

  test('[F3.4] that vanished 20 s ago has lost its seat to a newcomer, if the room is full', () => {
    const { house, guests } = houseWith(2, { capacity: 3 });
    const [{ key, place }] = guests;
    house.vanish(guests[0]);
    house.run(20_000);
    const heir = house.guest();
    house.run(IN_MS);
    expect([statusOf(heir), slotOf(heir)]).toEqual(['here', place?.slot]);
    const former = house.guest({ key });
    house.run(IN_MS);
    expect([statusOf(former), statusOf(heir), statusOf(guests[1])]).toEqual(['ended: full', 'here', 'here']);
  });

  test('ends as ‘opened elsewhere’ when its seat opens on another page', () => {
    const { house, guests } = houseWith(2);
    const other = house.double(guests[0]);
    house.run(IN_MS);
    expect([statusOf(guests[0]), statusOf(other)]).toEqual(['ended: opened elsewhere', 'here']);
    expect(slotOf(other)).toBe(slotOf(guests[0]));
  });

  test('does not end so by its own second hello, though the first comes after it has given up on the answer', () => {
    const { house, guests } = houseWith(2);
    const [guest] = guests;
    guest.place?.end?.silence(house.now + 20_000);
    house.runUntil(() => house.host.ends.size === 3, 5000, 'the guest dials again');
    house.runUntil(() => [...guest.ends.values()].at(-1)?.isBusy === true, 1000, 'the host says nothing yet');
    const [, , second] = house.host.ends.values();
    house.runUntil(() => second.wasOpened, 1000, 'the host has the new line');
    house.host.stalledUntil = house.now + 12_500;
    house.run(40_000);
    expect(statusOf(guest)).toBe('here');
    house.checkQuiet();
  });

  test.each([10_000, 60_000])(
    '[F3.1] that pauses for %d ms is away after eight seconds, and comes back',
    (pause) => {
      const { house, guests } = houseWith(2);
      const [guest] = guests;
      const slot = slotOf(guest);
      house.run(SETTLES_MS);
      guest.stalledUntil = house.now + pause;
      house.run(7500);
      expect(presenceOf(house, slot)).toBe('lost');
      house.run(1000);
      expect(presenceOf(house, slot)).toBe('away');
      house.run(pause);
      expect([statusOf(guest), slotOf(guest)]).toEqual(['here', slot]);
      house.run(10_000);
      house.checkQuiet();
    },
  );

  test('that is away when the level changes gets the new level', () => {
    const { house, guests } = houseWith(2);
    const [guest] = guests;
    guest.stalledUntil = house.now + 12_000;
    house.run(9000);
    house.host.setLevel(chooseLevel({ id: 'tower', seed: 9 }));
    house.run(15_000);
    for (const { room } of guests) expect(room.level).toEqual(chooseLevel({ id: 'tower', seed: 9 }));
    house.checkQuiet();
  });
});
