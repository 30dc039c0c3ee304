import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { HostBye, Standing } from '../../../../src/core/room/messages.ts';
import { connection, SIGNATURE, slot } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';

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

describe('[F4.35] a page that has given its room away, and keeps its world', () => {
  const keeps = { connection: connection(0), term: 0, host: 'its own page' };

  /** It has asked the heir to let it in. */
  function asking(): GuestDesk {
    const desk = new GuestDesk({
      returns: true,
      back: LINE as LineId,
      heir: HEIR,
      keeps,
      colour: WELCOME.slot,
    });
    desk.receive(LINE, standing(HEIR));
    return desk;
  }

  test('says so to its heir, and follows it as its guests do', () => {
    const desk = asking();
    expect(desk.lastSent()).toMatchObject({ kind: 'join', keeps });
    desk.receive(LINE, WELCOME);
    desk.lastSent();
    expect(desk.effects.at(-1)).toMatchObject({ kind: 'enter', goesOn: true, follows: true });
  });

  test('begins a new world if the host that lets it in has not waited for it', () => {
    const desk = asking();
    desk.done();
    desk.receive(LINE, { ...WELCOME, goesOn: false });
    expect(desk.done()).toEqual([`enter on ${LINE}`]);
  });

  test('[F1] begins a new world in another slot, where it could be its own host', () => {
    const desk = asking();
    desk.done();
    desk.receive(LINE, { ...WELCOME, slot: slot(WELCOME.slot + 1) });
    expect(desk.done()).toEqual([`enter on ${LINE}`]);
  });

  test('has no claim on a world that it has never had', () => {
    const desk = giver();
    desk.receive(LINE, standing(HEIR));
    expect(desk.lastSent()).toMatchObject({ kind: 'join', keeps: null });
    desk.done();
    desk.receive(LINE, WELCOME);
    expect(desk.done()).toEqual([`enter on ${LINE}`]);
  });
});

describe('a guest whose host has said goodbye', () => {
  const bye: HostBye = { kind: 'bye', reason: 'host left', next: WELCOME.slot, handover: SIGNATURE };

  test.each([
    ['and comes, too', { ...bye, stays: true } as const, true],
    ['and is gone', bye, false],
  ])('[F4.35] and has made it host %s, waits for it or not', (_, message, awaitsHost) => {
    const desk = GuestDesk.inside();
    desk.receive(1, message);
    desk.run(20);
    expect(desk.room.claim?.awaitsHost).toBe(awaitsHost);
  });

  test('[F1] and says so again and again, goes on without it all the same', () => {
    const desk = GuestDesk.inside();
    for (let i = 0; i < 12; i++) {
      desk.receive(1, { ...bye, next: HEIR });
      desk.run(1000);
    }
    expect(desk.room.claim).not.toBeNull();
  });

  test('[F4.36] misses it, though its packets still come', () => {
    const desk = GuestDesk.inside();
    desk.receive(1, { ...bye, next: HEIR, stays: true });
    desk.run(1600);
    expect(desk.status).toBe('lost');
  });
});
