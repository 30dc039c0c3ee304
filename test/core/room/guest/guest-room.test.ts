import { describe, expect, test } from 'vitest';
import { keyOf } from '../../../support/keys.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { connection, ROSTER, slot } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';
import { changedProfile, newProfile } from '../../../../src/core/room/profile.ts';
import type { Profile } from '../../../../src/core/room/profile.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

describe('coming in', () => {
  test('asks for a line, asks to come in, and enters when it is welcomed', () => {
    const desk = new GuestDesk({ colour: slot(4) });
    expect(desk.done()).toEqual(['open']);
    expect([desk.status, desk.room.roster, desk.room.level]).toEqual(['joining', null, null]);
    desk.opened(1);
    expect(desk.lastSent()).toEqual({
      kind: 'join',
      ...newProfile('Ada'),
      colour: 4,
      keeps: null,
    });
    desk.done();
    desk.receive(1, WELCOME);
    expect(desk.done()).toEqual(['enter on 1']);
    expect([desk.status, desk.room.roster, desk.room.level]).toEqual(['here', ROSTER, WELCOME.level]);
    expect([desk.room.welcome, desk.room.door]).toEqual([WELCOME, 'the door']);
  });

  test.each(['version', 'full', 'locked', 'removed'] as const)('ends when the host refuses: %s', (reason) => {
    const desk = new GuestDesk();
    desk.opened(1);
    desk.done();
    desk.receive(1, { kind: 'refuse', reason, version: 2 });
    expect(desk.status).toBe(`ended: ${reason}`);
    expect(desk.done()).toEqual(['close on 1']);
    desk.closed(1);
    desk.receive(1, WELCOME);
    desk.run(60_000);
    expect(desk.status).toBe(`ended: ${reason}`);
    expect(desk.done()).toEqual([]);
  });

  test('[F3.6] ends at once when the broker knows of no such room', () => {
    const desk = new GuestDesk();
    desk.room.attemptFailed('not found');
    expect(desk.status).toBe('ended: not found');
  });

  test.each(['no broker', 'no answer', 'blocked', 'no relay'] as const)(
    '[F3.6] tries again for 30 s when no line can be opened, and says why in the end: %s',
    (why) => {
      const desk = new GuestDesk();
      let opened = 0;
      while (desk.status === 'joining' && desk.now < 60_000) {
        if (desk.done().includes('open')) {
          opened++;
          desk.room.attemptFailed(why);
        } else desk.run(100);
      }
      expect(desk.status).toBe(`ended: ${why}`);
      expect(Math.round(desk.now / 1000)).toBe(30);
      expect(opened).toBe(15);
    },
  );

  test('[F3.6] looks again for a room that the broker does not know, if the broker was away before', () => {
    const desk = new GuestDesk();
    desk.room.attemptFailed('no broker');
    desk.run(2100);
    desk.room.attemptFailed('not found');
    expect(desk.status).toBe('joining');
    desk.run(2100);
    desk.opened(1);
    desk.receive(1, WELCOME);
    expect(desk.status).toBe('here');
  });

  test('[F3.6] is given up after 30 s if no line comes, for the reason of that moment', () => {
    const desk = new GuestDesk();
    desk.room.attemptStands('no relay');
    desk.run(29_900);
    expect([desk.status, desk.room.wantsLine]).toEqual(['joining', true]);
    desk.run(200);
    expect([desk.status, desk.room.wantsLine]).toEqual(['ended: no relay', false]);
    expect(desk.done()).toEqual(['open']);
  });

  test('[F3.6] tries another line after 12 s if nobody answers on the first', () => {
    const desk = GuestDesk.silenced();
    desk.opened(2);
    desk.done();
    desk.run(11_900);
    expect(desk.done().filter((words) => words !== 'send standing')).toEqual([]);
    desk.run(200);
    expect(desk.done()).toContain('close on 2');
    desk.run(2000);
    expect(desk.done()).toContain('open');
  });

  test('[F5.2] says for how long it has been joining, and whether it waits for the welcome', () => {
    const desk = new GuestDesk();
    desk.run(1000);
    expect(desk.room.attempt).toMatchObject({ kind: 'opening' });
    expect(Math.round((desk.room.attempt?.forMs ?? 0) / 100)).toBe(10);
    desk.opened(1);
    expect(desk.room.attempt?.kind).toBe('greeted');
    desk.receive(1, WELCOME);
    expect(desk.room.attempt).toBeNull();
  });

  test('after a reload looks for its room for 10 s: the host may be reloading, too', () => {
    const desk = new GuestDesk({ returns: true });
    let dials = 0;
    while (desk.status === 'joining' && desk.now < 60_000) {
      if (desk.done().includes('open')) {
        dials++;
        desk.run(500);
        desk.room.attemptFailed('not found');
      } else desk.run(100);
    }
    expect(desk.status).toBe('ended: not found');
    expect(desk.now).toBeGreaterThan(10_000);
    expect(desk.now).toBeLessThan(13_500);
    expect(dials).toBe(5);
  });
});

