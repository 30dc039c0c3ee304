import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Welcome } from '../../../../src/core/room/messages.ts';
import { SETTLES_MS } from '../../../../src/core/room/silence.ts';
import { HostDesk } from './host-desk.ts';
import { keyOf } from '../../../support/keys.ts';
import { slot } from '../samples.ts';

/** A full room of three, in which one guest went this long ago, in milliseconds. */
function roomWithout(agoMs: number): { desk: HostDesk; gone: Welcome } {
  const desk = new HostDesk({ capacity: 3 });
  const gone = desk.admit(1);
  desk.admit(2);
  desk.run(1000);
  desk.room.lineClosed(1 as LineId);
  desk.run(agoMs);
  desk.done();
  return { desk, gone };
}

/** A page of the player that went. */
const GONE = { key: keyOf('page 1') };

describe('[F3.4] a newcomer in a full room', () => {
  test('gets the seat of a player that vanished more than 10 s ago', () => {
    const { desk, gone } = roomWithout(10_100);
    const heir = desk.admit(3);
    expect(heir.slot).toBe(gone.slot);
    expect(desk.room.roster.players.find(({ slot }) => slot === heir.slot)?.key).toBe(keyOf('page 3'));
    expect(desk.done()).toEqual([`seat ${gone.slot} on 3`]);
    expect(desk.room.roster.players).toHaveLength(3);
  });

  test('finds the room full before that', () => {
    const { desk } = roomWithout(9900);
    expect(desk.greet(3)).toMatchObject({ reason: 'full' });
    expect(desk.room.roster.players).toHaveLength(3);
  });

  test('finds a locked room locked', () => {
    const { desk } = roomWithout(20_000);
    desk.room.lock(true);
    expect(desk.greet(3)).toMatchObject({ reason: 'locked' });
    expect(desk.presence(1)).toBe('away');
  });

  test('gets the seat of the player that went first', () => {
    const desk = new HostDesk({ capacity: 4 });
    for (const line of [1, 2, 3]) desk.admit(line);
    desk.room.lineClosed(2 as LineId);
    desk.run(3000);
    desk.room.lineClosed(1 as LineId);
    desk.run(11_000);
    expect([desk.admit(4).slot, desk.admit(5).slot]).toEqual([2, 1]);
    expect(desk.greet(6)).toMatchObject({ reason: 'full' });
  });

  test('gets a free seat if there is one; then the seat of the absent player waits on', () => {
    const { desk, gone } = roomWithout(20_000);
    desk.room.setCapacity(4);
    expect(desk.admit(3).slot).toBe(3);
    expect(desk.admit(4, {}, GONE).slot).toBe(gone.slot);
  });

  test('never gets the seat of a player that is there, or only silent', () => {
    const desk = new HostDesk({ capacity: 2 });
    desk.admit(1);
    desk.run(SETTLES_MS);
    desk.silent.add(slot(1));
    desk.run(7900);
    expect(desk.presence(1)).toBe('lost');
    expect(desk.greet(2)).toMatchObject({ reason: 'full' });
  });

  test('has it for good: the player that vanished finds the room full', () => {
    const { desk } = roomWithout(12_000);
    const heir = desk.admit(3);
    expect(desk.greet(4, {}, GONE)).toMatchObject({ reason: 'full' });
    expect(desk.room.roster.players.find((player) => player.slot === heir.slot)?.id).toBe('page 3');
  });
});

describe('[F3.5] a player that has just come in', () => {
  /** The presences that others see of a player whose page stands still for so long after its welcome. */
  function seenWhileSilent(silentMs: number): string[] {
    const desk = new HostDesk();
    desk.admit(2);
    desk.run(1000);
    desk.admit(1);
    desk.run(100);
    desk.sent(2);
    desk.silent.add(slot(2));
    desk.run(silentMs);
    desk.silent.clear();
    desk.run(500);
    const seen = desk.sent(2).flatMap((message) => {
      return message.kind === 'roster' ? message.roster.players.map(({ presence }) => presence) : [];
    });
    return [...new Set(seen)];
  }

  test.each([1600, 7500])('is not shown as lost while its page loads for %d ms', (ms) => {
    expect(seenWhileSilent(ms)).not.toContain('lost');
  });

  test('is shown as lost once it has been there for 10 s', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.run(SETTLES_MS);
    desk.silent.add(slot(1));
    desk.run(1600);
    expect(desk.presence(1)).toBe('lost');
  });

  test('may be shown as lost when it goes on over another line: its page is there already', () => {
    const desk = new HostDesk();
    const { connection } = desk.admit(1, {}, { page: 'page' });
    desk.run(SETTLES_MS);
    desk.admit(2, { keeps: { connection, term: 0, host: 'host' } }, { page: 'page' });
    desk.silent.add(slot(1));
    desk.run(1600);
    expect(desk.presence(1)).toBe('lost');
  });

  test('is not named as the next host while it is silent', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.admit(2);
    desk.silent.add(slot(1));
    desk.run(2000);
    desk.sent(2);
    desk.room.close();
    desk.gather();
    expect(desk.sent(2)).toMatchObject([{ kind: 'bye', reason: 'host left', next: 2 }]);
  });
});
