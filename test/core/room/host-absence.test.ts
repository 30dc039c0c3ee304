import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../src/core/room/seats.ts';
import { HostDesk } from './host-desk.ts';
import { connection, HELLO, slot } from './samples.ts';

describe('[F3] who is silent', () => {
  test('for a second and a half is shown as lost, and as here at the next packet', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.run(1000);
    desk.silent.add(slot(1));
    desk.run(1450);
    expect(desk.presence(1)).toBe('here');
    desk.run(100);
    expect(desk.presence(1)).toBe('lost');
    desk.silent.clear();
    desk.run(50);
    expect(desk.presence(1)).toBe('here');
  });

  test('for eight seconds is away, and its line is closed', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.silent.add(slot(1));
    desk.run(7900);
    expect(desk.done()).toEqual(['seat 1 on 1']);
    desk.run(200);
    expect(desk.done()).toEqual(['unseat 1', 'close on 1']);
    expect(desk.presence(1)).toBe('away');
  });

  test('is not blamed for pauses of the host: ten seconds, and sixty', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.silent.add(slot(1));
    desk.stall(10_000);
    desk.stall(60_000);
    desk.run(800);
    expect(desk.presence(1)).toBe('here');
    desk.now -= 500;
    desk.run(600);
    expect(desk.presence(1)).toBe('lost');
  });

  test('has its seat for 30 s after it went, and then it is anybody’s', () => {
    const desk = new HostDesk({ capacity: 2 });
    const { secret } = desk.admit(1);
    desk.say(1, { kind: 'bye', returns: true });
    desk.run(29_900);
    expect(desk.presence(1)).toBe('away');
    expect(desk.greet(2)).toMatchObject({ reason: 'full' });
    desk.run(200);
    expect(desk.presence(1)).toBeUndefined();
    expect(desk.admit(3).slot).toBe(1);
    desk.say(3, { kind: 'bye', returns: true });
    expect(
      desk.greet(4, { seat: { slot: slot(1), secret, connection: connection(1), term: 0 } }),
    ).toMatchObject({
      reason: 'full',
    });
  });

  test('frees its seat at once when it says that it won’t return', () => {
    const desk = new HostDesk({ capacity: 2 });
    const { slot } = desk.admit(1);
    desk.done();
    desk.say(1, { kind: 'bye', returns: false });
    desk.run(100);
    expect(desk.done()).toContain(`unseat ${slot}`);
    expect(desk.presence(slot)).toBeUndefined();
    expect(desk.admit(2).slot).toBe(slot);
  });
});

describe('[F3] who comes back', () => {
  test('before it was missed goes on over its new line as it was', () => {
    const desk = new HostDesk();
    const { slot, secret, connection, ...before } = desk.admit(1, {}, 'page');
    desk.say(1, { kind: 'voice', voice: 'on' });
    desk.run(100);
    desk.done();
    const after = desk.admit(2, { seat: { slot, secret, connection, term: 0 } }, 'page');
    expect(after).toMatchObject({ slot, secret, connection, scene: before.scene });
    expect(desk.said(1)).toEqual([]);
    expect(desk.done()).toEqual(['close on 1', `move ${slot} on 2`]);
    expect(after.roster.players[1]).toMatchObject({ presence: 'here', voice: 'on' });
    desk.room.closed(1 as LineId);
    desk.run(100);
    expect(desk.presence(slot)).toBe('here');
  });

  test.each(['goodbye', 'closed', 'silent'] as const)(
    'after its absence (%s) has its slot, and begins anew',
    (way) => {
      const desk = new HostDesk();
      const { slot, secret, connection } = desk.admit(1);
      if (way === 'goodbye') desk.say(1, { kind: 'bye', returns: true });
      if (way === 'closed') desk.room.closed(1 as LineId);
      if (way === 'silent') desk.silent.add(slot);
      desk.run(9000);
      desk.silent.clear();
      desk.done();
      const after = desk.admit(2, { seat: { slot, secret, connection, term: 0 }, colour: HELLO.colour });
      expect(after).toMatchObject({ slot, secret });
      expect(after.connection).toBeGreaterThan(connection);
      expect(desk.done()).toEqual([`seat ${slot} on 2`]);
    },
  );

  test('on another page tells the first, and takes its place', () => {
    const desk = new HostDesk();
    const { slot, secret, connection } = desk.admit(1);
    desk.done();
    const after = desk.admit(2, { seat: { slot, secret, connection: null, term: 0 } });
    expect(after.slot).toBe(slot);
    expect(after.connection).toBeGreaterThan(connection);
    expect(desk.said(1)).toEqual([{ kind: 'bye', reason: 'opened elsewhere', next: null }]);
    expect(desk.done()).toEqual([`unseat ${slot}`, 'close on 1', `seat ${slot} on 2`]);
  });

  test('with a wrong secret is somebody new', () => {
    const desk = new HostDesk();
    const { slot, connection } = desk.admit(1);
    desk.done();
    for (const [line, secret] of [
      [2, ''],
      [3, 'secret'],
    ] as const) {
      expect(desk.admit(line, { seat: { slot, secret, connection, term: 0 } }).slot).not.toBe(slot);
    }
    expect(desk.said(1).every(({ kind }) => kind === 'roster')).toBe(true);
    expect(desk.presence(slot)).toBe('here');
  });

  test('finds the scene that was chosen meanwhile', () => {
    const desk = new HostDesk();
    const { slot, secret, connection } = desk.admit(1);
    desk.admit(2);
    desk.room.closed(1 as LineId);
    desk.tick();
    desk.done();
    const scene = { name: 'tower', seed: 3 } as const;
    desk.room.setScene(scene);
    desk.tick();
    expect(desk.said(2)).toContainEqual({ kind: 'scene', scene, connection: 3 });
    expect(desk.done()).toEqual(['seat 2 on 2']);
    expect(desk.admit(3, { seat: { slot, secret, connection, term: 0 } })).toMatchObject({
      slot,
      scene,
      connection: 4,
    });
  });
});

describe('[F4] another host of the same room finds this one at its door', () => {
  function told(desk: HostDesk, door: string): boolean {
    desk.room.opened(9 as LineId, 'a page that is in nobody’s roster');
    desk.say(9, { kind: 'elsewhere', door });
    desk.tick();
    return desk.room.isElsewhere;
  }

  test('who is alone gives way', () => {
    const desk = new HostDesk();
    expect(told(desk, desk.room.tenure.door)).toBe(true);
  });

  test('who has guests does not, nor who is told by a stranger', () => {
    const desk = new HostDesk();
    expect(told(desk, 'a guess')).toBe(false);
    desk.admit(1);
    expect(told(desk, desk.room.tenure.door)).toBe(false);
  });

  test('who has guests tells it, and goes on', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.room.callBack(9 as LineId);
    desk.tick();
    expect(desk.effects).toEqual(
      expect.arrayContaining([
        { kind: 'send', line: 9, text: JSON.stringify({ kind: 'elsewhere', door: desk.room.tenure.door }) },
        { kind: 'close', line: 9 },
      ]),
    );
  });
});
