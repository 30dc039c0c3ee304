import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import { reignOf, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import { PROTOCOL_VERSION } from '../../../../src/core/room/messages.ts';
import { keyOf } from '../../../support/keys.ts';
import { LINEAGE } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';

const ROOM = roomIdOf(LINEAGE);
/** The welcome of a stranger that has founded a room of its own. */
const STRANGERS = { ...WELCOME, lineage: { ...LINEAGE, salt: 'another salt' } };

/** The page at the door does this to a page that asks to come in on line 2. */
const WORDS: readonly [string, (desk: GuestDesk) => void][] = [
  ['shows another room', (desk) => desk.receive(2, STRANGERS)],
  ['says that the room is full', (desk) => refuse(desk, 'full')],
  ['says that it was removed', (desk) => refuse(desk, 'removed')],
  ['says goodbye', (desk) => desk.receive(2, { kind: 'bye', reason: 'removed', next: null, handover: null })],
  ['speaks another version', (desk) => desk.room.attemptRefused()],
];

function refuse(desk: GuestDesk, reason: 'full' | 'removed'): void {
  desk.receive(2, { kind: 'refuse', reason, version: PROTOCOL_VERSION });
}

describe('a stranger that has the room’s door', () => {
  test.each(WORDS)('[F4.19] ends no room of a host that stepped down: it %s', (_, speak) => {
    const desk = new GuestDesk({ returns: true, room: ROOM, back: null });
    for (let again = 0; again < 3; again++) {
      desk.opened(2);
      speak(desk);
      expect(desk.status).toBe('joining');
      desk.run(3000);
    }
    desk.run(30_000);
    // It leads its room again then.
    expect(desk.status).toMatch(/^ended: (not found|no answer|blocked)$/);
  });

  test.each(WORDS)('[F4.19] nor on the line over which it stepped down: it %s', (_, speak) => {
    const desk = new GuestDesk({ returns: true, room: ROOM, back: 2 as LineId });
    speak(desk);
    expect(desk.status).toBe('joining');
  });

  test('[F4.29] takes nobody elsewhere, but a host that stepped down follows a player of its room', () => {
    const { key } = reignOf(STRANGERS.lineage);
    const came = [key, keyOf('Eve')].map((friend) => {
      const desk = new GuestDesk({ returns: true, room: ROOM, back: 2 as LineId, friend });
      desk.receive(2, STRANGERS);
      return desk.status;
    });
    expect(came).toEqual(['here', 'joining']);
  });

  test('[P3] ends the attempt of a friend with a link, and takes it nowhere else', () => {
    const desk = new GuestDesk({ room: ROOM });
    desk.opened(2);
    desk.receive(2, STRANGERS);
    expect([desk.status, desk.room.welcome]).toEqual(['ended: other room', null]);
    // Its seat is free at once in the room that it does not want.
    expect(desk.lastSent()).toEqual({ kind: 'bye', returns: false });
  });
});