describe('[F3] a host that is silent', () => {
  test('[F4.9] and is heard again: the guest takes no welcome of another host any more', () => {
    const desk = GuestDesk.silenced();
    desk.opened(2);
    desk.isSilent = false;
    desk.run(200);
    desk.done();
    desk.receive(2, { ...WELCOME, term: 15 });
    expect([desk.status, desk.room.welcome?.term]).toEqual(['here', WELCOME.term]);
    expect(desk.done()).toEqual(['close on 2']);
  });

  test('makes the guest lost after 1.5 s, and here again at the next packet', () => {
    const desk = GuestDesk.inside();
    desk.isSilent = true;
    desk.run(1450);
    expect(desk.status).toBe('here');
    desk.run(100);
    expect(desk.status).toBe('lost');
    desk.isSilent = false;
    desk.run(20);
    expect(desk.status).toBe('here');
    expect(desk.done()).toEqual([]);
  });

  test('is dialled again after 3 s; the same connection goes on over the new line', () => {
    const desk = GuestDesk.silenced();
    desk.opened(2);
    expect(desk.lastSent()).toMatchObject({ keeps: { connection: 7, term: 0 } });
    desk.done();
    desk.receive(2, WELCOME);
    expect(desk.done()).toEqual(['close on 1', 'enter on 2 going on']);
    expect(desk.status).toBe('here');
    desk.closed(1);
    expect(desk.status).toBe('here');
  });

  test('may come back by itself, and still answer on the new line', () => {
    const desk = GuestDesk.silenced();
    desk.opened(2);
    desk.isSilent = false;
    desk.run(100);
    expect(desk.status).toBe('here');
    desk.done();
    desk.receive(2, WELCOME);
    expect(desk.done()).toEqual(['close on 1', 'enter on 2 going on']);
  });

  test('begins a new connection if it has counted this guest as absent', () => {
    const desk = GuestDesk.silenced();
    desk.opened(2);
    desk.done();
    desk.receive(2, { ...WELCOME, connection: connection(9), goesOn: false });
    expect(desk.done()).toEqual(['close on 1', 'enter on 2']);
  });

  test('ends the guest after 30 s if all other guests are silent, too: the guest has lost them', () => {
    const desk = GuestDesk.inside();
    const other = { ...ROSTER.players[1], slot: slot(5), key: keyOf('Eve'), presence: 'here' } as const;
    desk.receive(1, { kind: 'roster', roster: { ...ROSTER, players: [...ROSTER.players, other] } });
    desk.isSilent = true;
    desk.run(3100);
    expect(desk.done()).toEqual(['open']);
    desk.room.attemptFailed('blocked');
    const last: string[] = [];
    let dials = 1;
    while (desk.status === 'lost' && desk.now < 60_000) {
      desk.run(100);
      last.splice(0, last.length, ...desk.done());
      if (!last.includes('open')) continue;
      desk.room.attemptFailed('blocked');
      dials++;
    }
    expect(desk.status).toBe('ended: lost');
    expect(Math.round(desk.now / 1000)).toBe(30);
    expect(dials).toBeGreaterThan(10);
    expect(last).toEqual(['close on 1']);
  });

  test('lets the guest play on alone after 20 s if all other guests and the broker are silent, too', () => {
    const desk = GuestDesk.inside();
    const other = { ...ROSTER.players[1], slot: slot(5), key: keyOf('Eve'), presence: 'here' } as const;
    desk.receive(1, { kind: 'roster', roster: { ...ROSTER, players: [...ROSTER.players, other] } });
    desk.isSilent = true;
    while (desk.room.claim === null && desk.now < 60_000) {
      desk.run(100);
      if (desk.done().includes('open')) desk.room.attemptFailed('no broker');
    }
    expect(Math.round(desk.now / 1000)).toBe(20);
  });

  test('does not count pauses of this page as silence: 10 s and 60 s', () => {
    const desk = GuestDesk.inside();
    desk.isSilent = true;
    for (const pause of [10_000, 60_000]) {
      desk.now += pause;
      desk.room.tick(desk.now, -Infinity);
    }
    desk.run(800);
    expect(desk.status).toBe('here');
    desk.run(300);
    expect(desk.status).toBe('lost');
  });

  test('is dialled at once when the line has broken, and then every 2 s', () => {
    const desk = GuestDesk.inside();
    desk.run(5000);
    desk.closed(1);
    expect(desk.status).toBe('lost');
    desk.run(20);
    expect(desk.done()).toEqual(['open']);
    desk.opened(2);
    desk.closed(2);
    desk.done();
    desk.run(1900);
    expect(desk.done()).toEqual([]);
    desk.run(200);
    expect(desk.done()).toEqual(['open']);
  });
});

