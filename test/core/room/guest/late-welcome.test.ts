import { describe, expect, test } from 'vitest';
import { GuestDesk, WELCOME } from './guest-desk.ts';

describe('a page that joins, and has asked to come in', () => {
  test('[F3.9] asks again on the next line that is there, if the welcome is late by 3 s', () => {
    const desk = new GuestDesk();
    desk.opened(1);
    desk.done();
    desk.run(2900);
    expect([desk.room.wantsLine, desk.room.takesLine]).toEqual([true, false]);
    desk.run(200);
    expect([desk.room.wantsLine, desk.room.takesLine]).toEqual([true, true]);
    desk.opened(2);
    expect(desk.done()).toEqual(['close on 1', 'send join on 2']);
    desk.receive(1, WELCOME);
    expect(desk.status).toBe('joining');
    desk.receive(2, WELCOME);
    expect(desk.done()).toEqual(['enter on 2']);
    expect([desk.status, desk.room.wantsLine]).toEqual(['here', false]);
  });

  test('[F3.9] goes on with the lines beside it when the line breaks on which it has asked', () => {
    const desk = new GuestDesk();
    desk.opened(1);
    desk.done();
    desk.closed(1);
    expect([desk.room.wantsLine, desk.room.takesLine, desk.done()]).toEqual([true, true, []]);
    desk.opened(2);
    expect(desk.done()).toEqual(['send join on 2']);
  });

  test('[F3.9] opens no line any more after 30 s, and waits for the welcome on the one that it has', () => {
    const desk = new GuestDesk();
    desk.run(25_000);
    desk.opened(1);
    desk.run(5100);
    expect([desk.status, desk.room.wantsLine]).toEqual(['joining', false]);
    desk.receive(1, WELCOME);
    expect(desk.status).toBe('here');
  });
});
