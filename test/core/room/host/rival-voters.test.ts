import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage, reignOf } from '../../../../src/core/room/identity/lineage.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf } from '../../../support/keys.ts';
import { ROSTER, SIGNATURE, slot } from '../samples.ts';
import {
  FORMER_HOST as ADA,
  HOST_KEY,
  HostDesk,
  stepsDown,
  underFormerHost,
  withGuest,
} from './host-desk.ts';

const [EVE, BOB] = [keyOf('Eve'), keyOf('Bob')];

describe('[F4.23] a host with a guest, and a host for which Ada and Bob have voted', () => {
  /** The room goes on under Ada by the votes of both. */
  function byVotes({ room }: HostDesk): Lineage {
    const { lineage, term } = room.tenure;
    const electors = [HOST_KEY, ADA, BOB].map((key, i) => ({ slot: slot(i), key, isAway: false }));
    const roster = {
      term,
      epoch: 1,
      host: slot(0),
      capacity: 4,
      locked: false,
      electors,
      signature: SIGNATURE,
    };
    const votes = [1, 2].map((i) => ({ slot: slot(i), signature: SIGNATURE }));
    return extended(lineage, { kind: 'votes', term: nextTerm(term, slot(1)), key: ADA, roster, votes });
  }

  /** Ada shows her lineage on line 9, and these players say that they play with her. */
  function stepsDownFor(desk: HostDesk, lineage: Lineage, players: readonly PublicKey[]): number | null {
    stepsDown(desk, lineage, ADA);
    const host = desk.room.roster.players.find(({ key }) => key === ADA)?.slot ?? null;
    if (host === null) return null;
    const { term } = lineage.links[0];
    players.forEach((key, i) => {
      if (key !== ADA) desk.open(20 + i, { key });
      const line = key === ADA ? 9 : 20 + i;
      desk.send(line, { kind: 'standing', host, term, hears: true, vote: null, ballot: null });
    });
    desk.tick();
    return desk.room.rivals.stepsDownFor === host ? host : null;
  }

  test('steps down as soon as it hears both', () => {
    const desk = withGuest();
    expect(stepsDownFor(desk, byVotes(desk), [ADA, BOB])).not.toBeNull();
  });

  test('stays while it hears Ada alone: a vote that once was cast may be an old one', () => {
    const desk = withGuest();
    expect(stepsDownFor(desk, byVotes(desk), [ADA])).toBeNull();
    expect(stepsDownFor(desk, byVotes(desk), [ADA, EVE])).toBeNull();
  });

  test('stays while Bob plays here, or as many others do', () => {
    const desk = withGuest();
    desk.admit(2, {}, { key: BOB, page: 'page of Bob' });
    expect(stepsDownFor(desk, byVotes(desk), [ADA])).toBeNull();
    const larger = withGuest();
    larger.admit(2);
    expect(stepsDownFor(larger, byVotes(larger), [ADA, BOB])).toBeNull();
  });
});

