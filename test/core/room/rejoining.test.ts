import { describe, expect, test } from 'vitest';
import type { GuestEffect } from '../../../src/core/room/guest/guest-options.ts';
import { GuestRoom } from '../../../src/core/room/guest/guest-room.ts';
import type { HostMessage } from '../../../src/core/room/messages.ts';
import { readGuestMessage, writeMessage } from '../../../src/core/room/messages.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import { connection, ROSTER, slot } from './samples.ts';

const [FIRST, SECOND] = [1, 2] as LineId[];

function welcome(number: number): HostMessage {
  const seat = { slot: slot(2), secret: 'mine', connection: connection(number) };
  const keeps = { goesOn: false, term: 0, door: 'the door' };
  return {
    kind: 'welcome',
    ...seat,
    ...keeps,
    scene: { name: 'pile', seed: 1 },
    tickRate: 60,
    roster: ROSTER,
  };
}

/** A guest that is in the room on its first line. */
function inside(): GuestRoom {
  const room = new GuestRoom({ name: 'Ada', colour: null, seat: null });
  room.attemptOpened(FIRST);
  room.receive(FIRST, writeMessage(welcome(7)));
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
    const [hello] = effectsOf(room);
    const said = hello.kind === 'send' ? readGuestMessage(hello.text) : null;
    expect(said).toMatchObject({ kind: 'hello', seat: { slot: 2, secret: 'mine', connection: null } });
    room.receive(SECOND, writeMessage(welcome(8)));
    expect(effectsOf(room)).toMatchObject([
      { kind: 'close', line: FIRST },
      { kind: 'enter', line: SECOND, goesOn: false },
    ]);
  });

  test('plays on over its old line if no other can be had', () => {
    const room = inside();
    room.rejoin();
    room.attemptFailed('no broker');
    expect(room.status.kind).toBe('here');
    room.setVoice('on');
    expect(effectsOf(room)).toContainEqual(expect.objectContaining({ kind: 'send', line: FIRST }));
  });

  test('does nothing while another line is being opened: that attempt goes on', () => {
    const room = inside();
    room.rejoin();
    room.rejoin();
    expect(effectsOf(room)).toHaveLength(1);
  });
});
