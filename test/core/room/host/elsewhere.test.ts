import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { DOOR_PREFIX } from '../../../../src/core/room/code.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage, roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { HostRoomOptions } from '../../../../src/core/room/host/host-options.ts';
import { keyOf } from '../../../support/keys.ts';
import { JOIN, ROSTER, SIGNATURE, slot } from '../samples.ts';
import {
  afterPlayer,
  FORMER_HOST as ADA,
  HOST_KEY,
  HostDesk,
  stepsDown,
  underFormerHost,
  withGuest,
} from './host-desk.ts';

const [EVE, BOB] = [keyOf('Eve'), keyOf('Bob')];

describe('[F4] another host of the same room is at its door', () => {
  test('[F4.11] a host that is alone steps down for a host that came after it', () => {
    const desk = new HostDesk();
    expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(true);
  });

  test('[F4.11] and for a player of the room, though that one came before it', () => {
    const { desk, before } = underFormerHost();
    expect(stepsDown(desk, before, ADA)).toBe(true);
  });

  test('[F4.11] also when that player’s slot has waited long enough: the lineage has the player still', () => {
    const { desk, before } = underFormerHost();
    desk.run(31_000);
    expect(desk.room.roster.players.map(({ key }) => key)).toEqual([HOST_KEY]);
    expect(stepsDown(desk, before, ADA)).toBe(true);
  });

  test('[F4.11] but for no player that it has removed', () => {
    const { desk, before } = underFormerHost();
    desk.room.remove(slot(1));
    expect(stepsDown(desk, before, ADA)).toBe(false);
  });

  test('[F4.11] but for no stranger that shows the same, and for no other room', () => {
    const { desk, before } = underFormerHost();
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

    test('[F4.41] nor for one to whom a player gave the room that was removed before', () => {
      const { desk } = parted();
      letInAndRemove(desk, EVE);
      const toAda = { kind: 'handover', term: 24, key: ADA, signature: SIGNATURE } as const;
      expect(stepsDown(desk, extended(newLineage(EVE, 'a salt of Eve'), toAda), ADA)).toBe(false);
    });

    test('nor for one to whom a player gave the room who had gone on without a majority', () => {
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

    test('[F4.41] a host that has removed Bob does not believe what he has signed', () => {
      const { desk, other } = parted();
      letInAndRemove(desk, BOB);
      expect(stepsDown(desk, other, ADA)).toBe(false);
    });
  });

  test('[N3.3] slot 31 is inherited only if it has the founder’s key', () => {
    const inherited = (key: PublicKey): readonly number[] => {
      const { desk: before } = underFormerHost();
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
    const key = keyOf('page 2');
    desk.admit(2, {}, { page: 'page 2', key });
    desk.room.lineClosed(2 as LineId);
    desk.tick();
    let line = 10;
    const calledAfter = (ms: number): readonly string[] => {
      desk.run(ms);
      desk.open(++line, { key, page: 'page 2' });
      desk.send(line, { kind: 'elsewhere', lineage: desk.room.tenure.lineage });
      desk.room.lineClosed(line as LineId);
      desk.tick();
      return desk.effects.splice(0).flatMap((effect) => (effect.kind === 'dial' ? [effect.page] : []));
    };
    expect(calledAfter(0)).toEqual(['page 2']);
    expect(calledAfter(4900)).toEqual([]);
    expect(calledAfter(200)).toEqual(['page 2']);
    desk.open(9, { key });
    expect(calledAfter(5100), 'there is a line already').toEqual([]);
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

  describe('[F4.38] a host with a guest that is told of the room by a stranger', () => {
    const before = newLineage(ADA, 'a salt of Ada');
    const given = (key: PublicKey, term: number): Lineage =>
      extended(before, { kind: 'handover', term, key, signature: SIGNATURE });
    /** Ada gave the room to Eve, of whom this host has never heard. */
    const THEIRS = given(EVE, 11);

    /** A host to which Ada gave the room. */
    function heir(options: Partial<HostRoomOptions> = {}): HostDesk {
      const desk = new HostDesk({
        tenure: { term: 15, lineage: given(HOST_KEY, 15), door: 'a door', home: null },
        ...options,
      });
      desk.admit(1);
      return desk;
    }

    /** How often the host calls the stranger's page, which shows this lineage twice within a second. */
    function callsAfter(desk: HostDesk, lineage = THEIRS): number {
      stepsDown(desk, lineage, EVE);
      desk.send(9, { kind: 'elsewhere', lineage });
      desk.tick();
      return desk.effects.filter((effect) => effect.kind === 'dial' && effect.page === 'page 9').length;
    }

    test('calls it once, and shows its own lineage and standing there', () => {
      const desk = heir();
      expect(callsAfter(desk)).toBe(1);
      desk.open(10, { key: EVE });
      desk.run(1000);
      // Its standing at once, and after a second.
      expect(kindsOn(desk, 10)).toEqual(['standing', 'elsewhere', 'standing']);
      desk.run(5000);
      desk.send(10, { kind: 'elsewhere', lineage: THEIRS });
      desk.tick();
      expect(desk.effects.filter(({ kind }) => kind === 'dial')).toHaveLength(2);
    });

    test('calls it as a dedicated host, too', () => {
      expect(callsAfter(heir({ slot: DEDICATED_SLOT as Slot }))).toBe(1);
    });

    test('calls no host of another room, no player that it has removed, and nobody without guests', () => {
      expect(callsAfter(heir(), newLineage(EVE, 'another salt'))).toBe(0);
      const alone = new HostDesk();
      expect(callsAfter(alone, alone.room.tenure.lineage)).toBe(0);
      const desk = heir();
      letInAndRemove(desk, EVE);
      expect(callsAfter(desk)).toBe(0);
    });

    test('tells it nothing more once it has removed it', () => {
      const desk = heir();
      expect(callsAfter(desk)).toBe(1);
      letInAndRemove(desk, EVE);
      desk.open(10, { key: EVE });
      desk.run(1000);
      expect(kindsOn(desk, 10)).toEqual([]);
    });
  });

  test('[P5.3] never has a seat wait for its own key: a copy of its page may be host, too', () => {
    const desk = withGuest();
    stepsDown(desk, afterPlayer(HOST_KEY, desk), HOST_KEY);
    desk.run(1000);
    expect(desk.room.roster.players.filter(({ key }) => key === HOST_KEY)).toHaveLength(1);
  });
});

/** The host lets a player in, and removes it. */
function letInAndRemove(desk: HostDesk, key: PublicKey): void {
  desk.open(30, { key, page: 'its page' });
  desk.send(30, { ...JOIN, colour: null, keeps: null });
  desk.tick();
  const player = desk.room.roster.players.find((other) => other.key === key);
  if (player === undefined) throw new Error('the player is not in');
  desk.room.remove(player.slot);
  desk.tick();
}

/** The kinds of the messages that a host has sent on a line. */
function kindsOn({ effects }: HostDesk, line: number): unknown[] {
  return effects.flatMap((effect) =>
    effect.kind === 'send' && effect.line === line
      ? [(JSON.parse(effect.text) as { readonly kind: unknown }).kind]
      : [],
  );
}
