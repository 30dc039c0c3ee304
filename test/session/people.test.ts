import { expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { People } from '../../src/session/people.ts';
import { ROSTER } from '../core/room/samples.ts';

test('[N1.3] the people of a roster are all but a dedicated host, in one object as long as it is the same', () => {
  const people = new People();
  expect(people.of(null)).toBeNull();
  expect(people.of(ROSTER)).toBe(ROSTER);
  const server = { ...ROSTER.players[0], slot: DEDICATED_SLOT as Slot };
  const roster = { ...ROSTER, host: server.slot, players: [...ROSTER.players, server] };
  const found = people.of(roster);
  expect(found).toEqual({ ...roster, players: ROSTER.players });
  expect(people.of(roster)).toBe(found);
});

test('while a member waits for a roster, the people of the last one stay', () => {
  const people = new People();
  people.of(ROSTER);
  expect(people.of(null)).toBe(ROSTER);
  const next = { ...ROSTER, locked: !ROSTER.locked };
  expect(people.of(next)).toBe(next);
});
