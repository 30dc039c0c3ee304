import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_MESSAGE_LENGTH } from '../../../../src/core/room/fields.ts';
import type { Lineage, Link } from '../../../../src/core/room/identity/lineage.ts';
import {
  checksOf,
  chosenBy,
  extended,
  hasPlayer,
  MAX_PARTS,
  PARTS_OF_ROSTER,
  newLineage,
  relationOf,
  roomIdOf,
  rosterOfChoice,
  slotIn,
  wasLetIn,
} from '../../../../src/core/room/identity/lineage.ts';
import { readLineage } from '../../../../src/core/room/identity/lineage-reader.ts';
import { isMajority, nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import {
  alone,
  byHandover,
  byVotes,
  FOUNDED,
  handoverToTerm,
  isBelieved,
  lineageOf,
  PLAYERS,
  signedRoster,
  voteBy,
} from './lineage-samples.ts';

describe('[P5.1] [P5.2] a lineage is believed', () => {
  const toOne = nextTerm(0, 1 as Slot);
  test.each<[string, Lineage]>([
    ['of a founder', FOUNDED],
    ['with a handover', lineageOf(byHandover(0, 1))],
    ['with the votes of a majority', lineageOf(byVotes())],
    ['of a player that goes on alone', lineageOf(alone(3))],
    ['of a player that goes on alone, and was taken for away', lineageOf(alone(5))],
    ['with one handover after another', lineageOf(byHandover(0, 1), byHandover(1, 2, toOne))],
    ['with a handover after votes', lineageOf(byVotes(), byHandover(1, 2, toOne))],
  ])('%s', (_, lineage) => {
    expect(isBelieved(lineage)).toBe(true);
    expect(readLineage(JSON.parse(JSON.stringify(lineage)))).toEqual(lineage);
  });
});

describe('[P5.2] [P5.3] [P7.1] a lineage is not believed', () => {
  const stranger = keyOf('a stranger');
  const [first, second] = byVotes().votes;
  const swapped = [first, second, { slot: 3 as Slot, signature: voteBy(3, PLAYERS[2]) }];
  const toOne = nextTerm(0, 1 as Slot);
  test.each<[string, Link]>([
    ['with one vote too few', byVotes([1, 2])],
    ['with one vote more than a majority', byVotes([1, 2, 3, 4])],
    ['with the vote of a player that was away', byVotes([1, 2, 5])],
    ['with the vote of the host', byVotes([1, 2, 0])],
    ['with one vote twice', byVotes([1, 2, 2])],
    ['with a vote under another roster', byVotes([1, 2, 3], { roster: signedRoster({ epoch: 2 }) })],
    ['with a vote for another player', byVotes([1, 2, 3], { votes: swapped })],
    [
      'with a vote by another player’s key',
      byVotes([], { votes: [first, second, { ...first, slot: 3 as Slot }] }),
    ],
    ['with votes of another term', byVotes([1, 2, 3], { roster: signedRoster({ term: 8 }) })],
    ['with a term that the slot does not have', byVotes([1, 2, 3], { term: toOne + 1 })],
    [
      'with a roster that the host has not signed',
      byVotes([1, 2, 3], { roster: signedRoster({}, PLAYERS[1]) }),
    ],
    [
      'with a roster that was changed later',
      byVotes([1, 2, 3], { roster: { ...signedRoster(), locked: true } }),
    ],
    [
      'with a roster from which voters are missing',
      byVotes([1, 2, 3], { roster: { ...signedRoster(), electors: signedRoster().electors.slice(0, 4) } }),
    ],
    ['whose handover the heir has signed', byHandover(0, 1, 0, PLAYERS[1])],
    ['whose handover names another', { ...byHandover(0, 1), key: PLAYERS[2] }],
    ['whose handover is of another term', { ...byHandover(0, 1), term: toOne + 8 }],
    ['with a signed handover to a term that is no newer', handoverToTerm(0)],
    ['of one alone that is not in the roster', { ...alone(1), key: stranger }],
    ['of the host itself alone', alone(0)],
    ['of one alone by a roster of its own', alone(1, signedRoster({}, PLAYERS[1]))],
  ])('%s', (_, link) => {
    expect(isBelieved(lineageOf(link))).toBe(false);
  });

  test('in another room', () => {
    expect(isBelieved({ ...lineageOf(byHandover(0, 1)), salt: 'another salt' })).toBe(false);
    expect(isBelieved({ ...lineageOf(byVotes()), salt: 'another salt' })).toBe(false);
  });

  test('if the host before had handed over to somebody else', () => {
    expect(isBelieved(lineageOf(byHandover(0, 2), byVotes()))).toBe(false);
  });
});

describe('[P5.1] a lineage has a player', () => {
  const key = keyOf('somebody else');
  test.each<[string, Lineage, number, boolean]>([
    ['that founded the room', FOUNDED, 0, true],
    ['that was host', lineageOf(byHandover(0, 1)), 1, true],
    ['that was a guest when the host changed', lineageOf(byVotes()), 4, true],
    ['but none that came later', lineageOf(byHandover(0, 1)), 2, false],
  ])('%s', (_, lineage, who, expected) => {
    expect(hasPlayer(lineage, PLAYERS[who])).toBe(expected);
    expect(hasPlayer(lineage, key)).toBe(false);
  });
});

describe('[P6.1] [P7.2] the relation of another lineage to one’s own', () => {
  const one = lineageOf(byHandover(0, 1));
  const toOne = nextTerm(0, 1 as Slot);
  test.each<[string, Lineage, Lineage]>([
    ['same', one, one],
    ['successor', one, FOUNDED],
    ['successor', lineageOf(byHandover(0, 1), byHandover(1, 2, toOne)), one],
    ['successor', lineageOf(byVotes()), FOUNDED],
    ['weaker', lineageOf(alone(1)), FOUNDED],
    ['weaker', lineageOf(byHandover(0, 1), alone(2)), FOUNDED],
    ['weaker', FOUNDED, one],
    ['weaker', lineageOf(byVotes([2])), lineageOf(byHandover(0, 2))],
    ['home', FOUNDED, lineageOf(alone(1))],
    ['stronger', lineageOf(byHandover(0, 2)), lineageOf(alone(1))],
    ['weaker', lineageOf(alone(2)), lineageOf(alone(1))],
    ['stronger', lineageOf(byVotes()), lineageOf(byHandover(0, 2), alone(1))],
    ['weaker', lineageOf(byHandover(0, 2), alone(1)), lineageOf(byVotes())],
    ['weaker', FOUNDED, lineageOf(byHandover(0, 2), alone(1))],
    ['weaker', lineageOf(byVotes(), alone(1)), lineageOf(byHandover(0, 2), alone(1))],
    ['other room', { ...FOUNDED, salt: 'another salt' }, FOUNDED],
    ['other room', { ...FOUNDED, founder: keyOf('another founder') }, FOUNDED],
    ['other room', { ...FOUNDED, term: 8 }, FOUNDED],
  ])('%s', (relation, other, own) => {
    expect(relationOf(other, own)).toBe(relation);
  });
});

describe('[N3.7] the roster by which a majority chose another host after this one', () => {
  const toOne = nextTerm(0, 1 as Slot);
  test.each<[string, Lineage]>([
    ['by votes', lineageOf(byVotes())],
    ['by votes, and then a handover', lineageOf(byVotes(), byHandover(1, 2, toOne))],
  ])('%s', (_, other) => {
    expect(isBelieved(other)).toBe(true);
    expect(rosterOfChoice(other, FOUNDED)).toEqual(signedRoster());
  });

  test.each<[string, Lineage, Lineage]>([
    ['nobody was chosen', FOUNDED, FOUNDED],
    ['it handed the room over', lineageOf(byHandover(0, 1)), FOUNDED],
    ['the next host went on alone', lineageOf(alone(1)), FOUNDED],
    ['so did a later one', lineageOf(byVotes(), alone(1)), FOUNDED],
    ['they parted before', lineageOf(byVotes()), lineageOf(byHandover(0, 2))],
    ['it is another room', { ...lineageOf(byVotes()), salt: 'another salt' }, FOUNDED],
  ])('there is none if %s', (_, other, before) => {
    expect(rosterOfChoice(other, before)).toBeNull();
  });
});

test('[P5] a lineage whose host let one player be two can’t be true', () => {
  const link = byVotes();
  if (link.kind !== 'votes') throw new Error('it is no vote');
  expect(checksOf(lineageOf(link))).not.toBeNull();
  const [first, ...others] = link.roster.electors;
  const electors = [
    first,
    ...others.map((elector, i) => (i === 1 ? { ...elector, key: others[0].key } : elector)),
  ];
  expect(checksOf(lineageOf({ ...link, roster: { ...link.roster, electors } }))).toBeNull();
});

describe('[P5.1] the length of a lineage', () => {
  test('has a bound: one more change of host begins anew', () => {
    const full = lineageOf(...Array.from({ length: MAX_PARTS / PARTS_OF_ROSTER }, () => byVotes()));
    const link = byHandover(0, 2);
    expect(extended(lineageOf(), link).links).toEqual([link]);
    expect(extended(full, link)).toEqual(newLineage(PLAYERS[2], FOUNDED.salt, link.term));
    expect(roomIdOf(extended(full, link))).not.toBe(roomIdOf(full));
    expect(readLineage(full)).toEqual(full);
    expect(readLineage({ ...full, links: [...full.links, link] })).toBeNull();
  });

  test('counts a handover as an eighth of a change with a roster', () => {
    const handovers = Array.from({ length: PARTS_OF_ROSTER }, () => byHandover(0, 2));
    const votes = Array.from({ length: MAX_PARTS / PARTS_OF_ROSTER - 1 }, () => byVotes());
    const nearlyFull = lineageOf(...votes, ...handovers.slice(1));
    expect(extended(nearlyFull, handovers[0]).links).toHaveLength(nearlyFull.links.length + 1);
    expect(extended(nearlyFull, byVotes()).links).toEqual([]);
    expect(extended(lineageOf(...votes, ...handovers), handovers[0]).links).toEqual([]);
  });

  test('in the largest welcome that honest pages make fits a message', () => {
    const keys = Array.from({ length: 8 }, (_, i) => keyOf(`${i}`));
    const signature = signatureOf(keys[0], '');
    const electors = keys.map((key, i) => ({ slot: i as Slot, key, isAway: false }));
    const roster = { ...signedRoster({ term: 65_535, epoch: 99_999, electors }), signature };
    const needed = Array.from({ length: 7 }, (_, i) => i + 1).find((count) => isMajority(count, 7)) ?? 7;
    const votes = electors.slice(0, needed).map(({ slot }) => ({ slot, signature }));
    const link: Link = { kind: 'votes', term: 65_535, key: keys[1], roster, votes };
    const secret = 'x'.repeat(36);
    const lineage = {
      founder: keys[0],
      salt: secret,
      term: 65_535,
      links: Array<Link>(MAX_PARTS / PARTS_OF_ROSTER).fill(link),
    };
    const players = keys.map((key, i) => {
      const rest = { presence: 'here', voice: 'muted', roundTripMs: 65_535, key };
      return { slot: i, name: '"'.repeat(32), id: 'x'.repeat(64), ...rest };
    });
    const shown = { host: 1, capacity: 8, locked: false, players, term: 65_535, epoch: 99_999, signature };
    const keeps = { slot: 7, connection: 0x7fffffff, goesOn: false, term: 65_535, lineage, door: secret };
    const level = { name: 'castle', seed: 0xffffffff, count: 2048 };
    const home = { host: 7, term: 65_535 };
    const welcome = JSON.stringify({ kind: 'welcome', ...keeps, home, level, roster: shown });
    const lengths = { lineage: JSON.stringify(lineage).length, welcome: welcome.length };
    console.info(
      `the largest lineage and welcome: ${JSON.stringify(lengths)} of ${MAX_MESSAGE_LENGTH} characters`,
    );
    expect(lengths.welcome).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  });
});

describe('[F4.23] the voters of another host of the room', () => {
  const toOne = nextTerm(0, 1 as Slot);

  test('are those of its last vote since the two parted', () => {
    expect(chosenBy(lineageOf(byVotes([1, 2, 4])), FOUNDED)).toEqual([1, 2, 4].map((who) => PLAYERS[who]));
    expect(chosenBy(lineageOf(byVotes(), byHandover(1, 2, toOne)), FOUNDED)).toHaveLength(3);
    expect(chosenBy(lineageOf(byVotes()), lineageOf(byHandover(0, 2)))).toHaveLength(3);
  });

  test('are nobody if it is the same host, was named, or went on without a majority', () => {
    expect(chosenBy(lineageOf(byVotes()), lineageOf(byVotes()))).toEqual([]);
    expect(chosenBy(FOUNDED, lineageOf(byVotes()))).toEqual([]);
    expect(chosenBy(lineageOf(byHandover(0, 1)), FOUNDED)).toEqual([]);
    expect(chosenBy(lineageOf(alone(3)), FOUNDED)).toEqual([]);
    expect(chosenBy(lineageOf(byVotes(), { ...alone(3), term: toOne + 8 }), FOUNDED)).toEqual([]);
  });
});

describe('[F4.25] another host of the room', () => {
  test('was let in by the last common host, or was not', () => {
    expect(wasLetIn(PLAYERS[3], lineageOf(alone(3)), FOUNDED)).toBe(true);
    expect(wasLetIn(keyOf('a stranger'), lineageOf(alone(3)), FOUNDED)).toBe(false);
    expect(wasLetIn(PLAYERS[1], lineageOf(byHandover(0, 1)), FOUNDED)).toBe(false);
    expect(wasLetIn(PLAYERS[3], lineageOf(alone(3)), newLineage(PLAYERS[0], 'another salt'))).toBe(false);
  });

  test('had this slot, if a roster has it', () => {
    expect(slotIn(lineageOf(alone(3)), PLAYERS[3])).toBe(3);
    expect(slotIn(lineageOf(alone(3)), keyOf('a stranger'))).toBeNull();
    expect(slotIn(FOUNDED, PLAYERS[0])).toBeNull();
  });
});
