import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import { SETTLES_MS } from '../../../../src/core/room/silence.ts';
import { HostDesk } from './host-desk.ts';
import { keyOf } from '../../../support/keys.ts';
import { JOIN, slot, speaks } from '../samples.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

describe('[F3] a silent guest', () => {
  test('is lost after 1.5 s, and here at its next packet', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.run(SETTLES_MS);
    desk.silent.add(slot(1));
    desk.run(1450);
    expect(desk.presence(1)).toBe('here');
    desk.run(100);
    expect(desk.presence(1)).toBe('lost');
    desk.silent.clear();
    desk.run(50);
    expect(desk.presence(1)).toBe('here');
  });

  test('[F3.1] [F3.2] is away after 8 s, and its line is closed', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.silent.add(slot(1));
    desk.run(7900);
    expect(desk.done()).toEqual(['seat 1 on 1']);
    desk.run(200);
    expect(desk.done()).toEqual(['unseat 1', 'close on 1']);
    expect(desk.presence(1)).toBe('away');
  });

  test('is not counted as silent during pauses of the host: 10 s and 60 s', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.run(SETTLES_MS);
    desk.silent.add(slot(1));
    desk.stall(10_000);
    desk.stall(60_000);
    desk.run(800);
    expect(desk.presence(1)).toBe('here');
    desk.now -= 500;
    desk.run(600);
    expect(desk.presence(1)).toBe('lost');
  });

  test('[F3.3] keeps its seat for 30 s after it went; then the seat is free', () => {
    const desk = new HostDesk({ capacity: 2 });
    desk.admit(1);
    desk.send(1, { kind: 'bye', returns: true });
    desk.run(29_900);
    expect(desk.presence(1)).toBe('away');
    desk.run(200);
    expect(desk.presence(1)).toBeUndefined();
    expect(desk.admit(3).slot).toBe(1);
    desk.send(3, { kind: 'bye', returns: true });
    expect(desk.greet(4, {}, { key: keyOf('page 1') })).toMatchObject({ reason: 'full' });
  });

  test('frees its seat at once when it says that it won’t return', () => {
    const desk = new HostDesk({ capacity: 2 });
    const { slot } = desk.admit(1);
    desk.done();
    desk.send(1, { kind: 'bye', returns: false });
    desk.run(100);
    expect(desk.done()).toContain(`unseat ${slot}`);
    expect(desk.presence(slot)).toBeUndefined();
    expect(desk.admit(2).slot).toBe(slot);
  });
});

describe('[F3] a guest that comes back', () => {
  test('[H6.4] before it was absent keeps its connection on the new line', () => {
    const desk = new HostDesk();
    const { slot, connection, ...before } = desk.admit(1, {}, { page: 'page' });
    desk.send(1, speaks('on'));
    desk.run(100);
    desk.done();
    const keeps = { connection, term: 0, host: 'host' };
    const after = desk.admit(2, { keeps, voice: 'on' }, { page: 'page' });
    expect(after).toMatchObject({ slot, goesOn: true, connection, level: before.level });
    expect(desk.sent(1)).toEqual([]);
    expect(desk.done()).toEqual(['close on 1', `move ${slot} on 2`]);
    expect(after.roster.players[1]).toMatchObject({ presence: 'here', voice: 'on' });
    desk.room.lineClosed(1 as LineId);
    desk.run(100);
    expect(desk.presence(slot)).toBe('here');
  });

  test.each(['goodbye', 'closed', 'silent'] as const)(
    '[F3.1] [H6.3] after its absence (%s) has its slot, and begins anew',
    (way) => {
      const desk = new HostDesk();
      const { slot, connection } = desk.admit(1);
      if (way === 'goodbye') desk.send(1, { kind: 'bye', returns: true });
      if (way === 'closed') desk.room.lineClosed(1 as LineId);
      if (way === 'silent') desk.silent.add(slot);
      desk.run(9000);
      desk.silent.clear();
      desk.done();
      const after = desk.admit(2, { keeps: { connection, term: 0, host: 'host' } }, { key: keyOf('page 1') });
      expect(after).toMatchObject({ slot, goesOn: false });
      expect(after.connection).toBeGreaterThan(connection);
      expect(desk.done()).toEqual([`seat ${slot} on 2`]);
    },
  );

  test('on another page takes the place of the first page, which gets a goodbye', () => {
    const desk = new HostDesk();
    const { slot, connection } = desk.admit(1);
    desk.done();
    const after = desk.admit(2, {}, { key: keyOf('page 1') });
    expect(after.slot).toBe(slot);
    expect(after.connection).toBeGreaterThan(connection);
    expect(desk.sent(1)).toEqual([{ kind: 'bye', reason: 'opened elsewhere', next: null, handover: null }]);
    expect(desk.done()).toEqual([`unseat ${slot}`, 'close on 1', `seat ${slot} on 2`]);
  });

  test('[P1.5] has the page whose line opened last: what an earlier page asked arrives too late', () => {
    const desk = new HostDesk();
    const key = keyOf('page 2');
    desk.open(1, { key });
    desk.run(1000);
    const { slot } = desk.admit(2, {}, { key });
    desk.done();
    desk.send(1, { ...JOIN, colour: null, keeps: null });
    desk.tick();
    expect(desk.sent(1)).toEqual([{ kind: 'bye', reason: 'opened elsewhere', next: null, handover: null }]);
    expect(desk.done()).toEqual(['close on 1']);
    expect(desk.presence(slot)).toBe('here');
  });

  test('with another key is a new player, whatever connection it names', () => {
    const desk = new HostDesk();
    const { slot, connection } = desk.admit(1);
    desk.done();
    for (const line of [2, 3]) {
      const welcome = desk.admit(line, { colour: slot, keeps: { connection, term: 0, host: 'host' } });
      expect(welcome.slot).not.toBe(slot);
      expect(welcome.goesOn).toBe(false);
    }
    expect(desk.sent(1).every(({ kind }) => kind === 'roster')).toBe(true);
    expect(desk.presence(slot)).toBe('here');
  });

  test('gets the level that was chosen in the meantime', () => {
    const desk = new HostDesk();
    const { slot, connection } = desk.admit(1);
    desk.admit(2);
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    desk.done();
    const level = chooseLevel({ id: 'tower', seed: 3 });
    desk.room.setLevel(level);
    desk.tick();
    expect(desk.sent(2)).toContainEqual({ kind: 'level', level, connection: 3, why: 'choice' });
    expect(desk.done()).toEqual(['seat 2 on 2']);
    expect(
      desk.admit(3, { keeps: { connection, term: 0, host: 'host' } }, { key: keyOf('page 1') }),
    ).toMatchObject({
      slot,
      level,
      connection: 4,
    });
  });
});
