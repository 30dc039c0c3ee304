import { describe, expect, test } from 'vitest';
import type { LineId } from '../../../../src/core/room/line.ts';
import { writeMessage } from '../../../../src/core/room/messages.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { keyOf } from '../../../support/keys.ts';
import { ROSTER, slot } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';

const EVE = { key: keyOf('Eve'), page: 'page of Eve' };
const JOIN = writeMessage({ kind: 'join', ...newProfile('Eve'), colour: null, keeps: null });

/** The answer of this guest to a page that asks it to come in; null if there is none. */
function answerOf(desk: GuestDesk): unknown {
  desk.done();
  desk.room.lineOpened(7 as LineId, EVE);
  desk.room.receive(7 as LineId, JOIN);
  let said: unknown = null;
  desk.room.drain((effect) => {
    if (effect.kind === 'send' && effect.line === 7) said = JSON.parse(effect.text);
  });
  return said;
}

describe('[F4.28] a page that is no host and is asked to come in', () => {
  test('says so at once, and which host it has', () => {
    const bye = { kind: 'bye', reason: 'host left', next: ROSTER.host, handover: null };
    expect(answerOf(GuestDesk.inside())).toEqual(bye);
  });

  test('says so also while it looks for a host itself', () => {
    expect(answerOf(new GuestDesk())).toEqual({
      kind: 'bye',
      reason: 'host left',
      next: null,
      handover: null,
    });
  });

  test('says nothing while it votes for itself: it may be host in a moment', () => {
    const desk = GuestDesk.inside();
    const eve = {
      ...ROSTER.players[1],
      slot: slot(3),
      id: EVE.page,
      key: EVE.key,
      presence: 'here',
    } as const;
    const ada = { ...ROSTER.players[1], presence: 'here' } as const;
    const roster = { ...ROSTER, epoch: ROSTER.epoch + 1, players: [ROSTER.players[0], ada, eve] };
    desk.receive(1, { kind: 'roster', roster });
    desk.room.lineOpened(7 as LineId, EVE);
    desk.isSilent = true;
    desk.run(1600);
    expect(answerOf(desk)).toBeNull();
  });

  test('counts as malformed what no page says to a guest', () => {
    const desk = GuestDesk.inside();
    desk.room.receive(1 as LineId, writeMessage({ kind: 'bye', returns: true }));
    expect(desk.room.rejected).toEqual({ malformed: 1 });
  });
});

describe('[F4.28] a page that is told so', () => {
  test('goes on to look for the room, and closes that line', () => {
    const desk = new GuestDesk();
    desk.opened(1);
    desk.done();
    desk.receive(1, { kind: 'bye', reason: 'host left', next: slot(1), handover: null });
    expect([desk.status, desk.room.takesLine, desk.done()]).toEqual(['joining', true, ['close on 1']]);
    desk.opened(2);
    desk.receive(2, WELCOME);
    expect(desk.status).toBe('here');
  });
});
