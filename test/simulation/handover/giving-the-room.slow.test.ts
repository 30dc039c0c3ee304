import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { HandoverRoom } from '../../support/handover/handover-room.ts';
import { CUBES } from '../../support/stage.ts';

const [cube] = CUBES;
/** Milliseconds within which everybody is in, and has a line to everybody. */
const MET_MS = 6000;

/** A host and three guests, who have met. */
function room(): HandoverRoom {
  const made = new HandoverRoom(1);
  made.run(1500);
  for (let i = 0; i < 3; i++) {
    made.join();
    made.run(1000);
  }
  made.run(MET_MS);
  expect(made.differences()).toEqual([]);
  return made;
}

function hostsOf({ pages }: HandoverRoom): (Slot | null)[] {
  return pages.filter(({ isHost }) => isHost).map(({ slot }) => slot);
}

describe('[F4.6] a host gives its room away', () => {
  test('to the player of its choice, and comes back as a guest in its slot; hands keep their cubes', () => {
    const all = room();
    const before = all.at(0);
    all.at(3).grabs(cube);
    all.run(500);
    before.member.giveTo(2 as Slot);
    const tookMs = all.runUntil('slot 2 leads', () => all.at(2).isHost, 1500);
    all.runUntil('the old host is a guest', () => before.member.guest?.status.kind === 'here', 8000);
    console.log(`host after ${tookMs.toFixed(0)} ms`);
    expect(hostsOf(all)).toEqual([2]);
    expect(all.at(0)).toBe(before);
    expect(all.at(3).held).toBe(cube);
    all.settle();
    expect(all.differences(), all.describe()).toEqual([]);
    expect(all.pages.map(({ slot }) => slot)).toEqual([0, 1, 2, 3]);
  });

  test('[F4.33] and comes back on the line that it has, long before a door could have opened', () => {
    const all = room();
    const before = all.at(0);
    before.member.giveTo(2 as Slot);
    all.runUntil('slot 2 leads', () => all.at(2).isHost, 1500);
    const backMs = all.runUntil('it is a guest', () => before.member.guest?.status.kind === 'here', 8000);
    expect(backMs).toBeLessThan(1000);
  });

  test('[F4.33] and comes to whoever leads, if the next host is gone before it has said a word', () => {
    const all = room();
    const before = all.at(0);
    before.member.giveTo(2 as Slot);
    all.runUntil('it has given', () => !before.isHost, 1500);
    all.crash(all.at(2));
    const isIn = (): boolean => before.isHost || before.member.guest?.status.kind === 'here';
    all.runUntil('it is in', isIn, 60_000);
    all.runUntil('there is one host', () => hostsOf(all).length === 1, 60_000);
    all.run(MET_MS);
    expect(all.pages.filter(({ member }) => member.guest?.status.kind === 'here')).toHaveLength(2);
  });

  test('and can be given it back', () => {
    const all = room();
    const [first, second] = [all.at(0), all.at(3)];
    first.member.giveTo(3 as Slot);
    all.runUntil('it is a guest', () => first.member.guest?.status.kind === 'here', 8000);
    // The others' standby lines to it open.
    all.run(MET_MS);
    second.member.giveTo(0 as Slot);
    all.runUntil('it is host again', () => first.isHost, 1500);
    all.runUntil('the other is a guest', () => second.member.guest?.status.kind === 'here', 8000);
    expect(hostsOf(all)).toEqual([0]);
    all.settle();
    expect(all.differences(), all.describe()).toEqual([]);
  });

  test('[F4.32] [P5.1] again and again, also when its lineage is so long that it begins anew', () => {
    const all = room();
    const ids = new Set<unknown>();
    for (let i = 0; i < 60; i++) {
      const giver = all.at(i % 4);
      const heir = ((i + 1) % 4) as Slot;
      expect(hostsOf(all)).toEqual([i % 4]);
      ids.add(giver.member.room);
      giver.member.giveTo(heir);
      all.runUntil(`slot ${heir} leads`, () => all.at(heir).isHost, 1500);
      const areIn = (): boolean => all.pages.every(({ member }) => member.roster?.host === heir);
      all.runUntil(`all are with ${heir}`, areIn, 8000);
      const isGuest = (): boolean => giver.member.guest?.status.kind === 'here';
      all.runUntil(`the giver is a guest of ${heir}`, isGuest, 8000);
      all.run(MET_MS);
    }
    expect(ids.size, 'it has begun anew').toBe(2);
    all.settle();
    expect(all.differences(), all.describe()).toEqual([]);
    expect(all.pages.map(({ slot }) => slot)).toEqual([0, 1, 2, 3]);
  });

  test('not to a player that is gone, and not to itself', () => {
    const all = room();
    const host = all.at(0);
    host.member.giveTo(0 as Slot);
    all.run(1000);
    const { key, member } = all.at(2);
    const kept = { key, room: member.room };
    all.close(all.at(2));
    all.run(200);
    host.member.giveTo(2 as Slot);
    all.run(3000);
    expect(hostsOf(all)).toEqual([0]);
    // Nor when it comes back.
    all.join(kept);
    all.run(4000);
    expect(all.at(2).member.guest?.status.kind).toBe('here');
    expect(hostsOf(all)).toEqual([0]);
  });
});
