import { describe, expect, test } from 'vitest';
import { MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import { PROTOCOL_VERSION, writeMessage } from '../../../../src/core/room/messages.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { HOST_KEY, HostDesk } from './host-desk.ts';
import { roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import { handoverText } from '../../../../src/core/room/identity/statements.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { connection, JOIN, slot, speaks } from '../samples.ts';
import { changedProfile, newProfile } from '../../../../src/core/room/profile.ts';

describe('a host’s own settings', () => {
  test('[P8.1] a profile that nobody could read is refused, and what is left out or undefined stays', () => {
    const profile = newProfile('Ada');
    const wrong = [{ voice: 'loud' }, { hands: 'x' }, { name: 7 }, { voice: null }];
    for (const change of wrong)
      expect(() => changedProfile(profile, change as never), JSON.stringify(change)).toThrow(RangeError);
    const none = { voice: undefined, hands: undefined, name: undefined };
    expect(changedProfile(profile, none as never)).toEqual(profile);
    expect(changedProfile(profile, { ...profile, slot: 3 } as never)).toEqual(profile);
    const wishes = changedProfile(profile, { wantsReset: true });
    expect(changedProfile(wishes, { voice: 'on' }).wantsReset).toBe(true);
    expect(changedProfile(wishes, { wantsReset: undefined })).toEqual(profile);
  });

  test('a room is locked or not, and nothing else', () => {
    const desk = new HostDesk();
    for (const locked of [1, 'no', undefined])
      expect(() => desk.room.lock(locked as never)).toThrow('`lock` takes true or false.');
  });
});

describe('a page that comes in', () => {
  test('is welcomed with a slot, a connection, the level and the roster', () => {
    const desk = new HostDesk();
    const welcome = desk.admit(1, { name: 'Ada' });
    expect(welcome).toMatchObject({
      slot: 1,
      connection: 1,
      level: { id: 'pile', seed: 1 },
    });
    expect(welcome.roster.players.map(({ slot, name, id, key }) => [slot, name, id, key])).toEqual([
      [0, 'Host', 'host', HOST_KEY],
      [1, 'Ada', 'page 1', keyOf('page 1')],
    ]);
    expect(desk.done()).toEqual(['seat 1 on 1']);
    const other = desk.admit(2);
    expect(other.door).toBe(welcome.door);
    expect(other.connection).toBe(connection(2));
    expect(desk.sent(1)).toContainEqual({ kind: 'roster', roster: desk.room.roster });
  });

  test('gets the colour that it asks for, if that is free', () => {
    const desk = new HostDesk({ slot: slot(2), capacity: 8 });
    expect(desk.admit(1, { colour: slot(5) }).slot).toBe(5);
    expect(desk.admit(2, { colour: slot(5) }).slot).toBe(0);
    expect(desk.admit(3, { colour: slot(2) }).slot).toBe(1);
    expect(desk.admit(4).slot).toBe(3);
    desk.room.lineClosed(1 as LineId);
    expect(desk.admit(5, { colour: slot(5) }).slot).toBe(4);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('finds the room full with a capacity of %d', (capacity) => {
    const desk = new HostDesk({ capacity, slot: slot(capacity - 1) });
    for (let line = 1; line < capacity; line++) expect(desk.greet(line)?.kind).toBe('welcome');
    desk.done();
    expect(desk.greet(50)).toEqual({ kind: 'refuse', reason: 'full', version: PROTOCOL_VERSION });
    expect(desk.done()).toEqual(['close on 50']);
    expect(desk.room.roster.players).toHaveLength(capacity);
  });

  test.each([0, 2.5, 9, NaN])('a capacity of %d throws', (capacity) => {
    expect(() => new HostDesk({ capacity })).toThrow(RangeError);
  });

  test('gets in when the host raises the capacity; nobody loses a seat when the host lowers it', () => {
    const desk = new HostDesk({ capacity: 2 });
    desk.admit(1);
    expect(desk.greet(2)).toMatchObject({ reason: 'full' });
    desk.room.setCapacity(8);
    desk.admit(3);
    expect(desk.room.roster.capacity).toBe(8);
    desk.room.lineClosed(3 as LineId);
    desk.sent(1);
    desk.room.setCapacity(1);
    desk.run(50);
    expect(desk.sent(1)).toContainEqual({ kind: 'roster', roster: desk.room.roster });
    expect(desk.room.roster).toMatchObject({ capacity: 3, players: [{}, {}, {}] });
    expect(desk.greet(4)).toMatchObject({ reason: 'full' });
    for (const capacity of [0, 2.5, 9]) expect(() => desk.room.setCapacity(capacity)).toThrow(RangeError);
  });

  test('is refused by a locked room, unless it comes back', () => {
    const desk = new HostDesk();
    const { slot } = desk.admit(1);
    desk.room.lock(true);
    expect(desk.greet(2)).toMatchObject({ reason: 'locked' });
    expect(desk.room.roster.locked).toBe(true);
    desk.room.lineClosed(1 as LineId);
    expect(desk.greet(3, {}, { key: keyOf('page 1') })).toMatchObject({ kind: 'welcome', slot });
    desk.room.lock(false);
    expect(desk.greet(4)?.kind).toBe('welcome');
  });

  test('[F1.4] does not come back with its key after it was removed', () => {
    const desk = new HostDesk();
    const { slot } = desk.admit(1);
    desk.done();
    desk.room.remove(slot);
    desk.tick();
    expect(desk.sent(1)).toEqual([{ kind: 'bye', reason: 'removed', next: null, handover: null }]);
    expect(desk.done()).toEqual([`unseat ${slot}`, 'close on 1', 'door']);
    expect(desk.presence(slot)).toBeUndefined();
    expect(desk.greet(2, {}, { key: keyOf('page 1') })).toMatchObject({ reason: 'removed' });
  });

  test('[F1.4] gets the reason when it is removed for breaking the rules', () => {
    const desk = new HostDesk();
    const { slot } = desk.admit(1);
    desk.done();
    desk.room.remove(slot, 'rules');
    desk.tick();
    expect(desk.sent(1)).toEqual([{ kind: 'bye', reason: 'rules', next: null, handover: null }]);
    expect(desk.done()).toEqual([`unseat ${slot}`, 'close on 1', 'door']);
    expect(desk.greet(2, {}, { key: keyOf('page 1') })).toMatchObject({ reason: 'removed' });
  });

  test('[H6.1] and is removed while absent, is unseated once', () => {
    const desk = new HostDesk();
    const { slot } = desk.admit(1);
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    expect(desk.done()).toContain(`unseat ${slot}`);
    desk.room.remove(slot);
    desk.tick();
    expect(desk.done()).toEqual(['door']);
    expect(desk.presence(slot)).toBeUndefined();
  });

  test('is not removed if its slot is empty', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.done();
    for (let i = -1; i <= MAX_ROOM_PLAYERS; i++) if (i !== 1) desk.room.remove(slot(i));
    desk.tick();
    expect(desk.done()).toEqual([]);
  });
});

describe('[F1] a line', () => {
  test('on which nobody asks to come in within 10 s is closed', () => {
    const desk = new HostDesk();
    desk.open(1);
    desk.run(9900);
    expect(desk.done()).toEqual([]);
    desk.run(200);
    expect(desk.done()).toEqual(['close on 1']);
  });

  test.each([
    ['no JSON', 'malformed', '{'],
    ['a megabyte', 'malformed', 'x'.repeat(1 << 20)],
    ['something before it asks to come in', 'no join', writeMessage(speaks('on'))],
  ])('that begins with %s is closed', (_, reason, text) => {
    const desk = new HostDesk();
    desk.open(1);
    desk.room.receive(1 as LineId, text);
    desk.tick();
    expect(desk.done()).toEqual(['close on 1']);
    expect(desk.room.rejected).toEqual({ [reason]: 1 });
  });

  test('of a player may bring malformed messages; they are counted', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.room.receive(1 as LineId, 'nonsense');
    desk.send(1, JOIN);
    desk.tick();
    expect(desk.done()).toEqual(['seat 1 on 1']);
    expect(desk.room.rejected).toEqual({ malformed: 1, 'second join': 1 });
  });

  test('with more than 20 messages in a second is closed, and later messages are ignored', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.done();
    for (let second = 0; second < 3; second++) {
      for (let i = 0; i < 18; i++) desk.send(1, speaks('on'));
      desk.run(1001);
    }
    expect(desk.done()).toEqual([]);
    for (let i = 0; i < 30; i++) desk.send(1, speaks('on'));
    desk.tick();
    expect(desk.done()).toEqual(['unseat 1', 'close on 1']);
    expect(desk.room.rejected).toEqual({ flood: 1 });
  });

  test('more than 16 that have not asked to come in closes the oldest of them; players still come in', () => {
    const desk = new HostDesk();
    desk.admit(100);
    desk.done();
    for (let line = 0; line < 17; line++) desk.open(line);
    desk.tick();
    expect(desk.done()).toEqual(['close on 0']);
    expect(desk.greet(17)?.kind).toBe('welcome');
    expect(desk.room.roster.players).toHaveLength(3);
  });

  test('[F1.1] that opens and closes a thousand times leaves nothing behind', () => {
    const desk = new HostDesk({ capacity: 2 });
    desk.room.lock(true);
    for (let line = 0; line < 1000; line++) {
      desk.open(line);
      if (line % 3 === 0) desk.room.receive(line as LineId, '?');
      if (line % 3 === 1) desk.room.lineClosed(line as LineId);
      if (line % 3 === 2) desk.send(line, JOIN);
      desk.tick();
    }
    desk.done();
    desk.room.lock(false);
    expect(desk.greet(1000)?.kind).toBe('welcome');
    expect(desk.done()).toEqual(['seat 1 on 1000']);
  });

  test('that is unknown or closed is ignored', () => {
    const desk = new HostDesk();
    desk.send(5, JOIN);
    desk.room.lineClosed(5 as LineId);
    desk.tick();
    expect(desk.done()).toEqual([]);
  });
});

describe('the roster', () => {
  test('is sent when something in it has changed; round trips are sent once a second', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.sent(1);
    desk.run(3000);
    expect(desk.sent(1)).toEqual([]);
    desk.room.setProfile({ ...newProfile('Host'), voice: 'muted' });
    desk.run(500);
    expect(desk.sent(1)).toHaveLength(1);
    for (let i = 0; i < 30; i++) {
      desk.roundTripMs = 40 + i;
      desk.run(100);
    }
    expect([3, 4]).toContain(desk.sent(1).length);
    const [host, guest] = desk.room.roster.players;
    expect(host).toMatchObject({ voice: 'muted', roundTripMs: 0 });
    expect(guest.roundTripMs).toBeGreaterThanOrEqual(59);
  });

  test('has round trips that a guest can read, however long they are', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.roundTripMs = 1e6;
    desk.run(2000);
    desk.sent(1);
    desk.run(3000);
    expect(desk.sent(1)).toEqual([]);
    expect(desk.room.roster.players[1].roundTripMs).toBe(65535);
  });

  test('[P8.1] has the profile with which a guest has come in, and the one that it has changed to', () => {
    const desk = new HostDesk();
    desk.admit(1, { name: 'Bo', voice: 'muted', hands: 'controllers' });
    expect(desk.room.roster.players[1]).toMatchObject({ name: 'Bo', voice: 'muted', hands: 'controllers' });
    desk.send(1, { kind: 'profile', name: 'Cy', voice: 'on', hands: 'bare' });
    desk.run(200);
    expect(desk.room.roster.players[1]).toMatchObject({ name: 'Cy', voice: 'on', hands: 'bare' });
    desk.room.setProfile({ name: 'Hugo', voice: 'off', hands: 'bare' });
    desk.run(200);
    expect(desk.sent(1).findLast(({ kind }) => kind === 'roster')).toMatchObject({
      roster: { players: [{ name: 'Hugo', hands: 'bare' }, { name: 'Cy' }] },
    });
  });

  test('[P8.1] [P8.2] has a player’s wish for a reset until it is taken back, or its player is away', () => {
    const desk = new HostDesk();
    const wish = { kind: 'profile', name: 'Bo', voice: 'off', hands: 'bare', wantsReset: true } as const;
    const isWished = (): boolean => desk.room.roster.players[1].wantsReset === true;
    desk.admit(1);
    desk.send(1, wish);
    desk.run(200);
    expect(isWished()).toBe(true);
    desk.send(1, { ...wish, wantsReset: undefined });
    desk.run(200);
    expect(isWished()).toBe(false);
    desk.send(1, wish);
    desk.run(200);
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    expect(isWished()).toBe(false);
  });

  test('[P8.2] has the voice of a player that is away as off', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.send(1, speaks('on'));
    desk.run(200);
    expect(desk.room.roster.players[1].voice).toBe('on');
    desk.room.lineClosed(1 as LineId);
    desk.tick();
    expect(desk.room.roster.players[1]).toMatchObject({ voice: 'off', presence: 'away', roundTripMs: 0 });
  });
});

test('[F3.1] [P5] when the host leaves, every guest gets a goodbye, and every line is closed', () => {
  const desk = new HostDesk();
  desk.admit(1);
  desk.admit(2);
  desk.open(3);
  desk.tick();
  for (const line of [1, 2]) desk.sent(line);
  desk.done();
  desk.room.close();
  desk.gather();
  const { lineage } = desk.room.tenure;
  const text = handoverText(roomIdOf(lineage), {
    term: 0,
    next: nextTerm(0, slot(1)),
    heir: keyOf('page 1'),
  });
  const handover = signatureOf(HOST_KEY, text);
  for (const line of [1, 2, 3])
    expect(desk.sent(line)).toEqual([{ kind: 'bye', reason: 'host left', next: slot(1), handover }]);
  expect(desk.done().filter((word) => word.startsWith('close'))).toEqual([
    'close on 1',
    'close on 2',
    'close on 3',
  ]);
});
