import { beforeEach, describe, expect, test } from 'vitest';
import { nextTerm } from '../../../../src/core/room/term.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Roster, Standing } from '../../../../src/core/room/messages.ts';
import { extended } from '../../../../src/core/room/identity/lineage.ts';
import { keyOf } from '../../../support/keys.ts';
import { LINEAGE, ROSTER, SIGNATURE, slot } from '../samples.ts';
import { GuestDesk, WELCOME } from './guest-desk.ts';

/** The guest in slot 2 has a host in slot 1, and standby lines to the guests 3 and 4. */
const OTHERS = [3, 4];
const PLAYERS = [...ROSTER.players, ...OTHERS.map((who) => playerIn(who))];
const ROOM: Roster = {
  ...ROSTER,
  players: PLAYERS.map((player) => ({ ...player, presence: 'here' })),
  capacity: 8,
};
/** The term that player 3 has as host. */
const NEWER = nextTerm(WELCOME.term, slot(3));

function playerIn(who: number): Roster['players'][number] {
  return { ...ROSTER.players[0], slot: slot(who), id: `page ${who}`, key: keyOf(`${who}`) };
}

/** The line to player `who`. */
function lineTo(who: number): LineId {
  return (100 + who) as LineId;
}

describe('[F4.9] a guest that has turned to a newer host and waits for its welcome', () => {
  let desk: GuestDesk;

  beforeEach(() => {
    desk = new GuestDesk();
    desk.opened(1);
    desk.receive(1, { ...WELCOME, roster: ROOM });
    for (const who of OTHERS)
      desk.room.lineOpened(lineTo(who), { page: `page ${who}`, key: keyOf(`${who}`) });
    desk.run(100);
    desk.isSilent = true;
    desk.run(2000);
    // It has called the door by then.
    desk.done();
    const vote = { epoch: ROSTER.epoch, candidate: keyOf('3'), signature: SIGNATURE };
    says(4, { host: slot(1), term: WELCOME.term, hears: false, vote: slot(3), ballot: vote });
    says(3, { host: slot(1), term: WELCOME.term, hears: false, vote: slot(3), ballot: null });
    desk.run(100);
    says(3, { host: slot(3), term: NEWER, hears: false, vote: null, ballot: null });
    desk.run(20);
    expect(asks()).toEqual(['send join on 103']);
  });

  function says(who: number, standing: Omit<Standing, 'kind'>): void {
    desk.receive(lineTo(who), { kind: 'standing', ...standing });
  }

  /** The effects since the last call, but for its standings. */
  function asks(): string[] {
    return desk.done().filter((words) => !words.startsWith('send standing'));
  }

  test('plays under its own host as soon as it hears it again', () => {
    expect(desk.status).toBe('lost');
    desk.isSilent = false;
    desk.run(100);
    expect(desk.status).toBe('here');
    says(3, { host: slot(3), term: NEWER, hears: false, vote: null, ballot: null });
    desk.receive(103, { ...WELCOME, term: NEWER });
    desk.run(2000);
    expect([desk.status, desk.room.welcome?.term]).toEqual(['here', WELCOME.term]);
  });

  test('closes a line to the door that opens only now, and still waits for that welcome', () => {
    desk.opened(9);
    expect(asks()).toEqual(['close on 9']);
    const link = { kind: 'handover', term: NEWER, key: keyOf('3'), signature: SIGNATURE } as const;
    desk.receive(103, { ...WELCOME, term: NEWER, lineage: extended(LINEAGE, link) });
    expect([desk.status, desk.room.welcome?.term]).toEqual(['here', NEWER]);
  });
});
