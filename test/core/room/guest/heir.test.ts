import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Standing } from '../../../../src/core/room/messages.ts';
import { slot } from '../samples.ts';
import { GuestDesk } from './guest-desk.ts';

const LINE = 5;
const HEIR = slot(3);

/** A page that has just given its room to the player in slot 3, to which it has a line. */
function giver(): GuestDesk {
  return new GuestDesk({ returns: true, back: LINE as LineId, heir: HEIR });
}

/** The standing of a player that has this slot for the host. */
function standing(host: number): Standing {
  return { kind: 'standing', host: slot(host), term: 36, hears: true, vote: null, ballot: null };
}

describe('[F4.33] a page that has given its room away', () => {
  test('asks to come in once the heir says that it is host, and not before', () => {
    const desk = giver();
    desk.run(200);
    desk.receive(LINE, standing(0));
    expect(desk.done()).toEqual([]);
    desk.receive(LINE, standing(HEIR));
    expect(desk.done()).toEqual([`send join on ${LINE}`]);
    desk.receive(LINE, standing(HEIR));
    expect(desk.done()).toEqual([]);
  });

  test('does not ask on another line', () => {
    const desk = giver();
    desk.receive(LINE + 1, standing(HEIR));
    expect(desk.done()).toEqual([]);
  });

  test('goes to the door after two seconds, and still to an heir that is late', () => {
    const desk = giver();
    desk.run(1900);
    expect(desk.done()).toEqual([]);
    desk.run(200);
    expect(desk.done()).toEqual(['open']);
    desk.receive(LINE, standing(HEIR));
    expect(desk.done()).toEqual([`send join on ${LINE}`]);
  });
});
