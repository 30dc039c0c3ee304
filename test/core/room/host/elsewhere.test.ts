import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import { DOOR_PREFIX } from '../../../../src/core/room/code.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf } from '../../../support/keys.ts';
import { ROSTER, SIGNATURE, slot } from '../samples.ts';
import { afterPlayer, HOST_KEY, HostDesk, stepsDown } from './host-desk.ts';

const [ADA, EVE, BOB] = [keyOf('Ada'), keyOf('Eve'), keyOf('Bob')];

/** Ada was host of the room before the desk's host: of what they have in common she is the last. */
function underAda(): { desk: HostDesk; before: Lineage } {
  const before = newLineage(ADA, 'a salt of Ada');
  const roster = { ...ROSTER, signature: SIGNATURE, electors: [] };
  const lineage = extended(before, { kind: 'alone', term: 15, key: HOST_KEY, roster });
  const players = [
    { ...ROSTER.players[0], slot: slot(1), key: ADA },
    { ...ROSTER.players[1], slot: slot(0), key: HOST_KEY },
  ];
  const inherits = { ...ROSTER, locked: false, players };
  const desk = new HostDesk({ tenure: { term: 15, lineage, door: 'a door', home: null }, inherits });
  return { desk, before };
}

function withGuest(): HostDesk {
  const desk = new HostDesk();
  desk.admit(1);
  return desk;
}

