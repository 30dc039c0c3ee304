import { describe, expect, test } from 'vitest';
import type { Voter } from '../../../src/core/room/election.ts';
import { hostToFollow, hostToStepDownFor, isNextHost, nextTerm } from '../../../src/core/room/election.ts';
import { slot } from './samples.ts';

/** The standing of player `who`: its host, the term of that host, and whether `who` hears that host. */
function voter(who: number, host: number, term: number, hears: boolean): Voter {
  return { slot: slot(who), standing: { kind: 'standing', host: slot(host), term, hears } };
}

describe('[H8] the term of a new host', () => {
  test('[H8.4] is newer than the term before; of several new terms the lowest slot has the newest', () => {
    for (const term of [0, 14, 65_520, 65_535]) {
      const next = Array.from({ length: 8 }, (_, who) => nextTerm(term, slot(who)));
      const ahead = next.map((other) => (other - term) & 0xffff);
      expect(Math.max(...ahead)).toBeLessThan(16);
      expect(Math.min(...ahead)).toBeGreaterThan(0);
      expect(ahead).toEqual([...ahead].sort((a, b) => b - a));
      expect(new Set(ahead).size).toBe(8);
    }
  });
});

describe('[F4] a guest whose host is absent', () => {
  const vacancy = { self: slot(2), term: 14, next: null };

  test.each<[string, Voter[], boolean]>([
    ['becomes host if nobody else is there', [], true],
    ['becomes host if the other guests don’t hear the host either', [voter(3, 0, 14, false)], true],
    ['waits for a lower slot', [voter(1, 0, 14, false)], false],
    ['waits while another guest hears the host', [voter(3, 0, 14, true)], false],
    ['waits if another is host already', [voter(3, 3, nextTerm(14, slot(3)), false)], false],
    ['becomes host though another guest still has an older host', [voter(3, 1, 8, true)], true],
  ])('[F4.4] %s', (_, voters, leads) => {
    expect(isNextHost({ ...vacancy, voters })).toBe(leads);
  });

  test('[F4.6] becomes host at once if the host has named it; the others wait for the named guest', () => {
    const voters = [voter(1, 0, 14, true), voter(3, 0, 14, true)];
    expect(isNextHost({ ...vacancy, next: slot(2), voters })).toBe(true);
    expect(isNextHost({ ...vacancy, next: slot(3), voters: [voters[1]] })).toBe(false);
    expect(isNextHost({ ...vacancy, next: slot(3), voters: [] })).toBe(true);
  });

  test('[F4.9] [F4.14] follows a player that says it is host; a guest that hears its host needs a second player to say so', () => {
    const term = nextTerm(14, slot(1));
    expect(hostToFollow(14, true, [voter(1, 1, term, false)])).toBe(1);
    expect(hostToFollow(14, false, [voter(1, 1, term, true)])).toBeNull();
    expect(hostToFollow(14, false, [voter(1, 1, term, true), voter(3, 1, term, true)])).toBe(1);
    expect(hostToFollow(14, true, [voter(3, 1, term, false)])).toBeNull();
    expect(hostToFollow(term, true, [voter(0, 0, 14, true)])).toBeNull();
    const both = [voter(3, 3, nextTerm(14, slot(3)), true), voter(1, 1, term, true)];
    expect(hostToFollow(14, true, both)).toBe(1);
  });
});

describe('[F4] a host', () => {
  const [older, newer] = [14, nextTerm(14, slot(2))];

  test('[F4.10] [F4.14] steps down for a newer host when all its guests name that host', () => {
    const voters = [voter(1, 2, newer, true), voter(2, 2, newer, true)];
    expect(hostToStepDownFor(older, [slot(1)], voters)).toBe(2);
    expect(hostToStepDownFor(older, [slot(1), slot(3)], voters)).toBeNull();
    expect(hostToStepDownFor(older, [], [voter(1, 2, newer, true)])).toBe(2);
  });

  test('[F4.12] does not step down for a host that nobody hears: two lonely hosts would both step down', () => {
    expect(hostToStepDownFor(older, [], [voter(2, 2, newer, false)])).toBeNull();
  });

  test('[F4.10] steps down for an older host only if it has no guests and the older host has some', () => {
    const played = voter(0, 0, older, true);
    expect(hostToStepDownFor(newer, [], [played])).toBe(0);
    expect(hostToStepDownFor(newer, [slot(3)], [played])).toBeNull();
    expect(hostToStepDownFor(newer, [], [voter(0, 0, older, false)])).toBeNull();
    expect(hostToStepDownFor(newer, [], [voter(1, 0, older, true)])).toBeNull();
    expect(hostToStepDownFor(newer, [], [])).toBeNull();
  });
});
