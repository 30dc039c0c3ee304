import { describe, expect, test } from 'vitest';
import type { Absence, Rivalry, Survivor, Vacancy, Voter } from '../../../src/core/room/election.ts';
import {
  hostToFollow,
  hostToReturnTo,
  hostToStepDownFor,
  isElected,
  voteOf,
} from '../../../src/core/room/election.ts';
import type { Ballot, Standing } from '../../../src/core/room/messages.ts';
import { nextTerm } from '../../../src/core/room/term.ts';
import { keyOf } from '../../support/keys.ts';
import { SIGNATURE, slot } from './samples.ts';

/** The term of the host that is missing, in slot 0. */
const TERM = 14;

/** The epoch of the last signed roster. */
const EPOCH = 3;

/** A signed vote for a player; null for nobody. */
function ballotFor(vote: number | null): Ballot | null {
  return vote === null ? null : { epoch: EPOCH, candidate: keyOf(`${vote}`), signature: SIGNATURE };
}

/** The standing of player `who`: its host, the term of that host, and whether `who` hears that host. */
function voter(who: number, host: number, term: number, hears: boolean, vote: number | null = null): Voter {
  const voted = vote === null ? null : slot(vote);
  const ballot = ballotFor(vote);
  const standing: Standing = { kind: 'standing', host: slot(host), term, hears, vote: voted, ballot };
  return { slot: slot(who), standing, ageMs: 0 };
}

/** A guest that misses the host in slot 0, and votes. */
function misses(who: number, vote: number): Voter {
  return voter(who, 0, TERM, false, vote);
}

/** A guest that says it is host, in the term that its slot would have, or follows such a guest. */
function names(who: number, host: number, hears = true): Voter {
  return voter(who, host, nextTerm(TERM, slot(host)), hears);
}

/** The guest in slot 2 misses its host; the guests 1, 3 and 4 may be there, and have a vote as it has. */
function vacancy(voters: readonly Voter[], vote: number | null = null): Vacancy {
  const others = [1, 3, 4].map(slot);
  const voted = vote === null ? null : slot(vote);
  const electors = [1, 2, 3, 4].map(slot);
  return { self: slot(2), term: TERM, others, voters, vote: voted, ballot: ballotFor(vote), electors };
}

describe('[H8] the term of a new host', () => {
  test('[H8.4] is newer than the term before; of several new terms the lowest slot has the newest', () => {
    for (const term of [0, 14, 65_520, 65_535]) {
      const next = Array.from({ length: 32 }, (_, who) => nextTerm(term, slot(who)));
      const ahead = next.map((other) => (other - term) & 0xffff);
      expect(Math.max(...ahead)).toBeLessThan(64);
      expect(Math.min(...ahead)).toBeGreaterThan(0);
      expect(ahead).toEqual([...ahead].sort((a, b) => b - a));
      expect(new Set(ahead).size).toBe(32);
    }
  });
});

