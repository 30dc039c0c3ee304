import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import { DOOR_PREFIX } from '../../../../src/core/room/code.ts';
import { Seats } from '../../../../src/core/room/host/seats.ts';
import { newLineage } from '../../../../src/core/room/identity/lineage.ts';
import { pageIn } from '../../../../src/core/room/people.ts';
import { keyOf } from '../../../support/keys.ts';
import { slot } from '../samples.ts';
import { HostDesk } from './host-desk.ts';

const [SERVER, EVE] = [keyOf('the server'), keyOf('Eve')];
const DEDICATED = { colour: slot(DEDICATED_SLOT) };

describe('a dedicated host that asks to come in', () => {
  test('[N3.4] [N3.5] gets no answer before it is invited, and slot 31 afterwards', () => {
    const desk = new HostDesk();
    expect(desk.greet(1, DEDICATED, { key: SERVER })).toBeUndefined();
    expect(desk.done()).toContain('close on 1');
    expect(desk.room.rejected).toEqual({ 'not invited': 1 });
    desk.room.invited = SERVER;
    expect(desk.admit(2, DEDICATED, { key: SERVER }).slot).toBe(DEDICATED_SLOT);
    expect(desk.room.roster.players.map((player) => player.slot)).toEqual([0, DEDICATED_SLOT]);
  });

  test('[N3.4] [N1.2] comes into a full and locked room, too: it is no person', () => {
    const desk = new HostDesk({ capacity: 2 });
    desk.admit(1);
    desk.room.lock(true);
    desk.room.invited = SERVER;
    expect(desk.greet(2)).toMatchObject({ kind: 'refuse', reason: 'locked' });
    expect(desk.admit(3, DEDICATED, { key: SERVER }).slot).toBe(DEDICATED_SLOT);
    desk.room.lock(false);
    expect(desk.greet(4)).toMatchObject({ kind: 'refuse', reason: 'full' });
  });

  test('[N3.5] is never another page than the invited one, nor a second one beside it', () => {
    const desk = new HostDesk();
    desk.room.invited = SERVER;
    expect(desk.greet(1, DEDICATED, { key: EVE })).toBeUndefined();
    desk.admit(2, DEDICATED, { key: SERVER });
    desk.room.invited = EVE;
    expect(desk.greet(3, DEDICATED, { key: EVE })).toBeUndefined();
    expect(desk.room.rejected).toEqual({ 'not invited': 2 });
    // Without that wish it is a person as any other.
    expect(desk.admit(4, {}, { key: EVE }).slot).toBe(1);
  });

  test('[N3.5] never gets the slot of a host that is one itself', () => {
    expect(new Seats(slot(DEDICATED_SLOT), 8).hasPlaceOfDedicated).toBe(false);
    expect(new Seats(slot(0), 8).hasPlaceOfDedicated).toBe(true);
  });

  test('[N3.4] that was removed does not come back, though it was invited', () => {
    const desk = new HostDesk();
    desk.room.invited = SERVER;
    desk.admit(1, DEDICATED, { key: SERVER });
    desk.room.remove(slot(DEDICATED_SLOT));
    expect(desk.greet(2, DEDICATED, { key: SERVER })).toMatchObject({ kind: 'refuse', reason: 'removed' });
  });

  test('[N3.5] is not let in by a lineage that has another page in slot 31', () => {
    const seats = new Seats(slot(0), 8);
    expect(seats.expect({ key: EVE, page: 'page of Eve' }, slot(DEDICATED_SLOT))).toBe(true);
    expect(seats.all().map((guest) => guest.slot)).toEqual([1]);
  });

  test('[N3.2] [N3.5] comes in as anybody if it has founded the room and lost its seat, and so it leaves', () => {
    const desk = new HostDesk({
      tenure: { term: 1, lineage: newLineage(SERVER, 'a salt'), door: 'a door', home: null },
    });
    expect(desk.admit(1, DEDICATED, { key: SERVER }).slot).toBe(1);
  });
});

test('[F4.33] a line to the door has the page of its player, but not one that another player has, too', () => {
  const [ada, bo] = [
    { key: keyOf('Ada'), id: 'page of Ada' },
    { key: keyOf('Bo'), id: 'page of Bo' },
  ];
  const door = `${DOOR_PREFIX}ACDEF`;
  expect(pageIn([ada, bo], { key: ada.key, page: door })).toBe('page of Ada');
  expect(pageIn([ada, bo], { key: ada.key, page: 'another' })).toBe('another');
  expect(pageIn([ada, { ...bo, id: ada.id }], { key: ada.key, page: door })).toBe(door);
  expect(pageIn([ada], { key: bo.key, page: door })).toBeNull();
});
