import { beforeEach, describe, expect, test } from 'vitest';
import type { Voter } from '../../../../src/core/room/election.ts';
import { Ballots } from '../../../../src/core/room/guest/ballots.ts';
import { claimOf } from '../../../../src/core/room/guest/claim.ts';
import { entered, newStay } from '../../../../src/core/room/guest/guest-state.ts';
import { judgeWelcome } from '../../../../src/core/room/guest/judge-welcome.ts';
import { StandbyLines } from '../../../../src/core/room/guest/standby.ts';
import { checksOf, newLineage, relationOf, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import { voteText } from '../../../../src/core/room/identity/statements.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Roster, Welcome } from '../../../../src/core/room/messages.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { ROSTER, SIGNATURE, slot } from '../samples.ts';
import { byHandover, byVotes, FOUNDED, lineageOf, PLAYERS, ROOM } from '../identity/lineage-samples.ts';
import { WELCOME } from './guest-desk.ts';
import type { LevelRecipe } from '../../../../src/core/world/level-reference.ts';
import { gameLevels } from '../../../../src/levels/levels.ts';
import type { GuestState } from '../../../../src/core/room/guest/guest-state.ts';
import type { WelcomeVerdict } from '../../../../src/core/room/guest/judge-welcome.ts';
import type { RoomId } from '../../../../src/core/room/identity/key.ts';

/** Player 0 is host of players 1 to 4. */
const ROOM_ROSTER: Roster = {
  ...ROSTER,
  host: slot(0),
  capacity: 8,
  players: PLAYERS.slice(0, 5).map((key, i) => ({
    ...ROSTER.players[0],
    slot: slot(i),
    key,
    id: `page ${i}`,
  })),
};
const TERM = nextTerm(0, slot(1));

let asked: string[];
let ballots: Ballots;
beforeEach(() => {
  asked = [];
  ballots = new Ballots(ROOM, (text) => asked.push(text));
  ballots.receiveRoster(ROOM_ROSTER);
});

/** The signed vote of a player for player 1, as player 1 has heard it. */
function voter(who: number, epoch = 3, term = 0): Voter {
  const ballot = { epoch, candidate: PLAYERS[1], signature: signatureOf(PLAYERS[who], 'x') };
  const standing = { kind: 'standing', host: slot(0), term, hears: false, vote: slot(1), ballot } as const;
  return { slot: slot(who), standing, ageMs: 0 };
}

function verdictOn(
  state: GuestState,
  welcome: Welcome,
  room: RoomId | null,
  silentMs: number,
): WelcomeVerdict {
  return judgeWelcome(state, welcome, { room, levels: gameLevels }, silentMs);
}

describe('[P5] the evidence of a guest', () => {
  test('[P4.2] is the newest roster that its host has signed', () => {
    ballots.receiveRoster({ ...ROOM_ROSTER, epoch: 2, locked: false });
    ballots.receiveRoster({ ...ROOM_ROSTER, epoch: 9, signature: null });
    expect(ballots.roster).toBe(ROOM_ROSTER);
    expect(ballots.electorate).toEqual({ epoch: 3, slots: [1, 2, 3, 4] });
    const newer = { ...ROOM_ROSTER, epoch: 4, players: ROOM_ROSTER.players.slice(0, 3) };
    ballots.receiveRoster(newer);
    expect(ballots.electorate).toEqual({ epoch: 4, slots: [1, 2] });
    expect(new Ballots(ROOM, () => {}).electorate).toBeNull();
  });

  test('has its own vote, signed once for each candidate and epoch', () => {
    const text = voteText(ROOM, { term: 0, epoch: 3, candidate: PLAYERS[1] });
    expect([ballots.vote(slot(1), 0), ballots.vote(slot(1), 0)]).toEqual([null, null]);
    expect(asked).toEqual([text]);
    ballots.signed('another text', SIGNATURE);
    expect(ballots.ballot).toBeNull();
    ballots.signed(text, SIGNATURE);
    expect(ballots.vote(slot(1), 0)).toEqual({ epoch: 3, candidate: PLAYERS[1], signature: SIGNATURE });
    expect(ballots.vote(slot(2), 0), 'another candidate').toBeNull();
    expect(ballots.vote(slot(7), 0), 'nobody').toBeNull();
    expect(asked).toHaveLength(2);
  });

  test('[P5.3] makes a link of as many votes as are needed, and none without its own', () => {
    const voters = [2, 3, 4].map((who) => voter(who));
    expect(ballots.linkByVotes(slot(1), PLAYERS[1], TERM, voters)).toBeNull();
    ballots.vote(slot(1), 0);
    ballots.signed(asked[0], SIGNATURE);
    const link = ballots.linkByVotes(slot(1), PLAYERS[1], TERM, voters);
    expect(link).toMatchObject({ kind: 'votes', votes: [{ slot: 1 }, { slot: 2 }, { slot: 3 }] });
    expect(link === null ? null : checksOf(lineageOf(link))).toHaveLength(4);
    expect(ballots.linkByVotes(slot(1), PLAYERS[2], TERM, voters)).toBeNull();
    const mixed = ballots.linkByVotes(slot(1), PLAYERS[1], TERM, [voter(2, 2), voter(3)]);
    expect(mixed).toMatchObject({ votes: [{ slot: 1 }, { slot: 3 }] });
  });

  test('leaves out votes that would spoil a link: for the host of another term, and of players without a vote', () => {
    ballots.vote(slot(1), 0);
    ballots.signed(asked[0], SIGNATURE);
    const voters = [voter(2, 3, 16), voter(5), voter(3), voter(4)];
    const link = ballots.linkByVotes(slot(1), PLAYERS[1], TERM, voters);
    expect(link).toMatchObject({ votes: [{ slot: 1 }, { slot: 3 }, { slot: 4 }] });
  });

  test('[P5.5] makes no link of votes by an older roster', () => {
    ballots.vote(slot(1), 0);
    ballots.signed(asked[0], SIGNATURE);
    ballots.receiveRoster({ ...ROOM_ROSTER, epoch: 4 });
    expect(ballots.ballot).toBeNull();
    expect(ballots.linkByVotes(slot(1), PLAYERS[1], TERM, [voter(2), voter(3)])).toBeNull();
    ballots.vote(slot(1), 0);
    ballots.signed(asked[1], SIGNATURE);
    const votes = [voter(2), voter(3, 4), voter(4, 4)];
    const link = ballots.linkByVotes(slot(1), PLAYERS[1], TERM, votes);
    expect(link).toMatchObject({ votes: [{ slot: 1 }, { slot: 3 }, { slot: 4 }] });
  });

  test('[F4.22] [P7.1] makes a link of one alone only for a player of that roster', () => {
    expect(ballots.linkAlone(PLAYERS[1], TERM)).toMatchObject({ kind: 'alone', term: TERM, key: PLAYERS[1] });
    expect(ballots.linkAlone(keyOf('Eve'), TERM)).toBeNull();
    expect(ballots.linkAlone(PLAYERS[0], TERM)).toBeNull();
    const players = ROOM_ROSTER.players.map((player) => ({ ...player, presence: 'away' }) as const);
    ballots.receiveRoster({ ...ROOM_ROSTER, epoch: 4, players });
    expect(ballots.electorate?.slots).toEqual([]);
    expect(ballots.linkAlone(PLAYERS[1], TERM), 'though it was taken for away').not.toBeNull();
  });
});

function welcomeOf(change: Partial<Welcome> = {}): Welcome {
  return { ...WELCOME, slot: slot(1), lineage: FOUNDED, roster: ROOM_ROSTER, ...change };
}

function stayWith(welcome: Welcome): ReturnType<typeof newStay> {
  const none = (): void => {};
  return newStay(welcome, new StandbyLines({ dial: none, close: none, send: none }), none);
}

describe('[P5] the claim of a guest that becomes host', () => {
  test('has the handover of the host before', () => {
    const handover = SIGNATURE;
    const decision = { kind: 'become host', by: 'handover', handover, home: null } as const;
    const claim = claimOf(stayWith(welcomeOf()), decision, true);
    const links = [{ kind: 'handover', term: TERM, key: PLAYERS[1], signature: handover } as const];
    expect(claim).toEqual({ term: TERM, home: null, awaitsHost: false, lineage: lineageOf(...links) });
  });

  test('begins anew without evidence, and is none for a player that its roster does not have', () => {
    const home = { host: slot(0), term: 0 };
    const unsigned = { ...ROOM_ROSTER, signature: null };
    const alone = { kind: 'become host', by: 'alone', home } as const;
    expect(claimOf(stayWith(welcomeOf({ roster: unsigned })), alone, true)?.lineage).toEqual(
      newLineage(PLAYERS[1], FOUNDED.salt, TERM),
    );
    expect(claimOf(stayWith(welcomeOf()), alone, true)?.lineage.links).toMatchObject([{ kind: 'alone' }]);
    expect(claimOf(stayWith(welcomeOf({ slot: slot(6) })), alone, true)).toBeNull();
  });
});

describe('[P3.2] [P6.1] the judgement on a welcome', () => {
  const joining = { kind: 'joining' } as const;
  const here = entered(1 as LineId, stayWith(welcomeOf()));
  const lost = { kind: 'lost', loss: { kind: 'broken' }, stay: here.stay } as const;
  const heirs = welcomeOf({ lineage: lineageOf(byHandover(0, 2)), term: nextTerm(0, slot(2)) });
  const playersOwn = welcomeOf({ lineage: newLineage(PLAYERS[2], 'another salt'), term: 16 });
  const strangers = welcomeOf({ lineage: newLineage(keyOf('Eve'), 'another salt'), term: 16 });

  test('before the guest is in, takes the room that was asked for, or any', () => {
    expect(verdictOn(joining, welcomeOf(), null, 0)).toBe('enter');
    expect(verdictOn(joining, welcomeOf(), ROOM, 0)).toBe('enter');
    expect(verdictOn(joining, strangers, ROOM, 0)).toBe('other room');
    expect(roomIdOf(FOUNDED)).toBe(ROOM);
  });

  test('takes no other host while the guest hears its own', () => {
    expect(verdictOn(here, heirs, null, 0)).toBe('not now');
    expect(verdictOn(here, welcomeOf(), null, 0)).toBe('enter');
  });

  test('takes a successor at once, another player after 8 s or under a host without a majority, a stranger never', () => {
    expect(verdictOn(lost, heirs, null, 0)).toBe('enter');
    expect(verdictOn(lost, playersOwn, null, 7999)).toBe('host without proof');
    expect(verdictOn(lost, playersOwn, null, 8000)).toBe('enter');
    const home = { host: slot(3), term: 0 };
    const small = { ...lost, stay: stayWith(welcomeOf({ home })) };
    expect(verdictOn(small, playersOwn, null, 0)).toBe('enter');
    expect(verdictOn(small, strangers, null, 60_000)).toBe('host without proof');
  });

  test('[F4.26] takes the host of this room for which its own has stepped down at once, in another room only its heir', () => {
    const sent = { ...lost, stay: stayWith(welcomeOf({ lineage: lineageOf(byVotes()) })) };
    const before = welcomeOf({ lineage: FOUNDED });
    expect(relationOf(before.lineage, sent.stay.welcome.lineage)).toBe('weaker');
    expect(verdictOn(sent, before, null, 0)).toBe('host without proof');
    sent.stay.succession.hostLeaves({ kind: 'bye', reason: 'host left', next: slot(0), handover: null });
    expect(verdictOn(sent, before, null, 0)).toBe('enter');
    lost.stay.succession.hostLeaves({ kind: 'bye', reason: 'host left', next: slot(2), handover: null });
    expect(verdictOn(lost, playersOwn, null, 0)).toBe('host without proof');
  });

  test('[B1.2] makes the level of a welcome once, unless the welcome is of another level', () => {
    let made = 0;
    const options = {
      room: null,
      levels: (recipe: LevelRecipe) => {
        made++;
        return gameLevels(recipe);
      },
    };
    expect(judgeWelcome(joining, welcomeOf(), options, 0)).toBe('enter');
    expect(made).toBe(1);
    expect(judgeWelcome(here, welcomeOf(), options, 0)).toBe('enter');
    expect(made).toBe(1);
    const level = { ...welcomeOf().level, hash: '0'.repeat(20) };
    expect(judgeWelcome(here, welcomeOf({ level }), options, 0)).toBe('other level');
    expect(made).toBe(2);
  });
});