describe('[F4] the vote of a guest that misses its host', () => {
  test.each<[string, Voter[], number | null, number | null]>([
    ['is its own, if it hears nobody', [], null, 2],
    ['is the lowest of those that vote for themselves', [misses(3, 3), misses(1, 1)], null, 1],
    ['is its own, if only higher slots miss the host', [misses(3, 3)], null, 2],
    ['is not for one that votes for another', [misses(1, 3)], null, 2],
    ['stays with a player that still votes for itself', [misses(3, 3), misses(1, 1)], 3, 3],
    ['changes when that player votes for another', [misses(3, 1), misses(1, 1)], 3, 1],
    ['is nobody’s while another guest hears the host', [misses(1, 1), voter(3, 0, TERM, true)], null, null],
    ['does not mind who hears a host of another term', [voter(3, 0, TERM - 8, true)], null, 2],
  ])('[F4.4] %s', (_, voters, before, expected) => {
    expect(voteOf(vacancy(voters, before))).toBe(expected);
  });

  test('[F4.22] goes to nobody that the last host took for away', () => {
    const others = { electors: [3, 4].map(slot) };
    expect(voteOf({ ...vacancy([misses(3, 3), misses(1, 1)]), ...others })).toBe(3);
    expect(voteOf({ ...vacancy([misses(1, 1)], 1), ...others })).toBeNull();
    expect(voteOf({ ...vacancy([misses(1, 1)], 1), electors: null })).toBe(1);
    const away = { ...vacancy([misses(3, 2)], 2), electors: [slot(3)] };
    expect([voteOf(away), isElected(away)]).toEqual([null, false]);
  });

  test('[F4.5] makes it host with a strict majority of the guests that have a vote, heard or not', () => {
    const votes = [misses(3, 2), misses(4, 2)];
    expect(isElected(vacancy(votes, 2))).toBe(true);
    expect(isElected(vacancy(votes.slice(1), 2))).toBe(false);
    expect(isElected({ ...vacancy(votes.slice(1), 2), electors: [2, 3, 4].map(slot) })).toBe(true);
    expect(isElected({ ...vacancy([], 2), electors: [slot(2)] })).toBe(false);
  });

  test('[F4.5] [P5] makes it host only by signed votes under one roster, and with its own', () => {
    const [third, fourth] = [misses(3, 2), misses(4, 2)];
    const withBallot = (ballot: Ballot | null): Vacancy => {
      return vacancy([third, { ...fourth, standing: { ...fourth.standing, ballot } }], 2);
    };
    expect(isElected(withBallot(ballotFor(2)))).toBe(true);
    expect(isElected(withBallot(null))).toBe(false);
    expect(isElected(withBallot({ epoch: EPOCH - 1, candidate: keyOf('2'), signature: SIGNATURE }))).toBe(
      false,
    );
    expect(isElected(withBallot(ballotFor(1)))).toBe(false);
    expect(isElected({ ...vacancy([third, fourth], 2), ballot: null })).toBe(false);
    expect(isElected({ ...vacancy([third, fourth], 2), electors: null })).toBe(false);
    expect(isElected({ ...vacancy([third, fourth], 2), vote: null })).toBe(false);
  });

  test('[F4.5] does not count votes for a lower slot, of strangers, of other terms, or that are old', () => {
    const votes = [misses(3, 2), misses(4, 2)];
    expect(isElected(vacancy([...votes, misses(1, 1)], 2))).toBe(false);
    expect(isElected({ ...vacancy(votes, 2), electors: [1, 2, 3, 5].map(slot) })).toBe(false);
    expect(isElected(vacancy([votes[0], voter(4, 0, TERM - 8, false, 2)], 2))).toBe(false);
    expect(isElected(vacancy([votes[0], { ...votes[1], ageMs: 1501 }], 2))).toBe(false);
    expect(isElected(vacancy([votes[0], { ...votes[1], ageMs: 1500 }], 2))).toBe(true);
  });
});

describe('[F4] a guest that misses its host', () => {
  function absence(voters: readonly Voter[], more: Partial<Absence> = {}): Absence {
    return { ...vacancy(voters), next: null, hasWaited: false, ...more };
  }

  test('[F4.9] follows a newer host that a majority of the guests names, or has voted for', () => {
    const [self, friend] = [names(1, 1), names(3, 1)];
    expect(hostToFollow(absence([self]))).toBeNull();
    expect(hostToFollow(absence([self, friend]))).toBeNull();
    expect(hostToFollow(absence([self, friend, names(4, 1)]))).toBe(1);
    expect(hostToFollow(absence([self, friend], { vote: slot(1) }))).toBe(1);
    expect(hostToFollow(absence([self, misses(3, 1)], { vote: slot(1) }))).toBe(1);
  });

  test('[F4.9] believes one player alone only if the host has named it, or after a long wait', () => {
    const liar = names(1, 1);
    expect(hostToFollow(absence([liar], { next: slot(1) }))).toBe(1);
    expect(hostToFollow(absence([liar], { next: slot(3) }))).toBeNull();
    expect(hostToFollow(absence([liar], { hasWaited: true }))).toBe(1);
    expect(hostToFollow(absence([names(1, 3)], { hasWaited: true }))).toBeNull();
    expect(hostToFollow(absence([voter(1, 1, TERM - 8, true)], { hasWaited: true }))).toBeNull();
  });

  test('[F4.9] follows on the word of others nobody whom it hears deny it: too early a question stays unanswered', () => {
    const word = names(3, 1);
    expect(hostToFollow(absence([word, misses(4, 1)], { vote: slot(1) }))).toBe(1);
    expect(hostToFollow(absence([word, misses(4, 1), misses(1, 1)], { vote: slot(1) }))).toBeNull();
    expect(hostToFollow(absence([word, misses(4, 1), names(1, 1)], { vote: slot(1) }))).toBe(1);
  });

  test('[F4.9] follows the newest of several', () => {
    expect(hostToFollow(absence([names(3, 3), names(1, 1)], { hasWaited: true }))).toBe(1);
  });
});

