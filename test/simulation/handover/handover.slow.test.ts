import { describe, expect, test } from 'vitest';
import type { HandoverPage } from '../../support/handover/handover-page.ts';
import type { HandoverRoom } from '../../support/handover/handover-room.ts';
import { forSeeds } from '../../support/seeds.ts';
import { CUBES } from '../../support/stage.ts';
import { expectAgreed, hostsOf, roomWith } from './rooms.ts';

const [cube, other, third] = CUBES;
/** [F4] Milliseconds after a host's last packet within which there is a host again. */
const LEADS_WITHIN_MS = 3000;
/** [F3] */
const AWAY_MS = 8000;

/** A page's record of a cube. */
function says({ peer }: HandoverPage, body: number): Record<string, number> {
  if (peer === null) throw new Error('no world');
  const { authority, hold, ownershipSequence } = peer.state.bodies.records;
  return { authority: authority[body], hold: hold[body], ownership: ownershipSequence[body] };
}

/** The ways in which a host goes, with a goodbye or without. */
const WAYS: readonly (readonly [string, (room: HandoverRoom, host: HandoverPage) => void])[] = [
  ['closes its tab', (room, host) => room.close(host)],
  ['crashes', (room, host) => room.crash(host)],
  ['has its power cut', (room, host) => room.cut(host)],
];

describe.each([true, false])('[F4] a host goes, with the broker alive: %s', (isBrokerAlive) => {
  test.each(WAYS)(
    '[F4.1] [F4.2] as it %s: the lowest slot is host in time, hands keep their cubes, and all agree',
    (_, goes) => {
      const room = roomWith(3);
      room.at(2).grabs(cube);
      room.at(3).grabs(other);
      room.at(0).grabs(third);
      room.run(1000);
      room.at(3).releases();
      room.run(200);
      const before = [cube, other].map((body) => says(room.at(2), body).ownership);
      room.isBrokerAlive = isBrokerAlive;
      goes(room, room.at(0));
      const tookMs = room.runUntil('somebody leads', () => room.at(1).isHost, LEADS_WITHIN_MS);
      room.runUntil('the others follow', () => [2, 3].every((slot) => follows(room, slot, 1)), 2000);
      console.log(`a host again after ${(tookMs / 1000).toFixed(1)} s`);
      expect(room.at(2).held).toBe(cube);
      room.run(1500);
      expect(room.at(2).held).toBe(cube);
      for (const page of room.pages) {
        expect(says(page, cube)).toMatchObject({ authority: 2, hold: 2 });
        expect(says(page, cube).ownership).toBeGreaterThan(before[0]);
        expect(says(page, other).ownership).toBeGreaterThanOrEqual(before[1]);
        expect(says(page, third)).toMatchObject({ authority: -1, hold: 0 });
      }
      expectAgreed(room);
      if (isBrokerAlive) expect(room.join()).toBe(room.pages.at(-1));
      room.run(25_000);
      expect(room.pages.map(({ slot }) => slot)).toEqual(isBrokerAlive ? [1, 2, 3, 4] : [1, 2, 3]);
      expectAgreed(room);
    },
  );
});

test.each([3, 7])('[F4.4] %d guests agree on one host, and each of them greets it once', (guests) => {
  forSeeds(1, 3, (seed) => {
    const room = roomWith(guests, seed);
    room.crash(room.at(0));
    room.runUntil('somebody leads', () => hostsOf(room).length > 0, LEADS_WITHIN_MS);
    const [slot] = hostsOf(room);
    const others = room.pages.filter((page) => !page.isHost).map((page) => page.slot ?? -1);
    room.runUntil('the others follow', () => others.every((other) => follows(room, other, slot ?? -1)), 1000);
    expect(room.pages.reduce((sum, { led }) => sum + led, 0)).toBe(1);
    expect(room.at(slot ?? -1).member.host?.rejected['second join']).toBeUndefined();
  });
});

/** Milliseconds for which two pages receive nothing from each other. */
function silence(room: HandoverRoom, a: number, b: number, ms: number): void {
  const [one, other] = [room.at(a), room.at(b)];
  for (const [page, far] of [
    [one, other],
    [other, one],
  ])
    for (const end of page.ends.values()) if (end.page === far.id) end.silence(room.now + ms);
}

/** The lowest of three guests became host, and no other; the second still has its cube. */
function expectOnlyNextLed(room: HandoverRoom, withinMs: number): void {
  room.runUntil('the others follow', () => [2, 3].every((slot) => follows(room, slot, 1)), withinMs);
  expect(room.pages.map(({ led }) => led)).toEqual([1, 0, 0]);
  expect(room.at(2).held).toBe(cube);
  expectAgreed(room);
}

function follows(room: HandoverRoom, slot: number, host: number): boolean {
  const { member } = room.at(slot);
  return member.guest?.status.kind === 'here' && member.roster?.host === host;
}

describe('[F4] a host that only stood still', () => {
  test('[F4.4] for a second is still the host', () => {
    const room = roomWith(3);
    room.at(0).stalledUntil = room.now + 1200;
    room.run(12_000);
    expect(room.pages.map(({ isHost, led }) => [isHost, led])).toEqual([
      [true, 0],
      [false, 0],
      [false, 0],
      [false, 0],
    ]);
    expectAgreed(room);
  });

  test.each([
    [5000, true],
    [5000, false],
    [9000, true],
    [9000, false],
    [20_000, true],
    [60_000, true],
  ])('[F4.15] for %d ms becomes a guest, in its slot if that waited (broker: %s)', (ms, isBrokerAlive) => {
    const room = roomWith(3);
    room.at(0).grabs(cube);
    room.run(500);
    room.isBrokerAlive = isBrokerAlive;
    const host = room.at(0);
    host.stalledUntil = room.now + ms;
    room.run(ms + 15_000);
    expect(hostsOf(room)).toEqual([1]);
    expect(host.yielded).toBe(1);
    if (ms < 30_000) expect(host.slot).toBe(0);
    expectAgreed(room);
  });
});

