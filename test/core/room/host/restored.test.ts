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

test.each([
  ['a player', 0, true],
  ['[N3.3] a dedicated host', DEDICATED_SLOT, false],
] as const)(
  '%s without guests steps down by the word of a player whose place waits: %s',
  (_, host, doesStepDown) => {
    const desk = new HostDesk({ slot: slot(host) });
    const ada = { key: ADA, page: 'page of Ada' };
    const own = desk.admit(1, {}, ada).slot;
    desk.room.lineClosed(1 as LineId);
    desk.open(9, ada);
    const term = nextTerm(0, own);
    desk.send(9, { kind: 'standing', host: own, term, hears: true, vote: null, ballot: null });
    desk.run(1000);
    expect(desk.room.rivals.stepsDownFor).toBe(doesStepDown ? own : null);
  },
);

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
