import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
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

  test('[N3.4] that was removed does not come back, though it was invited', () => {
    const desk = new HostDesk();
    desk.room.invited = SERVER;
    desk.admit(1, DEDICATED, { key: SERVER });
    desk.room.remove(slot(DEDICATED_SLOT));
    expect(desk.greet(2, DEDICATED, { key: SERVER })).toMatchObject({ kind: 'refuse', reason: 'removed' });
  });
});