describe('[F4] nobody takes over a room that is well', () => {
  test('[F4.7] a guest that is cut off from everybody for ten seconds comes back as a guest', () => {
    const room = roomWith(3);
    const guest = room.at(1);
    for (const end of guest.ends.values()) end.silence(room.now + 10_000);
    room.run(30_000);
    expect(room.pages.map(({ led }) => led)).toEqual([0, 0, 0, 0]);
    expectAgreed(room);
  });

  test('[F4.4] a guest that only lost its way to the host does not become host: others hear the host', () => {
    const room = roomWith(3);
    room.isBrokerAlive = false;
    for (const end of room.at(0).ends.values()) if (end.page === room.at(1).id) end.silence(Infinity);
    room.run(20_000);
    expect(room.pages.map(({ led }) => led)).toEqual([0, 0, 0, 0]);
  });

  test('[F4.7] [F4.8] the only guest, cut off for twenty seconds, is host alone meanwhile, and comes back', () => {
    const room = roomWith(1);
    const guest = room.at(1);
    for (const end of guest.ends.values()) end.silence(Infinity);
    room.isBrokerAlive = false;
    room.run(20_000);
    expect(guest.led).toBe(1);
    room.isBrokerAlive = true;
    room.run(20_000);
    expect([hostsOf(room).length, guest.slot]).toEqual([1, 1]);
    expectAgreed(room);
  });
});

describe('[F4] hosts in turn', () => {
  test('one after the other goes, each in another way; a friend finds the last', () => {
    const room = roomWith(4);
    room.close(room.at(0));
    room.run(4000);
    expect(room.at(1).isHost).toBe(true);
    room.crash(room.at(1));
    room.run(14_000);
    expect(room.at(2).isHost).toBe(true);
    room.cut(room.at(2));
    room.run(14_000);
    expect(room.at(3).isHost).toBe(true);
    room.join();
    room.run(6000);
    expect(room.pages).toHaveLength(3);
    expectAgreed(room);
  });

  test('[F4.5] a guest does not hear the lower slot just then: the one with the majority is host, and no other', () => {
    const room = roomWith(3);
    room.at(2).grabs(cube);
    room.run(1000);
    silence(room, 1, 2, 6000);
    room.run(2600);
    room.cut(room.at(0));
    room.runUntil('somebody leads', () => hostsOf(room).length > 0, LEADS_WITHIN_MS);
    const leader = hostsOf(room)[0] ?? -1;
    const others = [1, 2, 3].filter((slot) => slot !== leader);
    room.runUntil('the others follow', () => others.every((slot) => follows(room, slot, leader)), 9000);
    expect(room.pages.map(({ led }) => led).sort()).toEqual([0, 0, 1]);
    expect(room.at(2).held).toBe(cube);
  });

  test('[F4.6] a guest does not hear the successor that the host named: it waits for it all the same', () => {
    const room = roomWith(3);
    room.at(2).grabs(cube);
    room.run(1000);
    silence(room, 1, 2, 6000);
    room.run(2600);
    room.close(room.at(0));
    expectOnlyNextLed(room, 9000);
  });

  test('[F4.12] a host that slept and its only guest, which is host by then, do not both step down', () => {
    const room = roomWith(1);
    room.at(0).stalledUntil = room.now + 15_000;
    silence(room, 0, 1, Infinity);
    room.runUntil('the guest leads', () => room.pages[1].isHost, AWAY_MS + LEADS_WITHIN_MS);
    room.run(40_000);
    expect(hostsOf(room)).toHaveLength(1);
    expect(room.pages.map(({ member }) => member.guest?.status.kind ?? 'host').sort()).toEqual([
      'here',
      'host',
    ]);
    expectAgreed(room);
  });

  test('[F4.1] host and successor go at once: the next slot is host', () => {
    const room = roomWith(3);
    room.cut(room.at(0));
    room.cut(room.at(1));
    room.runUntil('slot 2 leads', () => room.at(2).isHost, LEADS_WITHIN_MS);
    expectAgreed(room);
  });

  test('[F4.2] host and a holder go at once: its cube stays in its hand for 8 s, and then falls free', () => {
    const room = roomWith(3);
    room.at(3).grabs(cube);
    room.run(1000);
    room.cut(room.at(0));
    room.cut(room.at(3));
    room.runUntil('slot 1 leads', () => room.at(1).isHost, LEADS_WITHIN_MS);
    expect(says(room.at(1), cube)).toMatchObject({ authority: 3, hold: 2 });
    room.run(AWAY_MS - 500);
    expect(says(room.at(1), cube)).toMatchObject({ authority: 3, hold: 2 });
    room.run(1000);
    expect(says(room.at(1), cube)).toMatchObject({ authority: -1, hold: 0 });
    expectAgreed(room);
  });

  test('[F4.15] [F4.16] a host that is loaded again comes back in its slot, as a guest', () => {
    const room = roomWith(2);
    const { kept } = room.at(0);
    room.close(room.at(0));
    room.run(1000);
    const again = room.join(kept);
    room.run(6000);
    expect([again.slot, again.isHost, room.at(1).isHost]).toEqual([0, false, true]);
    expectAgreed(room);
  });
});
