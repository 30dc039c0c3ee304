import { describe, expect, test } from 'vitest';
import { HostSignatures } from '../../../../src/core/room/host/host-signatures.ts';
import type { Signature } from '../../../../src/core/room/identity/key.ts';
import { roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import { coreOf, statementOf } from '../../../../src/core/room/identity/roster-statement.ts';
import { handoverText, rosterText } from '../../../../src/core/room/identity/statements.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Roster } from '../../../../src/core/room/messages.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { SEAT_KEPT_MS } from '../../../../src/core/room/silence.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { LINEAGE, ROSTER, slot, speaks } from '../samples.ts';
import { HOST_KEY, HostDesk } from './host-desk.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

/** The texts of one kind that a host has signed since the last call. */
function signedOf(desk: HostDesk, kind: 'roster' | 'handover'): string[] {
  const texts = desk.signed.filter((text) => text.startsWith(`["${kind}"`));
  desk.signed.splice(0, desk.signed.length, ...desk.signed.filter((text) => !texts.includes(text)));
  return texts;
}

function isSigned(desk: HostDesk): boolean {
  const { roster } = desk.room;
  const text = rosterText(roomIdOf(desk.room.tenure.lineage), statementOf(roster));
  return roster.signature === signatureOf(HOST_KEY, text);
}

describe('[P4.1] the roster of a host', () => {
  test('is signed once for each change of its signed part, and then has the next epoch', () => {
    const desk = new HostDesk();
    desk.run(100);
    expect([desk.room.roster.epoch, signedOf(desk, 'roster').length, isSigned(desk)]).toEqual([0, 1, true]);
    const changes: readonly (() => void)[] = [
      () => void desk.admit(1),
      () => desk.room.lock(true),
      () => desk.room.setCapacity(6),
      () => desk.room.lineClosed(1 as LineId),
      () => void desk.admit(2, {}, { key: keyOf('page 1') }),
      () => desk.room.remove(slot(1)),
    ];
    changes.forEach((change, i) => {
      change();
      desk.run(100);
      expect([desk.room.roster.epoch, signedOf(desk, 'roster').length, isSigned(desk)]).toEqual([
        i + 1,
        1,
        true,
      ]);
    });
  });

  test('is not signed anew for voices, names, round trips, silence or a level', () => {
    const desk = new HostDesk();
    const { connection } = desk.admit(1, {}, { page: 'page' });
    desk.run(10_100);
    signedOf(desk, 'roster');
    const { epoch } = desk.room.roster;
    desk.send(1, speaks('on'));
    desk.room.setProfile({ ...newProfile('Host'), voice: 'muted' });
    desk.roundTripMs = 99;
    desk.admit(2, { name: 'Another', keeps: { connection, term: 0, host: 'host' } }, { page: 'page' });
    desk.room.setLevel(chooseLevel({ id: 'tower', seed: 3 }));
    desk.silent.add(slot(1));
    desk.run(2000);
    expect(desk.room.roster.players[1]).toMatchObject({ presence: 'lost', name: 'Another', roundTripMs: 99 });
    expect([desk.room.roster.epoch, signedOf(desk, 'roster'), isSigned(desk)]).toEqual([epoch, [], true]);
  });

  test('goes to the guests again as soon as it is signed', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.sent(1);
    desk.room.lock(true);
    desk.run(100);
    const rosters = desk.sent(1).flatMap((message) => (message.kind === 'roster' ? [message.roster] : []));
    expect(rosters.map(({ epoch, signature }) => [epoch, signature !== null])).toEqual([
      [2, false],
      [2, true],
    ]);
  });
});

describe('[P5.4] the handover of a host', () => {
  const handoverTo = (desk: HostDesk, heir: number, page: string): string => {
    const next = nextTerm(0, slot(heir));
    return handoverText(roomIdOf(desk.room.tenure.lineage), { term: 0, next, heir: keyOf(page) });
  };
  const byes = (desk: HostDesk, line: number): unknown[] => {
    desk.room.close();
    desk.gather();
    return desk.sent(line).filter(({ kind }) => kind === 'bye');
  };

  test('is signed ahead of time, once for each heir, and named in its goodbye', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.admit(2);
    desk.run(3000);
    expect(signedOf(desk, 'handover')).toEqual([handoverTo(desk, 1, 'page 1')]);
    desk.room.lineClosed(1 as LineId);
    desk.run(100);
    const text = handoverTo(desk, 2, 'page 2');
    expect(signedOf(desk, 'handover')).toEqual([text]);
    expect(byes(desk, 2)).toEqual([
      { kind: 'bye', reason: 'host left', next: 2, handover: signatureOf(HOST_KEY, text) },
    ]);
  });

  test('names nobody if its heir has just gone, or nobody was there', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.admit(2);
    desk.room.lineClosed(1 as LineId);
    expect(byes(desk, 2)).toEqual([{ kind: 'bye', reason: 'host left', next: null, handover: null }]);
    const lonely = new HostDesk();
    lonely.open(9);
    lonely.run(100);
    expect(byes(lonely, 9)).toMatchObject([{ next: null, handover: null }]);
  });

  test('comes with no goodbye to a guest that is removed, or that opens its seat elsewhere', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.admit(2);
    desk.run(100);
    desk.room.remove(slot(1));
    desk.admit(3, {}, { key: keyOf('page 2') });
    for (const line of [1, 2]) expect(desk.sent(line).at(-1)).toMatchObject({ next: null, handover: null });
  });
});