describe('[F4] a guest that hears its host', () => {
  const home = { host: slot(0), term: TERM };
  const term = nextTerm(TERM, slot(3));
  const survivor = (voters: readonly Voter[], more: Partial<Survivor> = {}): Survivor => {
    return { term, home, voters, ...more };
  };

  test('[F4.9] follows nobody else, whoever says what, if a majority has chosen that host', () => {
    const others = [1, 3, 4, 5, 6].map((who) => names(who, 1));
    expect(hostToReturnTo(survivor([...others, voter(0, 0, TERM, true)], { home: null }))).toBeNull();
  });

  test('[F4.14] else returns to the host that the majority had, once it hears that host itself', () => {
    expect(hostToReturnTo(survivor([voter(0, 0, TERM, true)]))).toBe(0);
    expect(hostToReturnTo(survivor([voter(0, 0, TERM, false)]))).toBeNull();
    expect(hostToReturnTo(survivor([voter(1, 0, TERM, true)]))).toBeNull();
    expect(hostToReturnTo(survivor([voter(0, 0, TERM + 8, true)]))).toBeNull();
  });

  test('[F4.14] or goes to a newer host that two players name, one of them that host itself', () => {
    expect(hostToReturnTo(survivor([names(1, 1)]))).toBeNull();
    expect(hostToReturnTo(survivor([names(1, 1), names(4, 1)]))).toBe(1);
    expect(hostToReturnTo(survivor([names(3, 1), names(4, 1)]))).toBeNull();
    expect(hostToReturnTo(survivor([names(5, 5), names(4, 5)]))).toBeNull();
  });
});

