import { describe, expect, test } from 'vitest';
import { GuestDesk, WELCOME } from './guest-desk.ts';

const FULL = { kind: 'refuse', reason: 'full', version: 1 } as const;

/** A guest whose line to its host has broken, and that asks to come in on line 2. */
function asking(): GuestDesk {
  const desk = GuestDesk.inside();
  desk.run(5000);
  desk.closed(1);
  desk.run(20);
  desk.opened(2);
  desk.done();
  return desk;
}

describe('[F3.11] a guest that was in the room, and that the next host takes for a newcomer', () => {
  test('asks again when all seats wait for others, and comes in', () => {
    const desk = asking();
    desk.receive(2, FULL);
    expect(desk.status).toBe('lost');
    desk.run(2100);
    expect(desk.done()).toContain('open');
    desk.opened(3);
    desk.receive(3, WELCOME);
    expect(desk.status).toBe('here');
  });

  test('is told after 30 s that it has lost the room', () => {
    const desk = asking();
    for (let line = 3; desk.status === 'lost' && desk.now < 60_000; line++) {
      desk.receive(line - 1, FULL);
      desk.run(2100);
      if (desk.done().includes('open')) desk.opened(line);
    }
    expect(desk.status).toBe('ended: lost');
  });

  test('is told at once that the room is locked', () => {
    const desk = asking();
    desk.receive(2, { ...FULL, reason: 'locked' });
    expect(desk.status).toBe('ended: locked');
  });
});