describe('[P1] one page and one player', () => {
  test('[P1.2] a second seat of one page under another key is refused', () => {
    const desk = new HostDesk();
    desk.admit(1, {}, { page: 'a page' });
    desk.done();
    expect(desk.greet(2, {}, { page: 'a page', key: keyOf('another key') })).toBeUndefined();
    expect(desk.done()).toEqual(['close on 2']);
    expect(desk.room.rejected).toEqual({ 'second seat': 1 });
    expect(desk.room.roster.players).toHaveLength(2);
    desk.room.lineClosed(1 as LineId);
    desk.run(SEAT_KEPT_MS + 100);
    expect(desk.greet(3, {}, { page: 'a page', key: keyOf('another key') })?.kind).toBe('welcome');
  });

  test('a copy of the host’s own tab gets no seat', () => {
    const desk = new HostDesk();
    desk.greet(1, {}, { key: HOST_KEY });
    expect(desk.done()).toEqual(['close on 1']);
    expect(desk.room.roster.players).toHaveLength(1);
  });

  test('[F4.21] removal changes the door’s secret, and tells those that are there', () => {
    const desk = new HostDesk();
    const { door } = desk.admit(1);
    desk.admit(2);
    desk.sent(1);
    desk.sent(2);
    desk.room.remove(slot(1));
    desk.run(100);
    const changed = desk.room.tenure.door;
    expect(changed).not.toBe(door);
    expect(desk.sent(2)).toContainEqual({ kind: 'door', door: changed });
    expect(desk.sent(1).map(({ kind }) => kind)).toEqual(['bye']);
    expect(desk.effects).toContainEqual({ kind: 'door', door: changed });
    expect(desk.admit(3).door).toBe(changed);
  });

  test('[P1.3] a key that was removed does not come back, from whatever page', () => {
    const desk = new HostDesk();
    desk.admit(1);
    desk.room.remove(slot(1));
    for (const line of [2, 3])
      expect(desk.greet(line, {}, { key: keyOf('page 1') })).toMatchObject({ reason: 'removed' });
    expect(desk.greet(4, {}, { page: 'page 1', key: keyOf('another key') })?.kind).toBe('welcome');
  });
});

describe('[P4] [P5] the signatures of a host', () => {
  const room = roomIdOf(LINEAGE);
  const [one, other] = ['one', 'other'] as Signature[];

  test('count only for the newest roster', () => {
    const asked: string[] = [];
    const signatures = new HostSignatures(room, (text) => asked.push(text));
    const locked = coreOf(ROSTER);
    const open = coreOf({ ...ROSTER, locked: false } satisfies Roster);
    expect(signatures.ofRoster(locked)).toEqual({ epoch: 0, signature: null });
    expect(signatures.ofRoster(open)).toEqual({ epoch: 1, signature: null });
    expect(signatures.signed(asked[0], one)).toBe(false);
    expect(signatures.ofRoster(open).signature).toBeNull();
    expect(signatures.signed(asked[1], null)).toBe(false);
    expect(signatures.signed(asked[1], other)).toBe(true);
    expect(signatures.ofRoster(open)).toEqual({ epoch: 1, signature: other });
    expect(signatures.ofRoster(locked), 'the same again has a new epoch').toEqual({
      epoch: 2,
      signature: null,
    });
    expect(asked).toHaveLength(3);
  });

  test('name the heir that was prepared last, once that is signed', () => {
    const asked: string[] = [];
    const signatures = new HostSignatures(room, (text) => asked.push(text));
    signatures.prepareHandover(0, { slot: slot(1), key: keyOf('Ada') });
    signatures.signed(asked[0], one);
    expect(signatures.handover).toEqual({ next: 1, signature: one });
    signatures.prepareHandover(0, { slot: slot(2), key: keyOf('Bob') });
    signatures.signed(asked[0], one);
    expect(signatures.handover).toBeNull();
    signatures.signed(asked[1], other);
    expect(signatures.handover).toEqual({ next: 2, signature: other });
  });
});