describe('[F4.37] a host for which Bob and Cleo have voted, and Ada, who was host before and is back', () => {
  const CLEO = keyOf('Cleo');
  const before = newLineage(ADA, 'a salt of Ada');

  /** Ada's room goes on under a player by the votes of these; the others are in the roster, too. */
  function votedFor(
    key: PublicKey,
    term: number,
    voters: readonly PublicKey[],
    others: readonly PublicKey[] = [],
  ): Lineage {
    const electors = [...voters, ...others].map((key, i) => ({ slot: slot(i + 2), key, isAway: false }));
    const roster = { ...ROSTER, signature: SIGNATURE, electors };
    const votes = voters.map((_, i) => ({ slot: slot(i + 2), signature: SIGNATURE }));
    return extended(before, { kind: 'votes', term, key, roster, votes });
  }

  function givenTo(key: PublicKey, term: number, from = before): Lineage {
    return extended(from, { kind: 'handover', term, key, signature: SIGNATURE });
  }

  type Meeting = {
    /** The players that say they play with the other host. */
    readonly there: readonly PublicKey[];
    /** Those that play with this host, besides a guest that came after the vote. */
    readonly here?: readonly PublicKey[];
    /** Those whom this host has removed. */
    readonly removed?: readonly PublicKey[];
    /** The age of this host when they meet, and for how long they are heard, in milliseconds. */
    readonly age?: number;
    readonly forMs?: number;
    /** Milliseconds for which the other host itself says nothing of them. */
    readonly silentMs?: number;
    readonly own?: Lineage;
    readonly other?: Lineage;
    /** The other host. */
    readonly host?: PublicKey;
  };

  /** True if the host steps down for the other one. */
  function stepsDownFor(meeting: Meeting): boolean {
    const { there, here = [], removed = [], age = 0, forMs = 3100, silentMs = 0 } = meeting;
    const { own: lineage = votedFor(HOST_KEY, 15, [BOB, CLEO], [HOST_KEY]) } = meeting;
    const { other = before, host: key = ADA } = meeting;
    const players = [ADA, BOB, CLEO, HOST_KEY].map((key, i) => ({
      ...ROSTER.players[0],
      slot: slot([1, 3, 4, 2][i]),
      key,
    }));
    const { term } = reignOf(lineage);
    const desk = new HostDesk({
      tenure: { term, lineage, door: 'a door', home: null },
      inherits: { ...ROSTER, host: slot(2), locked: false, players },
      capacity: 8,
    });
    [keyOf('a guest'), ...here, ...removed].forEach((key, i) =>
      desk.admit(11 + i, {}, { key, page: `page ${11 + i}` }),
    );
    const slotOf = (key: PublicKey): Slot | undefined =>
      desk.room.roster.players.find((player) => player.key === key)?.slot;
    for (const key of removed) desk.room.remove(slotOf(key) ?? slot(0));
    desk.run(age);
    stepsDown(desk, other, key);
    there.forEach((key, i) => desk.open(20 + i, { key }));
    const host = slotOf(key) ?? slot(0);
    const standing = { kind: 'standing', host, term: reignOf(other).term, hears: true } as const;
    const lines = there.map((_, i) => 20 + i);
    const begun = desk.now;
    for (const end = begun + forMs; desk.now < end;) {
      for (const line of desk.now < begun + silentMs ? lines : [9, ...lines])
        desk.send(line, { ...standing, vote: null, ballot: null });
      desk.run(100);
    }
    return desk.room.rivals.stepsDownFor === host;
  }

  test('steps down for her if its voters play with her again', () => {
    expect(stepsDownFor({ there: [BOB, CLEO] })).toBe(true);
    expect(stepsDownFor({ there: [BOB] })).toBe(true);
  });

  test('waits for 3 s: a player that tells each of two hosts that it plays with the other ends only one of them', () => {
    expect(stepsDownFor({ there: [BOB, CLEO], forMs: 2900 })).toBe(false);
    // They count from when she says so herself.
    expect(stepsDownFor({ there: [BOB, CLEO], silentMs: 500 })).toBe(false);
  });

  test('stays if more of its voters play here', () => {
    expect(stepsDownFor({ there: [BOB], here: [CLEO] })).toBe(false);
  });

  test('counts itself, though it got the room from the host that was chosen', () => {
    const own = givenTo(HOST_KEY, 15, votedFor(BOB, 11, [BOB, CLEO], [HOST_KEY]));
    expect(stepsDownFor({ there: [], own })).toBe(false);
    expect(stepsDownFor({ there: [CLEO], own })).toBe(true);
  });

  test('steps down for an heir of hers, too, but for nobody who was chosen instead of her', () => {
    expect(stepsDownFor({ there: [CLEO], other: givenTo(BOB, 11), host: BOB })).toBe(true);
    expect(stepsDownFor({ there: [CLEO], other: votedFor(BOB, 11, [BOB], [CLEO]), host: BOB })).toBe(false);
  });

  test('[F4.40] counts newcomers there in its first minute, and here afterwards', () => {
    expect(stepsDownFor({ there: [EVE], age: 50_000 })).toBe(true);
    expect(stepsDownFor({ there: [EVE], age: 60_000 })).toBe(false);
    // Its own guest came after the vote.
    expect(stepsDownFor({ there: [BOB], age: 50_000 })).toBe(true);
    expect(stepsDownFor({ there: [BOB], age: 60_000 })).toBe(false);
    expect(stepsDownFor({ there: [BOB, CLEO], age: 60_000 })).toBe(true);
  });

  test('[F4.40] counts nobody twice, and nobody whom it has removed', () => {
    expect(stepsDownFor({ there: [BOB, BOB], here: [CLEO] })).toBe(false);
    expect(stepsDownFor({ there: [BOB], removed: [BOB] })).toBe(false);
  });

  test('stays while it hears nobody but her: she may not say the truth', () => {
    expect(stepsDownFor({ there: [] })).toBe(false);
  });

  test('[F4.39] of two hosts with votes, one counts only voters of whom it has evidence', () => {
    // Nobody is expected to follow any more.
    const age = 30_000;
    const strangers = [EVE, keyOf('Fay'), keyOf('Gus'), keyOf('Hal')];
    const byStrangers = votedFor(EVE, 17, strangers);
    expect(stepsDownFor({ there: strangers.slice(1), other: byStrangers, host: EVE, age })).toBe(false);
    const byBoth = votedFor(BOB, 17, [BOB, CLEO]);
    expect(stepsDownFor({ there: [CLEO], other: byBoth, host: BOB, age })).toBe(true);
  });

  test('[F4.39] steps down for an older host with votes in its first minute only, and only if it has none itself', () => {
    const other = votedFor(BOB, 11, [BOB, CLEO]);
    const meeting = { there: [CLEO], other, host: BOB } as const;
    expect(stepsDownFor({ ...meeting, own: givenTo(HOST_KEY, 15), age: 30_000 })).toBe(true);
    expect(stepsDownFor({ ...meeting, own: givenTo(HOST_KEY, 15), age: 60_000 })).toBe(false);
    expect(stepsDownFor({ ...meeting, age: 30_000 })).toBe(false);
  });
});

