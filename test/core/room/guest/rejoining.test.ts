import { describe, expect, test } from 'vitest';
import type { GuestEffect } from '../../../../src/core/room/guest/guest-options.ts';
import { GuestRoom } from '../../../../src/core/room/guest/guest-room.ts';
import type { HostMessage } from '../../../../src/core/room/messages.ts';
import { readGuestMessage, writeMessage } from '../../../../src/core/room/messages.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { LOST_AFTER_MS } from '../../../../src/core/room/silence.ts';
import { connection } from '../samples.ts';
import { WELCOME } from './guest-desk.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { gameLevels } from '../../../../src/levels/levels.ts';

const [FIRST, SECOND] = [1, 2] as LineId[];

function welcome(number: number): HostMessage {
  return { ...WELCOME, goesOn: false, connection: connection(number) };
}

/** A guest that is in the room on its first line. */
function inside(): GuestRoom {
  const room = new GuestRoom({
    profile: newProfile('Ada'),
    levels: gameLevels,
    colour: null,
    returns: false,
    room: null,
  });
  room.attemptOpened(FIRST);
  room.receive(FIRST, writeMessage(welcome(7)));
  effectsOf(room);
  return room;
}

/** A guest that has not heard its host for a moment. */
function lost(): GuestRoom {
  const room = inside();
  for (let now = 0; now <= LOST_AFTER_MS + 100; now += 100) room.tick(now, -Infinity);
  expect(room.status.kind).toBe('lost');
  effectsOf(room);
  return room;
}

function effectsOf(room: GuestRoom): GuestEffect[] {
  const effects: GuestEffect[] = [];
  room.drain((effect) => effects.push(effect));
  return effects;
}

describe('a guest that comes in once more', () => {
  test('asks for a new connection in its place, and begins a new world', () => {
    const room = inside();
    room.rejoin();
    expect(effectsOf(room)).toEqual([{ kind: 'open' }]);
    expect(room.status.kind).toBe('here');
    room.attemptOpened(SECOND);
    const [asked] = effectsOf(room);
    const said = asked.kind === 'send' ? readGuestMessage(asked.text) : null;
    expect(said).toMatchObject({ kind: 'join', keeps: null });
    room.receive(SECOND, writeMessage(welcome(8)));
    expect(effectsOf(room)).toMatchObject([
      { kind: 'close', line: FIRST },
      { kind: 'enter', line: SECOND, goesOn: false, follows: false },
    ]);
  });

  test('plays on over its old line if no other can be had', () => {
    const room = inside();
    room.rejoin();
    room.attemptFailed('no broker');
    expect(room.status.kind).toBe('here');
    room.setProfile({ ...newProfile('Ada'), voice: 'on' });
    expect(effectsOf(room)).toContainEqual(expect.objectContaining({ kind: 'send', line: FIRST }));
  });

  test('does nothing while another line is being opened: that attempt goes on', () => {
    const room = inside();
    room.rejoin();
    room.rejoin();
    expect(effectsOf(room)).toHaveLength(1);
  });

  test('does so once it is back, if its host was not heard just then: a page may stall', () => {
    const room = lost();
    room.rejoin();
    expect(effectsOf(room)).toEqual([]);
    room.tick(LOST_AFTER_MS + 500, LOST_AFTER_MS + 400);
    expect(room.status.kind).toBe('here');
    expect(effectsOf(room)).toEqual([{ kind: 'open' }]);
    room.tick(LOST_AFTER_MS + 600, LOST_AFTER_MS + 500);
    expect(effectsOf(room), 'once').toEqual([]);
  });

  test('does not any more, if the wish was taken back before it was back', () => {
    const room = lost();
    room.rejoin();
    room.rejoin(false);
    room.tick(LOST_AFTER_MS + 500, LOST_AFTER_MS + 400);
    expect(room.status.kind).toBe('here');
    expect(effectsOf(room)).toEqual([]);
  });

  test('does not once more, if it came back as one who knows nothing', () => {
    const room = lost();
    room.rejoin();
    room.lineClosed(FIRST);
    for (let now = LOST_AFTER_MS; now < LOST_AFTER_MS + 2500; now += 100) room.tick(now, -Infinity);
    room.attemptOpened(SECOND);
    room.receive(SECOND, writeMessage(welcome(8)));
    expect(effectsOf(room).map(({ kind }) => kind)).toEqual(['open', 'send', 'enter']);
    room.tick(LOST_AFTER_MS + 2600, LOST_AFTER_MS + 2550);
    expect(effectsOf(room)).toEqual([]);
  });
});

test('[F4.17] a host that stepped down goes to the door when the other sends it away', () => {
  for (const message of [
    { kind: 'bye', reason: 'removed', next: null, handover: null },
    { kind: 'refuse', reason: 'full', version: 1 },
  ] as const) {
    const room = new GuestRoom({
      profile: newProfile('Ada'),
      levels: gameLevels,
      colour: null,
      returns: true,
      room: null,
      back: FIRST,
    });
    room.receive(FIRST, writeMessage(message));
    expect(room.status.kind).toBe('joining');
    for (let now = 0; now < 2500; now += 100) room.tick(now, -Infinity);
    expect(room.wantsLine).toBe(true);
    room.attemptOpened(SECOND);
    room.receive(SECOND, writeMessage(message));
    expect(room.status.kind, 'whoever has the door can say so').toBe('joining');
  }
});