describe('[F4] another host of the same room is at its door', () => {
  test('[F4.11] a host that is alone steps down for a host that came after it', () => {
    const desk = new HostDesk();
    expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(true);
  });

  test('[F4.11] and for a player of the room, though that one came before it', () => {
    const { desk, before } = underAda();
    expect(stepsDown(desk, before, ADA)).toBe(true);
  });

  test('[F4.11] also when that player’s slot has waited long enough: the lineage has the player still', () => {
    const { desk, before } = underAda();
    desk.run(31_000);
    expect(desk.room.roster.players.map(({ key }) => key)).toEqual([HOST_KEY]);
    expect(stepsDown(desk, before, ADA)).toBe(true);
  });

  test('[F4.11] but for no player that it has removed', () => {
    const { desk, before } = underAda();
    desk.room.remove(slot(1));
    expect(stepsDown(desk, before, ADA)).toBe(false);
  });

  test('[F4.11] but for no stranger that shows the same, and for no other room', () => {
    const { desk, before } = underAda();
    expect(stepsDown(desk, before, EVE)).toBe(false);
    expect(stepsDown(desk, newLineage(ADA, 'another salt'), ADA)).toBe(false);
    const founder = new HostDesk();
    expect(stepsDown(founder, founder.room.tenure.lineage, EVE)).toBe(false);
  });

  describe('[F4.30] Ada, who came to the room after the two had parted', () => {
    /** The host leads by votes; Bob, who had the room before, gave it to Ada. */
    function parted(): { desk: HostDesk; other: Lineage } {
      const before = newLineage(EVE, 'a salt of Eve');
      const roster = { ...ROSTER, signature: SIGNATURE, electors: [] };
      const own = extended(before, { kind: 'votes', term: 15, key: HOST_KEY, roster, votes: [] });
      const toBob = { kind: 'handover', term: 16, key: BOB, signature: SIGNATURE } as const;
      const toAda = { kind: 'handover', term: 24, key: ADA, signature: SIGNATURE } as const;
      const players = [{ ...ROSTER.players[0], slot: slot(0), key: HOST_KEY }];
      const inherits = { ...ROSTER, host: slot(0), locked: false, players };
      const desk = new HostDesk({
        tenure: { term: 15, lineage: own, door: 'a door', home: null },
        inherits,
      });
      return { desk, other: extended(extended(before, toBob), toAda) };
    }

    test('a host that is alone steps down for her, but not for a page that shows her proof', () => {
      const { desk, other } = parted();
      expect(stepsDown(desk, other, keyOf('a stranger'))).toBe(false);
      expect(stepsDown(desk, other, ADA)).toBe(true);
    });

    test('nor for one to whom a player gave the room that went on without a majority', () => {
      const { desk } = parted();
      const roster = { ...ROSTER, signature: SIGNATURE, electors: [] };
      const alone = extended(newLineage(EVE, 'a salt of Eve'), { kind: 'alone', term: 16, key: BOB, roster });
      const other = extended(alone, { kind: 'handover', term: 24, key: ADA, signature: SIGNATURE });
      expect(stepsDown(desk, other, ADA)).toBe(false);
    });

    test('a host with a guest stays, and no slot waits for her', () => {
      const { desk, other } = parted();
      desk.admit(3);
      expect(stepsDown(desk, other, ADA)).toBe(false);
      expect(desk.room.roster.players.map(({ key }) => key)).not.toContain(ADA);
    });

    test('a host that has removed Bob does not believe what he has signed', () => {
      const { desk, other } = parted();
      desk.admit(3, {}, { key: BOB, page: 'page of Bob' });
      const bob = desk.room.roster.players.find(({ key }) => key === BOB);
      if (bob === undefined) throw new Error('Bob is not there');
      desk.room.remove(bob.slot);
      desk.tick();
      expect(stepsDown(desk, other, ADA)).toBe(false);
    });
  });

  test('[N3.3] slot 31 is inherited only if it has the founder’s key', () => {
    const inherited = (key: PublicKey): readonly number[] => {
      const { desk: before } = underAda();
      const { tenure } = before.room;
      const players = [
        { ...ROSTER.players[0], slot: slot(0), key: HOST_KEY },
        { ...ROSTER.players[1], slot: slot(DEDICATED_SLOT), key },
      ];
      const inherits = { ...ROSTER, host: slot(0), locked: false, players };
      return new HostDesk({ tenure, inherits }).room.roster.players.map(({ slot: each }) => each);
    };
    expect(inherited(ADA)).toEqual([0, DEDICATED_SLOT]);
    expect(inherited(EVE)).toEqual([0]);
  });

  test('[F4.11] a host with guests calls the other back, once in 5 s, if that is a player who is away', () => {
    const desk = withGuest();
    const keys = [keyOf('a stranger'), keyOf('page 1'), keyOf('page 2')];
    desk.admit(2, {}, { page: 'page 2', key: keys[2] });
    desk.room.lineClosed(2 as LineId);
    desk.tick();
    let line = 10;
    const calledAfter = (ms: number, key: PublicKey): readonly string[] => {
      desk.run(ms);
      desk.open(++line, { key, page: 'page 2' });
      desk.send(line, { kind: 'elsewhere', lineage: desk.room.tenure.lineage });
      desk.room.lineClosed(line as LineId);
      desk.tick();
      return desk.effects.splice(0).flatMap((effect) => (effect.kind === 'dial' ? [effect.page] : []));
    };
    expect(calledAfter(0, keys[0])).toEqual([]);
    expect(calledAfter(0, keys[2])).toEqual(['page 2']);
    expect(calledAfter(4900, keys[2])).toEqual([]);
    expect(calledAfter(200, keys[2])).toEqual(['page 2']);
    desk.open(9, { key: keys[2] });
    expect(calledAfter(5100, keys[2]), 'there is a line already').toEqual([]);
  });

  test('[F4.25] a host with guests has a slot wait for another host of its room, and calls it', () => {
    const desk = withGuest();
    stepsDown(desk, afterPlayer(ADA, desk), ADA);
    const waiting = desk.room.roster.players.filter(({ presence }) => presence === 'away');
    expect(waiting.map(({ key, id }) => ({ key, id }))).toEqual([{ key: ADA, id: 'page 9' }]);
    expect(desk.effects).toContainEqual({ kind: 'dial', page: 'page 9' });
  });

  test('[F4.34] the slot has the page at which that host was heard last, and no door for a page', () => {
    const desk = withGuest();
    desk.admit(2, {}, { key: ADA, page: 'page of Ada' });
    const pageAfter = (line: number, page: string): string | undefined => {
      desk.open(line, { key: ADA, page });
      desk.send(line, { kind: 'elsewhere', lineage: afterPlayer(ADA, desk) });
      // [F1.6] However often a page changes, everybody hears of it every two seconds at most.
      desk.run(2100);
      return desk.room.roster.players.find(({ key }) => key === ADA)?.id;
    };
    expect(pageAfter(8, 'another page of Ada'), 'she is here').toBe('page of Ada');
    desk.room.lineClosed(2 as LineId);
    expect(pageAfter(9, 'another page of Ada')).toBe('another page of Ada');
    expect(pageAfter(10, `${DOOR_PREFIX}KEVYN`)).toBe('another page of Ada');
    expect(pageAfter(11, 'page 1'), 'the page of another guest').toBe('another page of Ada');
  });

  test('[F4.25] on each line to that host it shows its lineage, and to nobody else', () => {
    const desk = withGuest();
    const { lineage } = desk.room.tenure;
    const shownOn = (line: number, key: PublicKey): number => {
      desk.open(line, { key });
      desk.tick();
      const text = JSON.stringify({ kind: 'elsewhere', lineage });
      return desk.effects.splice(0).filter((effect) => effect.kind === 'send' && effect.text === text).length;
    };
    expect(shownOn(8, ADA)).toBe(0);
    stepsDown(desk, afterPlayer(ADA, desk), ADA);
    expect([shownOn(10, ADA), shownOn(11, EVE), shownOn(12, ADA)]).toEqual([1, 0, 1]);
  });

  test('[F4.25] nothing of this for a stranger, a player that was removed, and in a locked or full room', () => {
    const away = ({ room }: HostDesk): number =>
      room.roster.players.filter(({ presence }) => presence === 'away').length;
    const desk = withGuest();
    stepsDown(desk, newLineage(ADA, 'another salt'), ADA);
    expect(away(desk)).toBe(0);

    const strict = withGuest();
    strict.admit(2, {}, { key: ADA, page: 'page of Ada' });
    strict.room.remove(slot(2));
    stepsDown(strict, afterPlayer(ADA, strict), ADA);
    expect(away(strict)).toBe(0);

    const locked = withGuest();
    locked.room.lock(true);
    locked.tick();
    stepsDown(locked, afterPlayer(ADA, locked), ADA);
    expect(away(locked)).toBe(0);

    const full = new HostDesk({ capacity: 4 });
    for (let line = 1; line <= 3; line++) full.admit(line);
    stepsDown(full, afterPlayer(ADA, full), ADA);
    expect(away(full)).toBe(0);
  });

  test('[F4.11] [F4.14] a host with guests does not step down', () => {
    const desk = withGuest();
    expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(false);
  });

  test('[F4.11] a host that had guests then does not step down when they have gone', () => {
    const desk = withGuest();
    expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(false);
    desk.room.remove(slot(1));
    desk.tick();
    expect(desk.room.rivals.goesOnIn).toBeNull();
  });

  test('[P7.3] a host of a room of its own goes back to its former room, if it is alone', () => {
    const former = newLineage(EVE, 'a salt of Eve');
    const alone = new HostDesk({ formerRoom: roomIdOf(former) });
    expect(stepsDown(alone, former, EVE)).toBe(true);
    expect(alone.room.rivals.goesOnIn).toBe(roomIdOf(former));
    const withAda = new HostDesk({ formerRoom: roomIdOf(former) });
    withAda.admit(1);
    expect(stepsDown(withAda, former, EVE)).toBe(false);
    expect(stepsDown(new HostDesk(), former, EVE)).toBe(false);
    const other = new HostDesk({ formerRoom: roomIdOf(newLineage(ADA, 'another salt')) });
    expect(stepsDown(other, former, EVE)).toBe(false);
  });

  test('[F4.11] a host stays if a guest comes in after the message', () => {
    const desk = new HostDesk();
    expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(true);
    desk.admit(1);
    expect(desk.room.rivals.goesOnIn).toBeNull();
  });

  test('[F4.11] it gets the message on a line that is then closed; a host that hears no guest sends none', () => {
    const kindsAt = (desk: HostDesk): string[] => {
      desk.effects.length = 0;
      desk.room.rivals.foundAtDoor(9 as LineId, desk.room.tenure);
      desk.tick();
      return desk.effects.flatMap((effect) => ('line' in effect && effect.line === 9 ? [effect.kind] : []));
    };
    const desk = withGuest();
    expect(kindsAt(desk)).toEqual(['send', 'close']);
    expect(desk.effects).toContainEqual({
      kind: 'send',
      line: 9,
      text: JSON.stringify({ kind: 'elsewhere', lineage: desk.room.tenure.lineage }),
    });
    const deaf = withGuest();
    deaf.silent.add(slot(1));
    deaf.run(2000);
    expect(kindsAt(deaf)).toEqual(['close']);
  });
});

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

  test('steps down if as many play with her as voters here, whoever they are, and stays if fewer do', () => {
    expect(stepsDownForAda([BOB, EVE], [CLEO])).toBe(true);
    expect(stepsDownForAda([EVE], [BOB, CLEO])).toBe(false);
    expect(stepsDownForAda([BOB], [CLEO])).toBe(false);
  });

  test('stays while it hears nobody but her: she may not say the truth', () => {
    expect(stepsDownForAda([])).toBe(false);
  });
});

describe('[F4.24] a host that went on without a majority, and Eve, for whom Bob, Cleo and she have voted', () => {
  const CLEO = keyOf('Cleo');

  /** True if the host steps down for Eve, who says that she has guests. @param here players that play with this host. */
  function stepsDownForEve(here: readonly PublicKey[]): boolean {
    const { desk, before } = underAda();
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