describe('[F4.24] a host that went on without a majority, and Eve, for whom Bob, Cleo and she have voted', () => {
  const CLEO = keyOf('Cleo');

  /** True if the host steps down for Eve, who says that she has guests. @param here players that play with this host. */
  function stepsDownForEve(here: readonly PublicKey[]): boolean {
    const { desk, before } = underFormerHost();
    here.forEach((key, i) => desk.admit(10 + i, {}, { key, page: `page ${10 + i}` }));
    const electors = [EVE, BOB, CLEO].map((key, i) => ({ slot: slot(i + 2), key, isAway: false }));
    const roster = { ...ROSTER, signature: SIGNATURE, electors };
    const votes = electors.map((elector) => ({ slot: elector.slot, signature: SIGNATURE }));
    const lineage = extended(before, { kind: 'votes', term: 13, key: EVE, roster, votes });
    stepsDown(desk, lineage, EVE);
    const host = desk.room.roster.players.find(({ key }) => key === EVE)?.slot ?? slot(7);
    desk.send(9, { kind: 'standing', host, term: 13, hears: true, vote: null, ballot: null });
    desk.tick();
    return desk.room.rivals.stepsDownFor === host;
  }

  test('steps down for her, also if one of them plays here', () => {
    expect(stepsDownForEve([keyOf('a guest')])).toBe(true);
    expect(stepsDownForEve([BOB])).toBe(true);
  });

  test('stays if most of them play here by now', () => {
    expect(stepsDownForEve([BOB, CLEO])).toBe(false);
  });
});
