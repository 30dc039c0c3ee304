import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import { extended, newLineage } from '../../../../src/core/room/identity/lineage.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf } from '../../../support/keys.ts';
import { ROSTER, SIGNATURE, slot } from '../samples.ts';
import { afterPlayer, HOST_KEY, HostDesk, stepsDown } from './host-desk.ts';

const [ADA, BOB] = [keyOf('Ada'), keyOf('Bob')];

test('[N3.3] a dedicated host steps down for a host that came after it, and for no player of its room', () => {
  const dedicated = (): HostDesk => new HostDesk({ slot: slot(DEDICATED_SLOT) });
  const desk = dedicated();
  expect(stepsDown(desk, afterPlayer(ADA, desk), ADA)).toBe(true);
  const robbed = dedicated();
  robbed.admit(1, {}, { key: ADA, page: 'page of Ada' });
  robbed.room.lineClosed(1 as LineId);
  robbed.run(31_000);
  const roster = {
    ...ROSTER,
    signature: SIGNATURE,
    electors: [{ slot: slot(1), key: ADA, isAway: false }],
  };
  const { lineage } = robbed.room.tenure;
  const alone = extended(lineage, { kind: 'alone', term: nextTerm(0, slot(1)), key: ADA, roster });
  expect(stepsDown(robbed, alone, ADA)).toBe(false);
});

describe('a host whose guests are away, and are heard to play with one of them,', () => {
  /** @returns the slot for which it steps down. @param heard how many of two say so. */
  function stepsDownFor(host: number, heard: number): number | null {
    const desk = new HostDesk({ slot: slot(host) });
    const guests = [ADA, BOB].map((key, i) => ({ key, page: `page ${i}` }));
    const slots = guests.map((guest, i) => desk.admit(i + 1, {}, guest).slot);
    for (const line of [1, 2]) desk.room.lineClosed(line as LineId);
    const standing = { kind: 'standing', host: slots[0], term: nextTerm(0, slots[0]), hears: true } as const;
    guests.slice(0, heard).forEach((guest, i) => {
      // Two lines of one player count once.
      for (const line of [9 + 2 * i, 10 + 2 * i]) {
        desk.open(line, guest);
        desk.send(line, { ...standing, vote: null, ballot: null });
      }
    });
    desk.run(1000);
    return desk.room.rivals.stepsDownFor;
  }

  test('steps down if it is a player, also by the word of one', () => {
    expect([stepsDownFor(0, 1), stepsDownFor(0, 2)]).toEqual([1, 1]);
  });

  test('[N3.3] steps down if it is a dedicated host by the word of two, and not of one', () => {
    expect([stepsDownFor(DEDICATED_SLOT, 1), stepsDownFor(DEDICATED_SLOT, 2)]).toEqual([null, 0]);
  });
});

describe('[N3.7] a dedicated host that was restored', () => {
  const before = newLineage(HOST_KEY, 'a salt');
  const term = nextTerm(0, slot(DEDICATED_SLOT));
  const lineage = extended(before, { kind: 'handover', term, key: HOST_KEY, signature: SIGNATURE });
  const roster = { ...ROSTER, signature: SIGNATURE, electors: [], epoch: 7 };
  const toAda = { term: nextTerm(0, slot(1)), key: ADA } as const;
  const byVotes = extended(before, { kind: 'votes', ...toAda, roster, votes: [] });

  const restored = (epoch: number): HostDesk =>
    new HostDesk({
      slot: slot(DEDICATED_SLOT),
      tenure: { term, lineage, door: 'a door', home: null },
      restoredFrom: { lineage: before, epoch },
    });

  test('steps down for a host that a majority chose instead of it, and for those to whom that one gave the room', () => {
    expect(stepsDown(restored(7), byVotes, ADA)).toBe(true);
    const toBob = { kind: 'handover', term: nextTerm(toAda.term, slot(2)), key: BOB } as const;
    expect(stepsDown(restored(7), extended(byVotes, { ...toBob, signature: SIGNATURE }), BOB)).toBe(true);
  });

  test('not if the votes name an older roster than the snapshot, or if it has not been restored', () => {
    expect(stepsDown(restored(8), byVotes, ADA)).toBe(false);
    const tenure = { term, lineage, door: 'a door', home: null };
    expect(stepsDown(new HostDesk({ slot: slot(DEDICATED_SLOT), tenure }), byVotes, ADA)).toBe(false);
  });

  test('[N6.5] not two minutes later: then its door has another secret, too', () => {
    const desk = restored(7);
    desk.run(119_900);
    expect(desk.effects.filter(({ kind }) => kind === 'door')).toEqual([]);
    desk.run(200);
    expect(desk.effects.filter(({ kind }) => kind === 'door')).toHaveLength(1);
    expect(desk.room.tenure.door).not.toBe('a door');
    desk.run(120_000);
    expect(desk.effects.filter(({ kind }) => kind === 'door')).toHaveLength(1);
    expect(stepsDown(desk, byVotes, ADA)).toBe(false);
  });

  test('for nobody to whom it once handed the room over, or who went on alone', () => {
    const byHandover = extended(before, { kind: 'handover', ...toAda, signature: SIGNATURE });
    expect(stepsDown(restored(7), byHandover, ADA)).toBe(false);
    expect(stepsDown(restored(7), extended(before, { kind: 'alone', ...toAda, roster }), ADA)).toBe(false);
  });
});
