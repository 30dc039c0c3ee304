import { expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { Presence, Roster } from '../../../src/core/room/messages.ts';
import { keyOf } from '../../support/keys.ts';
import { Circle } from '../../../src/pages/room/network/circle.ts';

/** The players in slots 0, 1 and so on, one for each presence; the first is the host. */
function rosterOf(...presences: readonly Presence[]): Roster {
  const players = presences.map((presence, i) => {
    const facts = { name: '', voice: 'on', hands: 'pointer', roundTripMs: 0, key: keyOf('a page') } as const;
    return { slot: i as Slot, id: `page ${i}`, presence, ...facts };
  });
  return { host: 0 as Slot, capacity: 8, locked: false, players, term: 0, epoch: 0, signature: null };
}

const self = 1 as Slot;
const key = keyOf('a page');

test('nobody is called before there is a roster', () => {
  expect(new Circle().update(null, null)).toEqual([]);
});

test('all others of the roster are heard, and who is away is not called', () => {
  expect(new Circle().update(rosterOf('here', 'here', 'lost', 'away'), self)).toEqual([
    { slot: 0, id: 'page 0', isPresent: true, key, hasVoice: true, isAudible: true },
    { slot: 2, id: 'page 2', isPresent: true, key, hasVoice: true, isAudible: true },
    { slot: 3, id: 'page 3', isPresent: false, key, hasVoice: true, isAudible: true },
  ]);
});

test('[P8.3] a present player that says its voice is off or muted is not played, an absent one is', () => {
  const roster = rosterOf('here', 'here', 'lost', 'away');
  for (const voice of ['off', 'muted'] as const) {
    const players = roster.players.map((player) => ({ ...player, voice }));
    const audible = new Circle().update({ ...roster, players }, self).map(({ isAudible }) => isAudible);
    expect(audible).toEqual([false, false, true]);
  }
});

test('[N8.5] a room is large by its capacity, also while this page has no roster', () => {
  const roster = rosterOf('here', 'here', 'here');
  const circle = new Circle();
  circle.update({ ...roster, capacity: 8 }, self);
  expect(circle.isLarge).toBe(false);
  circle.update({ ...roster, capacity: 9 }, self);
  circle.update(null, self);
  expect(circle.isLarge).toBe(true);
});

test('[F4.15] calls go on while a page that was the host has no roster', () => {
  const circle = new Circle();
  const before = circle.update(rosterOf('here', 'here', 'here'), self);
  expect(circle.update(null, self)).toEqual(before);
  expect(circle.update(rosterOf('here', 'here'), self).map(({ slot }) => slot)).toEqual([0]);
});