describe('in the room', () => {
  test('it takes in a roster, and a level with its connection', () => {
    const desk = GuestDesk.inside();
    const roster = { ...ROSTER, locked: false };
    desk.receive(1, { kind: 'roster', roster });
    expect(desk.room.roster).toEqual(roster);
    const level = chooseLevel({ id: 'wall', seed: 4 });
    desk.receive(1, { kind: 'level', level, connection: connection(8), why: 'file' });
    expect(desk.done()).toEqual(['level']);
    expect(desk.room.level).toEqual(level);
    desk.closed(1);
    desk.run(2100);
    desk.opened(2);
    expect(desk.lastSent()).toMatchObject({ keeps: { connection: 8 } });
  });

  test('[F1.10] sixteen levels in one tick begin one world, and the last of them begins a second later', () => {
    const desk = GuestDesk.inside();
    for (let i = 0; i < 16; i++)
      desk.receive(1, {
        kind: 'level',
        level: chooseLevel({ id: 'wall', seed: i }),
        connection: connection(8 + i),
        why: 'choice',
      });
    expect(desk.done()).toEqual(['level']);
    desk.run(900);
    expect(desk.done()).toEqual([]);
    desk.run(200);
    expect(desk.done()).toEqual(['level']);
    expect(desk.room.level).toEqual(chooseLevel({ id: 'wall', seed: 15 }));
    desk.run(5000);
    expect(desk.done()).toEqual([]);
  });

  test('[F4] it takes in the new secret of the door', () => {
    const desk = GuestDesk.inside();
    desk.receive(1, { kind: 'door', door: 'another door' });
    expect(desk.room.door).toBe('another door');
    desk.receive(9, { kind: 'door', door: 'a liar’s door' });
    expect(desk.room.door).toBe('another door');
  });

  test.each(['removed', 'rules', 'opened elsewhere'] as const)(
    'a goodbye of the host ends it: %s',
    (reason) => {
      const desk = GuestDesk.silenced();
      desk.opened(2);
      desk.done();
      desk.receive(1, { kind: 'bye', reason, next: null, handover: null });
      expect(desk.status).toBe(`ended: ${reason}`);
      expect(desk.done()).toEqual(['close on 1', 'close on 2']);
      desk.opened(3);
      expect(desk.done()).toEqual(['close on 3']);
    },
  );

  test('[P8.1] it sends its changed profile, also on the line on which it asks to come in', () => {
    const desk = GuestDesk.silenced();
    const [speaking, renamed] = [{ voice: 'on' }, { name: 'Bea' }].map((change) => {
      return changedProfile(newProfile('Ada'), change as Partial<Profile>);
    });
    desk.room.setProfile(speaking);
    expect(desk.done()).toEqual(['send profile on 1']);
    desk.opened(2);
    expect(desk.lastSent()).toMatchObject({ kind: 'join', ...speaking });
    desk.done();
    desk.room.setProfile(renamed);
    expect(desk.done()).toEqual(['send profile on 1', 'send profile on 2']);
    desk.receive(2, WELCOME);
    expect(desk.done()).toEqual(['close on 1', 'enter on 2 going on']);
  });

  test.each([true, false])('it says goodbye when it leaves, and whether it returns: %s', (returns) => {
    const desk = GuestDesk.inside();
    desk.room.leave(returns);
    expect(desk.done()).toEqual(['send bye on 1', 'close on 1']);
  });

  test('[F1] it counts malformed messages, and ignores messages on old or unknown lines', () => {
    const desk = GuestDesk.inside();
    desk.room.receive(1 as LineId, 'x'.repeat(1 << 20));
    desk.room.receive(1 as LineId, '{"kind":"bye","reason":"boredom"}');
    expect(desk.room.rejected).toEqual({ malformed: 2 });
    desk.receive(9, { kind: 'bye', reason: 'removed', next: null, handover: null });
    desk.receive(1, { ...WELCOME, connection: connection(99) });
    desk.receive(1, { kind: 'refuse', reason: 'full', version: 1 });
    desk.closed(9);
    expect(desk.done()).toEqual([]);
    expect(desk.status).toBe('here');
    expect(desk.room.welcome?.connection).toBe(7);
  });

  test('it closes a line that it no longer waits for', () => {
    const desk = GuestDesk.inside();
    desk.opened(5);
    expect(desk.done()).toEqual(['close on 5']);
  });
});

