import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import type { Standing } from '../../../src/core/room/messages.ts';
import { HandoverRoom } from '../../support/handover/handover-room.ts';

/** Milliseconds for which a liar lies: longer than a guest waits for a lost host. */
const LIES_MS = 40_000;

function roomWith(guests: number): HandoverRoom {
  const room = new HandoverRoom(1);
  room.run(1500);
  for (let i = 0; i < guests; i++) {
    room.join();
    room.run(1000);
  }
  room.run(6000);
  expect(room.differences()).toEqual([]);
  return room;
}

/** The page in this slot says on all its lines, ten times a second, what no honest page says. */
function lie(room: HandoverRoom, slot: number, standing: Partial<Standing>, ms = LIES_MS): void {
  const liar = room.at(slot);
  const term = nextTerm(0, slot as Slot);
  const lied = { kind: 'standing', host: slot, term, hears: true, vote: slot, ...standing };
  let ticks = 0;
  room.run(ms, () => {
    if (ticks++ % 6 === 0) for (const end of liar.ends.values()) end.say(room.now, JSON.stringify(lied));
  });
}

/** How often each page became host or stepped down; whom it has for its host. */
function historyOf(room: HandoverRoom): readonly (readonly [number, number, number | undefined])[] {
  return room.pages.map(({ led, yielded, member }) => [led, yielded, member.roster?.host]);
}

describe('[F4] a guest that lies about who is host', () => {
  test.each([2, 3, 7])('[F4.9] takes over no healthy room with %d guests, by naming itself', (guests) => {
    const room = roomWith(guests);
    lie(room, guests, {});
    expect(historyOf(room)).toEqual(room.pages.map(() => [0, 0, 0]));
    expect(room.differences()).toEqual([]);
  });

  test.each([3, 7])(
    '[F4.9] takes over no healthy room with %d guests, by naming an innocent guest',
    (guests) => {
      const room = roomWith(guests);
      lie(room, guests, { host: 1 as Slot, term: nextTerm(0, 1 as Slot) });
      expect(historyOf(room)).toEqual(room.pages.map(() => [0, 0, 0]));
      expect(room.differences()).toEqual([]);
    },
  );

  test('[F4.10] does not make the host of a room of two step down', () => {
    const room = roomWith(1);
    lie(room, 1, {});
    expect(historyOf(room)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  test('[F4.9] ends nobody’s play by naming a player that is not there', () => {
    const room = roomWith(3);
    lie(room, 3, { host: 6 as Slot, term: nextTerm(0, 6 as Slot) });
    expect(room.pages.map(({ member }) => member.guest?.status.kind ?? 'host')).toEqual([
      'host',
      'here',
      'here',
      'here',
    ]);
    expect(room.differences()).toEqual([]);
  });

  test('[F4.17] does not keep a guest whose host stumbled: it turns back to its own host', () => {
    const room = roomWith(3);
    const victim = room.at(1);
    for (const end of victim.ends.values()) {
      if (end.page === room.at(0).id) end.silence(room.now + 3000);
    }
    lie(room, 3, {});
    expect(victim.member.roster?.host).toBe(0);
    expect(room.differences()).toEqual([]);
  });

  test('[F4.7] delays the next host by saying that it hears the dead one, and does no more', () => {
    const room = roomWith(3);
    room.crash(room.at(0));
    lie(room, 3, { host: 0 as Slot, term: 0, vote: null }, 30_000);
    const honest = room.pages.filter((page) => page !== room.at(3));
    expect(honest.map(({ isHost }) => isHost).sort()).toEqual([false, true]);
    expect(new Set(honest.map(({ member }) => member.roster?.host)).size).toBe(1);
  });

  test.each([2, 3, 5])(
    '[F4.20] keeps %d others without a host by asking for their votes and never leading: they pass it over',
    (honest) => {
      const room = roomWith(honest + 1);
      const liar = room.at(1);
      room.crash(room.at(0));
      // Its page says what it is made to say, and does nothing else.
      liar.stalledUntil = Infinity;
      lie(room, 1, { host: 0 as Slot, term: 0, hears: false, vote: 1 as Slot });
      const others = room.pages.filter((page) => page !== liar);
      expect(others.map(({ member }) => member.guest?.status.kind ?? 'host').sort()).toEqual([
        ...Array.from({ length: honest - 1 }, () => 'here'),
        'host',
      ]);
      expect(new Set(others.map(({ member }) => member.roster?.host)).size).toBe(1);
    },
  );

  test('[F4.20] keeps one other without a host by missing the host, and voting for nobody: it is passed over', () => {
    const room = roomWith(2);
    const [liar, other] = [room.at(1), room.at(2)];
    room.crash(room.at(0));
    liar.stalledUntil = Infinity;
    lie(room, 1, { host: 0 as Slot, term: 0, hears: false, vote: null });
    expect(other.isHost, room.describe()).toBe(true);
  });
});
