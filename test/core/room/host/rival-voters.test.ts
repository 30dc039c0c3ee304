import { describe, expect, test } from 'vitest';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage } from '../../../../src/core/room/identity/lineage.ts';
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

  /** True if the host steps down for Ada. @param playWithAda players that say so. @param here players of the host. */
  function stepsDownForAda(playWithAda: readonly PublicKey[], here: readonly PublicKey[] = []): boolean {
    const before = newLineage(ADA, 'a salt of Ada');
    const electors = [HOST_KEY, BOB, CLEO].map((key, i) => ({ slot: slot(i + 2), key, isAway: false }));
    const roster = { ...ROSTER, signature: SIGNATURE, electors };
    const votes = electors.map((elector) => ({ slot: elector.slot, signature: SIGNATURE }));
    const lineage = extended(before, { kind: 'votes', term: 15, key: HOST_KEY, roster, votes });
    const players = [ADA, BOB, CLEO, HOST_KEY].map((key, i) => ({
      ...ROSTER.players[0],
      slot: slot([1, 3, 4, 2][i]),
      key,
    }));
    const inherits = { ...ROSTER, host: slot(2), locked: false, players };
    const tenure = { term: 15, lineage, door: 'a door', home: null };
    const desk = new HostDesk({ tenure, inherits, capacity: 8 });
    desk.admit(11, {}, { key: keyOf('a guest'), page: 'page 11' });
    here.forEach((key, i) => desk.admit(12 + i, {}, { key, page: `page ${12 + i}` }));
    stepsDown(desk, before, ADA);
    const host = slot(1);
    const term = before.term;
    desk.send(9, { kind: 'standing', host, term, hears: true, vote: null, ballot: null });
    playWithAda.forEach((key, i) => {
      desk.open(20 + i, { key });
      desk.send(20 + i, { kind: 'standing', host, term, hears: true, vote: null, ballot: null });
    });
    desk.tick();
    return desk.room.rivals.stepsDownFor === host;
  }

  test('steps down for her if its voters play with her again', () => {
    expect(stepsDownForAda([BOB, CLEO])).toBe(true);
    expect(stepsDownForAda([BOB])).toBe(true);
  });

  test('stays if more of its voters play here', () => {
    expect(stepsDownForAda([BOB], [CLEO])).toBe(false);
  });

  test('counts itself, though it got the room from the host that was chosen', () => {
    const before = newLineage(ADA, 'a salt of Ada');
    const electors = [HOST_KEY, BOB, CLEO].map((key, i) => ({ slot: slot(i + 2), key, isAway: false }));
    const votes = [3, 4].map((i) => ({ slot: slot(i), signature: SIGNATURE }));
    const roster = { ...ROSTER, signature: SIGNATURE, electors };
    const chosen = extended(before, { kind: 'votes', term: 11, key: BOB, roster, votes });
    const lineage = extended(chosen, { kind: 'handover', term: 15, key: HOST_KEY, signature: SIGNATURE });
    const players = [{ ...ROSTER.players[0], slot: slot(1), key: ADA }];
    const inherits = { ...ROSTER, host: slot(2), locked: false, players };
    const desk = new HostDesk({
      tenure: { term: 15, lineage, door: 'a door', home: null },
      inherits,
      capacity: 8,
    });
    desk.admit(11, {}, { key: keyOf('a guest'), page: 'page 11' });
    stepsDown(desk, before, ADA);
    const standing = { kind: 'standing', host: slot(1), term: before.term, hears: true, vote: null } as const;
    desk.send(9, { ...standing, ballot: null });
    desk.tick();
    expect(desk.room.rivals.stepsDownFor).toBeNull();
    desk.open(20, { key: CLEO });
    desk.send(20, { ...standing, ballot: null });
    desk.tick();
    expect(desk.room.rivals.stepsDownFor).toBe(1);
  });

  test('counts nobody of whom it has no evidence, and nobody twice', () => {
    expect(stepsDownForAda([BOB, EVE], [CLEO])).toBe(false);
    expect(stepsDownForAda([BOB, BOB], [CLEO])).toBe(false);
  });

  test('stays while it hears nobody but her: she may not say the truth', () => {
    expect(stepsDownForAda([])).toBe(false);
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
