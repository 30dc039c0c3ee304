import { expect, test } from 'vitest';
import { Ballots } from '../../../../src/core/room/guest/ballots.ts';
import { roomIdOf } from '../../../../src/core/room/identity/lineage.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { slot } from '../samples.ts';
import { HostDesk } from './host-desk.ts';

/** Seconds since 1970, as a page knows them. */
const NOW = 1_790_000_000;

/** A host with Eve and Ada, and the same host after its page was loaded again; only Ada has come back. */
function reloaded(): { before: HostDesk; after: HostDesk } {
  const before = new HostDesk();
  before.admit(1, {}, { page: 'Eve' });
  before.admit(2, {}, { page: 'Ada' });
  for (let i = 0; i < 20; i++) before.room.lock(i % 2 === 0);
  before.run(100);
  const after = new HostDesk({ tenure: before.room.tenure, epoch: NOW });
  after.admit(2, { colour: slot(2) }, { page: 'Ada' });
  after.run(100);
  return { before, after };
}

test('[P4] a roster that a host signed before its page was loaded again replaces no later one, whoever passes it on', () => {
  const { before, after } = reloaded();
  const [old, present] = [before.room.roster, after.room.roster];
  expect([old.term, present.term]).toEqual([0, 0]);
  expect(old.players).toHaveLength(3);
  const ballots = new Ballots(roomIdOf(after.room.tenure.lineage), () => undefined);
  ballots.receiveRoster(present);
  ballots.receiveRoster(old);
  expect(ballots.roster).toBe(present);
  expect(ballots.electorate).toEqual({ epoch: present.epoch, slots: [2] });
});

test('[P5] nor does a vote of before count under a later roster: no epoch comes twice', () => {
  const { before, after } = reloaded();
  const texts = new Set(before.signed);
  expect(after.signed.filter((text) => text.startsWith('["roster"') && texts.has(text))).toEqual([]);
  after.room.lineClosed(2 as LineId);
  after.run(100);
  expect(after.room.roster.epoch).toBeGreaterThan(before.room.roster.epoch + 1000);
});
