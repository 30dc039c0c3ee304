import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT, MAX_SERVER_ROOM_PLAYERS } from '../../../src/core/base/constants.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import type { RosterPlayer } from '../../../src/core/room/messages.ts';
import { keyOf } from '../../support/keys.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { GuestDesk, WELCOME } from './guest/guest-desk.ts';
import { HostDesk } from './host/host-desk.ts';
import { ROSTER, slot } from './samples.ts';

const SERVER = slot(DEDICATED_SLOT);

function dedicated(capacity = MAX_SERVER_ROOM_PLAYERS): HostDesk {
  return new HostDesk({ slot: SERVER, capacity });
}

describe('the dedicated host of a large room', () => {
  test('[N8.1] lets 31 people in, each into a slot of its own, and no more', () => {
    const desk = dedicated();
    const slots = Array.from({ length: MAX_SERVER_ROOM_PLAYERS }, (_, i) => desk.admit(i + 1).slot);
    expect(slots).toEqual(Array.from({ length: MAX_SERVER_ROOM_PLAYERS }, (_, i) => i));
    expect(desk.greet(99)).toMatchObject({ kind: 'refuse', reason: 'full' });
  });

  test('[N8.1] gives the slot that is wished for, which a small room has not', () => {
    expect(dedicated().admit(1, { colour: slot(20) }).slot).toBe(20);
    expect(dedicated(8).admit(1, { colour: slot(20) }).slot).toBe(0);
    expect(new HostDesk({ capacity: 8 }).admit(1, { colour: slot(20) }).slot).toBe(1);
  });

  test.each([0, 32, 9.5, NaN])(
    '[N8.1] holds no %s people, and no person is host of more than eight',
    (many) => {
      expect(() => dedicated(many)).toThrow(RangeError);
      expect(() => new HostDesk({ capacity: 9 })).toThrow('a room holds 1 to 8 players, not 9');
    },
  );

  test('[N8.2] signs no roster, which nobody could use as evidence for a change of host', () => {
    const desk = dedicated();
    desk.admit(1);
    desk.run(1000);
    expect([desk.signed, desk.room.roster.signature]).toEqual([[], null]);
  });

  test('[N8.1] a room stays large, or small', () => {
    expect(() => dedicated(9).room.setCapacity(8)).toThrow("a room for 9 players can't become one for 8");
    expect(() => dedicated(8).room.setCapacity(9)).toThrow(RangeError);
    dedicated(9).room.setCapacity(31);
  });

  test('[N8.2] names nobody as the next host when it ends; that of a small room does', () => {
    const heirs = [dedicated(9), dedicated(8)].map((desk) => {
      desk.admit(1);
      desk.admit(2);
      desk.run(1000);
      desk.sent(1);
      desk.room.close();
      desk.gather();
      return desk.sent(1).find(({ kind }) => kind === 'bye');
    });
    expect(heirs).toMatchObject([
      { reason: 'host left', next: null },
      { reason: 'host left', next: 0 },
    ]);
  });

  test('[N8.3] sends a roster twice a second at most', () => {
    const desk = dedicated();
    desk.admit(1);
    desk.run(2000);
    desk.sent(1);
    const from = desk.now;
    for (let line = 2; line < 8; line++) {
      desk.admit(line);
      desk.run(100);
    }
    const rosters = desk.sent(1).filter(({ kind }) => kind === 'roster').length;
    expect(rosters).toBeGreaterThan(0);
    expect(rosters).toBeLessThanOrEqual(1 + Math.ceil((desk.now - from) / 500));
  });

  test('[N8.3] sends new round trips every 10 s at most, and a newcomer soon', () => {
    const desk = dedicated();
    desk.admit(1);
    desk.run(11_000);
    desk.sent(1);
    for (let i = 0; i < 60; i++) {
      desk.roundTripMs = 40 + i;
      desk.run(500);
    }
    expect([2, 3]).toContain(desk.sent(1).length);
    desk.admit(2);
    expect(desk.sent(1).some(({ kind }) => kind === 'roster')).toBe(true);
  });

  test('[N8.3] sends few rosters to all, however often one guest changes its profile', () => {
    const desk = dedicated();
    desk.admit(1);
    desk.admit(2);
    desk.run(3000);
    desk.sent(1);
    for (let i = 0; i < 50; i++) {
      desk.send(2, { kind: 'profile', ...newProfile(`Eve ${i}`) });
      desk.run(200);
    }
    expect([4, 5, 6]).toContain(desk.sent(1).length);
    desk.run(2500);
    expect(desk.sent(1).length).toBeLessThanOrEqual(1);
    expect(desk.room.roster.players[1].name).toBe('Eve 49');
  });
});

describe('a player of a large room', () => {
  const players: RosterPlayer[] = [
    { ...ROSTER.players[0], slot: SERVER },
    { ...ROSTER.players[1], slot: slot(2), presence: 'here' },
    { ...ROSTER.players[1], slot: slot(1), presence: 'here', id: 'page of Bo', key: keyOf('Bo') },
  ];
  const inside = (capacity: number, count = players.length): GuestDesk => {
    const desk = new GuestDesk();
    desk.opened(1);
    const roster = { ...ROSTER, host: SERVER, capacity, players: players.slice(0, count) };
    desk.receive(1, { ...WELCOME, roster });
    desk.run(100);
    return desk;
  };

  test('[N8.2] dials no other player, and closes the line of one that dials it', () => {
    expect(inside(8).done()).toContain('dial');
    const desk = inside(9);
    expect(desk.done()).not.toContain('dial');
    desk.room.lineOpened(7 as LineId, { page: 'page of Bo', key: keyOf('Bo') });
    expect(desk.done()).toEqual(['close on 7']);
  });

  test('[N8.2] refuses a roster by which its room would become small', () => {
    const desk = inside(9);
    desk.receive(1, { kind: 'roster', roster: { ...ROSTER, host: SERVER, capacity: 8, players } });
    expect([desk.room.roster?.capacity, desk.room.rejected]).toEqual([9, { 'roster of another room': 1 }]);
  });

  test('[N8.2] that misses its host neither votes nor leads: it looks for the host for 30 s', () => {
    const desk = inside(9, 2);
    desk.isSilent = true;
    desk.run(29_000);
    expect([desk.room.claim, desk.status]).toEqual([null, 'lost']);
    const done = desk.done();
    expect(done).toContain('open');
    expect(done.some((one) => one.includes('standing'))).toBe(false);
    desk.run(2000);
    expect(desk.status).toBe('ended: lost');
    const alone = inside(8, 2);
    alone.isSilent = true;
    alone.run(29_000);
    expect(alone.room.claim, 'in a small room it leads').not.toBeNull();
  });
});