describe('[F4] a host', () => {
  const [older, newer] = [TERM, nextTerm(TERM, slot(2))];
  const rivalry = (voters: readonly Voter[], more: Partial<Rivalry> = {}): Rivalry => {
    const present = [1, 2, 3].map(slot);
    return { self: slot(0), term: older, home: null, hasGuests: true, present, voters, rival: null, ...more };
  };

  test('[F4.10] never steps down for itself, whatever term a liar gives it', () => {
    const lies = [voter(1, 0, newer, true), voter(2, 0, newer, true)];
    expect(hostToStepDownFor(rivalry(lies, { hasGuests: false }))).toBeNull();
    expect(hostToStepDownFor(rivalry(lies))).toBeNull();
  });

  test('[F4.23] steps down for a newer host whose voters are most of them and its guests, and at least two', () => {
    const rival = { host: slot(2), term: newer, prevails: false, voters: 2, mayBeOlder: false };
    const hears = [voter(2, 2, newer, true)];
    const present = [slot(1)];
    expect(hostToStepDownFor(rivalry(hears, { rival, present }))).toBe(2);
    expect(hostToStepDownFor(rivalry(hears, { rival, present: [1, 3].map(slot) }))).toBeNull();
    expect(hostToStepDownFor(rivalry(hears, { rival: { ...rival, voters: 1 }, present: [] }))).toBeNull();
    expect(hostToStepDownFor(rivalry(hears, { rival, present, term: newer + 8 }))).toBeNull();
    // Two hosts that follow the same one have terms of their own: which is newer says nothing.
    const older = { rival: { ...rival, mayBeOlder: true }, present, term: newer + 8 };
    expect(hostToStepDownFor(rivalry(hears, older))).toBe(2);
  });

  test('[F4.23] [F4.24] but only while it hears from the other host itself that it has guests', () => {
    const rival = { host: slot(2), term: newer, prevails: true, voters: 2, mayBeOlder: false };
    const present = [slot(1)];
    const others = [
      [],
      [voter(2, 2, newer, false)],
      [voter(1, 2, newer, true)],
      [voter(2, 2, newer + 8, true)],
    ];
    for (const voters of others) expect(hostToStepDownFor(rivalry(voters, { rival, present }))).toBeNull();
  });

  test('[F4.24] a host without a majority steps down for the host that has it, older or newer', () => {
    const rival = { host: slot(2), term: older, prevails: true, voters: 0, mayBeOlder: false };
    expect(hostToStepDownFor(rivalry([voter(2, 2, older, true)], { rival, term: newer }))).toBe(2);
  });

  test('[F4.10] steps down for a newer host that a majority of its guests names, and never for one guest', () => {
    const voters = [voter(1, 2, newer, true), voter(2, 2, newer, true)];
    expect(hostToStepDownFor(rivalry(voters))).toBe(2);
    expect(hostToStepDownFor(rivalry(voters.slice(1)))).toBeNull();
    expect(hostToStepDownFor(rivalry(voters.slice(1), { present: [slot(2)] }))).toBeNull();
    expect(hostToStepDownFor(rivalry(voters, { present: [1, 2, 3, 4].map(slot) }))).toBeNull();
    expect(hostToStepDownFor(rivalry(voters, { term: newer + 8 }))).toBeNull();
  });

  test('[F4.10] does not step down for players that vote for it: they have no majority, and come back', () => {
    const voters = [1, 2].map((who) => {
      const { standing, ...rest } = voter(who, 2, newer, true);
      return { ...rest, standing: { ...standing, vote: slot(0) } };
    });
    expect(hostToStepDownFor(rivalry(voters))).toBeNull();
    expect(hostToStepDownFor(rivalry(voters, { self: slot(7) }))).toBe(2);
  });

  test('[F4.10] without guests steps down for a newer host that somebody hears', () => {
    expect(hostToStepDownFor(rivalry([voter(1, 2, newer, true)], { hasGuests: false }))).toBe(2);
  });

  test('[F4.12] does not step down for a host that nobody hears: two lonely hosts would both step down', () => {
    expect(hostToStepDownFor(rivalry([voter(2, 2, newer, false)], { hasGuests: false }))).toBeNull();
  });

  test('[F4.10] steps down for an older host only if it has no guests and the older host has some', () => {
    const alone = { self: slot(2), term: newer, hasGuests: false };
    const played = voter(0, 0, older, true);
    expect(hostToStepDownFor(rivalry([played], alone))).toBe(0);
    expect(hostToStepDownFor(rivalry([played], { term: newer }))).toBeNull();
    expect(hostToStepDownFor(rivalry([voter(0, 0, older, false)], alone))).toBeNull();
    expect(hostToStepDownFor(rivalry([voter(1, 0, older, true)], alone))).toBeNull();
    expect(hostToStepDownFor(rivalry([], alone))).toBeNull();
  });

  test('[F4.14] without a majority steps down for the host that had it, once it hears that host itself', () => {
    const home = { host: slot(0), term: older };
    const back = { self: slot(2), term: newer, home };
    expect(hostToStepDownFor(rivalry([voter(0, 0, older, true)], back))).toBe(0);
    expect(hostToStepDownFor(rivalry([voter(1, 0, older, true)], back))).toBeNull();
  });
});
