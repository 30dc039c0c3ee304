import { expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import type { PublicKey } from '../../src/core/room/identity/key.ts';
import { newLineage } from '../../src/core/room/identity/lineage.ts';
import { ReturnOfDedicated } from '../../src/session/return-of-dedicated.ts';
import { HostDesk } from '../core/room/host/host-desk.ts';
import { ROSTER, slot } from '../core/room/samples.ts';
import { keyOf } from '../support/keys.ts';

const [SERVER, EVE] = [keyOf('the server'), keyOf('Eve')];

/**
 * The slots to which a host gives its room within five seconds in which it hears slot 31, which has this key.
 * @param acksAllMs when every body has been acked.
 * @param invited the key that the host has invited.
 */
function givenTo(key: PublicKey, acksAllMs = 0, invited: PublicKey | null = null): readonly Slot[] {
  const tenure = { term: 1, lineage: newLineage(SERVER, 'a salt'), door: 'a door', home: null };
  const { room: host } = new HostDesk({ tenure });
  host.invited = invited;
  const dedicated = { ...ROSTER.players[0], slot: slot(DEDICATED_SLOT), key, presence: 'here' as const };
  // Nobody is alone with it.
  const friend = { ...ROSTER.players[0], slot: slot(1), key: keyOf('a friend'), presence: 'here' as const };
  const roster = { ...host.roster, players: [...host.roster.players, friend, dedicated] };
  const given: Slot[] = [];
  const giveTo = (to: Slot): void => void given.push(to);
  const returning = new ReturnOfDedicated();
  for (const nowMs of [0, 2000, 2499, 5000]) {
    const world = { peer: { lastReceivedMs: () => 0, hasAcked: () => nowMs >= acksAllMs } };
    returning.tick(nowMs, { host, roster, giveTo }, world);
    if (nowMs < 2500) expect(given).toEqual([]);
  }
  return given;
}

test('[N3.2] [N3.3] a room is given back to the founder in slot 31, and to nobody else in that slot', () => {
  expect(givenTo(SERVER)).toEqual([DEDICATED_SLOT]);
  expect(givenTo(EVE)).toEqual([]);
});

test('[N3.4] a room is given to the server that its host has invited, once that one knows the world', () => {
  expect(givenTo(EVE, 0, EVE)).toEqual([DEDICATED_SLOT]);
  expect(givenTo(EVE, 4999, EVE)).toEqual([]);
  expect(givenTo(EVE, 0, keyOf('another'))).toEqual([]);
});

test('[N3.2] a player who is alone gives the room back sooner; one who is away does not count', () => {
  const tenure = { term: 1, lineage: newLineage(SERVER, 'a salt'), door: 'a door', home: null };
  const { room: host } = new HostDesk({ tenure });
  const [own] = host.roster.players;
  const dedicated = { ...own, slot: slot(DEDICATED_SLOT), key: SERVER };
  const world = { peer: { lastReceivedMs: () => 0, hasAcked: () => true } };
  const givenAt = (presence: 'here' | 'away' | null): number | undefined => {
    const others = presence === null ? [] : [{ ...own, slot: slot(1), key: EVE, presence }];
    const roster = { ...host.roster, players: [own, dedicated, ...others] };
    const returning = new ReturnOfDedicated();
    return [0, 499, 500, 2000, 2499, 2500].find((nowMs) => {
      let isGiven = false;
      returning.tick(nowMs, { host, roster, giveTo: () => void (isGiven = true) }, world);
      return isGiven;
    });
  };
  expect([givenAt(null), givenAt('away'), givenAt('here')]).toEqual([500, 500, 2500]);
});

test('[N3.2] nor is it given back before every body has been acked for a while', () => {
  expect(givenTo(SERVER, 2499)).toEqual([DEDICATED_SLOT]);
  expect(givenTo(SERVER, 4999)).toEqual([]);
});