describe('[F4.26] a guest whose host has stepped down for another host', () => {
  const eve = { ...ROSTER.players[1], slot: slot(3), id: 'page of Eve', key: keyOf('Eve') };

  function sentToEve(): GuestDesk {
    const desk = GuestDesk.inside();
    desk.receive(1, { kind: 'roster', roster: { ...ROSTER, players: [...ROSTER.players, eve] } });
    desk.run(100);
    desk.isSilent = true;
    desk.done();
    desk.receive(1, { kind: 'bye', reason: 'host left', next: slot(3), handover: null });
    desk.run(100);
    return desk;
  }

  test('calls that host, and asks to come in as soon as the line is open', () => {
    const desk = sentToEve();
    expect(desk.done()).toEqual(['dial']);
    desk.room.lineOpened(5 as LineId, { key: eve.key, page: eve.id });
    desk.run(100);
    expect(desk.done()).toContain('send join on 5');
  });

  test('votes for it for 6 s, and no longer', () => {
    const zoe = { ...eve, slot: slot(0), id: 'page of Zoe', key: keyOf('Zoe') };
    const desk = GuestDesk.inside();
    const ada = { ...ROSTER.players[1], presence: 'here' } as const;
    const players = [zoe, ROSTER.players[0], ada, eve];
    desk.receive(1, { kind: 'roster', roster: { ...ROSTER, players } });
    desk.room.lineOpened(6 as LineId, { key: zoe.key, page: zoe.id });
    desk.run(100);
    desk.isSilent = true;
    desk.receive(1, { kind: 'bye', reason: 'host left', next: slot(3), handover: null });
    const voteAfter = (ms: number): unknown => {
      desk.run(ms);
      const said = desk.lastSent();
      return said?.kind === 'standing' ? said.vote : said;
    };
    expect(voteAfter(1500)).toBe(3);
    expect(voteAfter(4300)).toBe(3);
    expect(voteAfter(1500)).toBeNull();
  });
});
