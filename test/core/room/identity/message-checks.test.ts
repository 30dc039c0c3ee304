import { describe, expect, test } from 'vitest';
import { reignOf } from '../../../../src/core/room/identity/lineage.ts';
import type { RoomContext } from '../../../../src/core/room/identity/message-checks.ts';
import { checksOfMessage } from '../../../../src/core/room/identity/message-checks.ts';
import { statementOf } from '../../../../src/core/room/identity/roster-statement.ts';
import { handoverText, rosterText, voteText } from '../../../../src/core/room/identity/statements.ts';
import type { Roster } from '../../../../src/core/room/messages.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { WELCOME } from '../guest/guest-desk.ts';
import { ROSTER, SIGNATURE, slot, speaks } from '../samples.ts';
import { byHandover, FOUNDED, lineageOf, PLAYERS, ROOM } from './lineage-samples.ts';

const [HOST, ONE] = PLAYERS;
const FROM = { key: HOST, page: 'a page' };

function rosterWith(change: Partial<Roster> = {}): Roster {
  const players = [HOST, ONE].map((key, i) => ({ ...ROSTER.players[0], slot: slot(i), key }));
  const roster = { ...ROSTER, host: slot(0), players, ...change };
  return { ...roster, signature: signatureOf(HOST, rosterText(ROOM, statementOf(roster))) };
}

const ROSTER_CHECK = {
  key: HOST,
  text: rosterText(ROOM, statementOf(rosterWith())),
  signature: rosterWith().signature,
};
const CONTEXT: RoomContext = { room: ROOM, roster: rosterWith() };
const checks = (message: object, from = FROM, context: RoomContext = CONTEXT): unknown =>
  checksOfMessage(JSON.stringify(message), from, context);

describe('[P5] the signatures of a welcome', () => {
  const welcome = { ...WELCOME, slot: slot(1), lineage: FOUNDED, roster: rosterWith() };

  test('are those of its lineage and its roster', () => {
    expect(checks(welcome, FROM, null)).toEqual([ROSTER_CHECK]);
    const lineage = lineageOf(byHandover(1, 0));
    const { term } = reignOf(lineage);
    const later = { ...welcome, term, lineage, roster: rosterWith({ term }) };
    expect(checks(later)).toHaveLength(2);
    expect(checks({ ...welcome, roster: { ...rosterWith(), signature: null } })).toEqual([]);
  });

  test.each<[string, object]>([
    ['of another host than its lineage has', { lineage: { ...FOUNDED, founder: ONE } }],
    ['of another term than its lineage has', { term: 8 }],
    ['whose roster has another term', { roster: rosterWith({ term: 8 }) }],
    ['whose roster has another host', { slot: slot(0), roster: rosterWith({ host: slot(1) }) }],
    [
      'whose lineage can’t be',
      { lineage: lineageOf({ kind: 'handover', term: 0, key: HOST, signature: SIGNATURE }) },
    ],
  ])('can’t be right in one %s', (_, change) => {
    expect(checks({ ...welcome, ...change })).toBeNull();
  });

  test('can’t be right in one that another page sends', () => {
    expect(checks(welcome, { key: ONE, page: 'a page' })).toBeNull();
  });
});

describe('[P4] [P5] the signatures of other messages', () => {
  test('of a roster are its host’s, whoever passes it on; before the welcome there are none', () => {
    const message = { kind: 'roster', roster: rosterWith() };
    const before: RoomContext = { room: ROOM, roster: rosterWith({ epoch: 2 }) };
    expect(checks(message, FROM, before)).toEqual([ROSTER_CHECK]);
    expect(checks(message, { key: ONE, page: 'a page' }, before)).toEqual([ROSTER_CHECK]);
    expect(checks(message, FROM, null)).toEqual([]);
  });

  test('of a roster are not verified again while only voices and round trips change', () => {
    const players = rosterWith().players.map((player) => ({ ...player, voice: 'on', roundTripMs: 9 }));
    const roster = { ...rosterWith(), players };
    expect(checks({ kind: 'roster', roster })).toEqual([]);
    const isLocked = !roster.locked;
    expect(checks({ kind: 'roster', roster: { ...roster, locked: isLocked } })).toHaveLength(1);
    const signature = SIGNATURE;
    expect(checks({ kind: 'roster', roster: { ...roster, signature } })).toHaveLength(1);
  });

  test('of a standing are of its vote, by its sender', () => {
    const ballot = { epoch: 3, candidate: ONE, signature: SIGNATURE };
    const standing = { kind: 'standing', host: 0, term: 14, hears: false, vote: 1, ballot };
    const text = voteText(ROOM, { term: 14, epoch: 3, candidate: ONE });
    expect(checks(standing)).toEqual([{ key: HOST, text, signature: SIGNATURE }]);
    expect(checks({ ...standing, ballot: null })).toEqual([]);
    expect(checks(standing, FROM, null)).toEqual([]);
  });

  test('of a goodbye are of the handover, by its sender, to the player in that slot', () => {
    const bye = { kind: 'bye', reason: 'host left', next: 1, handover: SIGNATURE };
    const text = handoverText(ROOM, { term: 0, next: nextTerm(0, slot(1)), heir: ONE });
    expect(checks(bye)).toEqual([{ key: HOST, text, signature: SIGNATURE }]);
    for (const change of [{ next: null }, { handover: null }, { next: 5 }])
      expect(checks({ ...bye, ...change })).toEqual([]);
    expect(checks(bye, FROM, null)).toEqual([]);
    expect(checks({ kind: 'bye', returns: true })).toEqual([]);
  });

  test('of a host that says the room is elsewhere are of its lineage, which must end with it', () => {
    const message = { kind: 'elsewhere', lineage: lineageOf(byHandover(0, 1)) };
    expect(checks(message, { key: ONE, page: 'a page' })).toHaveLength(1);
    expect(checks(message)).toBeNull();
    expect(checks(message, { key: keyOf('Eve'), page: 'a page' })).toBeNull();
  });

  test('are none in nonsense, and in messages without any', () => {
    for (const message of [[], speaks('on'), { kind: 'welcome' }]) expect(checks(message)).toEqual([]);
  });
});
