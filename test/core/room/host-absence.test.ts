import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../src/core/room/line.ts';
import { SETTLES_MS } from '../../../src/core/room/silence.ts';
import { HostDesk } from './host-desk.ts';
import { connection, HELLO, slot } from './samples.ts';

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
    const { secret } = desk.admit(1);
    desk.send(1, { kind: 'bye', returns: true });
    desk.run(29_900);
    expect(desk.presence(1)).toBe('away');
    desk.run(200);
    expect(desk.presence(1)).toBeUndefined();
    expect(desk.admit(3).slot).toBe(1);
    desk.send(3, { kind: 'bye', returns: true });
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
    const { slot, secret, connection, ...before } = desk.admit(1, {}, 'page');
    desk.send(1, { kind: 'voice', voice: 'on' });
    desk.run(100);
    desk.done();
    const after = desk.admit(2, { seat: { slot, secret, connection, term: 0 } }, 'page');
    expect(after).toMatchObject({ slot, secret, connection, scene: before.scene });
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
      const { slot, secret, connection } = desk.admit(1);
      if (way === 'goodbye') desk.send(1, { kind: 'bye', returns: true });
      if (way === 'closed') desk.room.lineClosed(1 as LineId);
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

  test('on another page takes the place of the first page, which gets a goodbye', () => {
    const desk = new HostDesk();
    const { slot, secret, connection } = desk.admit(1);
    desk.done();
    const after = desk.admit(2, { seat: { slot, secret, connection: null, term: 0 } });
    expect(after.slot).toBe(slot);
    expect(after.connection).toBeGreaterThan(connection);
    expect(desk.sent(1)).toEqual([{ kind: 'bye', reason: 'opened elsewhere', next: null }]);
    expect(desk.done()).toEqual([`unseat ${slot}`, 'close on 1', `seat ${slot} on 2`]);
  });

  test('with a wrong secret is a new player', () => {
    const desk = new HostDesk();
    const { slot, connection } = desk.admit(1);
    desk.done();
    for (const [line, secret] of [
      [2, ''],
      [3, 'secret'],
    ] as const) {
      expect(desk.admit(line, { seat: { slot, secret, connection, term: 0 } }).slot).not.toBe(slot);
    }
    expect(desk.sent(1).every(({ kind }) => kind === 'roster')).toBe(true);
    expect(desk.presence(slot)).toBe('here');
  });

  test('gets the scene that was chosen in the meantime', () => {
    const desk = new HostDesk();
    const { slot, secret, connection } = desk.admit(1);
    desk.admit(2);
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    desk.done();
    const scene = { name: 'tower', seed: 3 } as const;
    desk.room.setScene(scene);
    desk.tick();
    expect(desk.sent(2)).toContainEqual({ kind: 'scene', scene, connection: 3 });
    expect(desk.done()).toEqual(['seat 2 on 2']);
    expect(desk.admit(3, { seat: { slot, secret, connection, term: 0 } })).toMatchObject({
      slot,
      scene,
      connection: 4,
    });
  });
});

describe('[F4] another host of the same room is at its door', () => {
  /** The message that one host of a room sends to another host at the door. */
  function elsewhereFrom(desk: HostDesk): string {
    desk.room.otherHostFound(9 as LineId);
    desk.tick();
    const texts = desk.effects.flatMap((effect) =>
      effect.kind === 'send' && effect.line === 9 ? [effect.text] : [],
    );
    expect(texts).toHaveLength(1);
    return texts[0];
  }

  /** True if a host steps down after that message, which comes from a page that is in no roster. */
  function stepsDown(desk: HostDesk, text: string): boolean {
    desk.room.lineOpened(9 as LineId, 'another host');
    desk.room.receive(9 as LineId, text);
    desk.tick();
    return desk.room.goesOnElsewhere;
  }

  function withGuest(): HostDesk {
    const desk = new HostDesk();
    desk.admit(1);
    return desk;
  }

  /** All desks here have the same door secret, so they are hosts of one room. */
  const elsewhere = elsewhereFrom(withGuest());

  test('[F4.11] a host with guests calls the other back, once in 5 s, if that is a player who is away', () => {
    const desk = withGuest();
    desk.admit(2, {}, 'page 2');
    desk.room.lineClosed(2 as LineId);
    desk.tick();
    let line = 10;
    const calledAfter = (ms: number, page: string): readonly string[] => {
      desk.run(ms);
      desk.room.lineOpened(++line as LineId, page);
      desk.room.receive(line as LineId, elsewhere);
      desk.room.lineClosed(line as LineId);
      desk.tick();
      return desk.effects.splice(0).flatMap((effect) => (effect.kind === 'dial' ? [effect.page] : []));
    };
    expect(calledAfter(0, 'a stranger')).toEqual([]);
    expect(calledAfter(0, 'page 1'), 'a guest is no host').toEqual([]);
    expect(calledAfter(0, 'page 2')).toEqual(['page 2']);
    expect(calledAfter(4900, 'page 2')).toEqual([]);
    expect(calledAfter(200, 'page 2')).toEqual(['page 2']);
    desk.room.lineOpened(9 as LineId, 'page 2');
    expect(calledAfter(5100, 'page 2'), 'there is a line already').toEqual([]);
  });

  test('[F4.11] a host that is alone steps down', () => {
    expect(stepsDown(new HostDesk(), elsewhere)).toBe(true);
  });

  test('[F4.11] [F4.14] a host with guests does not step down', () => {
    expect(stepsDown(withGuest(), elsewhere)).toBe(false);
  });

  test('[F4.11] a host does not step down for a stranger, or after it has removed a player', () => {
    expect(stepsDown(new HostDesk(), JSON.stringify({ kind: 'elsewhere', proof: 'a guess' }))).toBe(false);
    const desk = withGuest();
    desk.room.remove(slot(1));
    expect(stepsDown(desk, elsewhere)).toBe(false);
  });

  test('[F4.11] a host that had guests then does not step down when they have gone', () => {
    const desk = withGuest();
    expect(stepsDown(desk, elsewhere)).toBe(false);
    desk.room.remove(slot(1));
    desk.tick();
    expect(desk.room.goesOnElsewhere).toBe(false);
  });

  test('[F4.11] a host stays if a guest comes in after the message', () => {
    const desk = new HostDesk();
    expect(stepsDown(desk, elsewhere)).toBe(true);
    desk.admit(1);
    expect(desk.room.goesOnElsewhere).toBe(false);
  });

  test('[F4.11] it gets the message on a line that is then closed; a host that hears no guest sends none', () => {
    const desk = withGuest();
    elsewhereFrom(desk);
    expect(
      desk.effects.filter((effect) => 'line' in effect && effect.line === 9).map(({ kind }) => kind),
    ).toEqual(['send', 'close']);
    const deaf = withGuest();
    deaf.silent.add(slot(1));
    deaf.run(2000);
    deaf.effects.length = 0;
    deaf.room.otherHostFound(9 as LineId);
    deaf.tick();
    expect(
      deaf.effects.filter((effect) => 'line' in effect && effect.line === 9).map(({ kind }) => kind),
    ).toEqual(['close']);
  });
});
