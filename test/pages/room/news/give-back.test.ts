import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT, TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { newLineage } from '../../../../src/core/room/identity/lineage.ts';
import type { Roster, RosterPlayer } from '../../../../src/core/room/messages.ts';
import { GiveBack } from '../../../../src/pages/room/news/give-back.ts';
import type { NewsOffer } from '../../../../src/pages/room/news/news-list.ts';
import { formerHostsIn } from '../../../../src/session/former-hosts.ts';
import type { GameSession } from '../../../../src/pages/room/session/session.ts';
import { signatureOf } from '../../../support/keys.ts';

const [BLUE, RED, GREEN] = [0, 1, 2] as Slot[];
const NAMES = ['Blue', 'Red', 'Green'];

function keyOf(slot: Slot): PublicKey {
  return `key ${slot}` as PublicKey;
}

function player(slot: Slot, presence: RosterPlayer['presence'] = 'here'): RosterPlayer {
  return {
    slot,
    name: '',
    id: `${slot}`,
    presence,
    voice: 'off',
    hands: 'pointer',
    roundTripMs: 0,
    key: keyOf(slot),
  };
}

function rosterOf(host: Slot, players: readonly RosterPlayer[]): Roster {
  return { host, capacity: 4, locked: false, players, term: 1, epoch: 0, signature: null };
}

/** A room that had these hosts, each of which has handed it over to the next one. */
function lineageOf([founder, ...next]: readonly Slot[]): Lineage {
  const links = next.map((slot, i) => {
    const key = keyOf(slot);
    return { kind: 'handover', term: i + 1, key, signature: signatureOf(key, 'it') } as const;
  });
  return { ...newLineage(keyOf(founder), 'salt'), links };
}

const BLUE_THEN_RED = lineageOf([BLUE, RED]);

/** The former hosts of a room that had these hosts, one after the other. */
function formerOf(hosts: readonly Slot[], players: readonly Slot[]): Slot[] {
  return formerHostsIn(
    rosterOf(
      hosts[hosts.length - 1],
      players.map((slot) => player(slot)),
    ),
    lineageOf(hosts),
  );
}

describe('the former hosts', () => {
  test.each<[string, Slot[], Slot[], Slot[]]>([
    ['none under the founder', [BLUE], [BLUE, RED], []],
    ['the founder under the next host', [BLUE, RED], [BLUE, RED], [BLUE]],
    ['only who is in the room', [BLUE, RED, GREEN], [RED, GREEN], [RED]],
    ['the first first', [BLUE, RED, GREEN], [BLUE, RED, GREEN], [BLUE, RED]],
    ['none under a founder that has the room back', [BLUE, RED, BLUE], [BLUE, RED], []],
    ['once each', [BLUE, RED, BLUE, GREEN], [BLUE, RED, GREEN], [BLUE, RED]],
  ])('are %s', (_, hosts, players, expected) => {
    expect(formerOf(hosts, players)).toEqual(expected);
  });
});

/** A page in a room that Blue has founded and that Red hosts now. */
function pageOf(slot: Slot): {
  /** @param seconds that pass after the change. */
  change(players: readonly RosterPlayer[], seconds?: number, host?: Slot): void;
  said: (string | NewsOffer)[];
  shown: ReadonlySet<NewsOffer>;
  given: Slot[];
} {
  const said: (string | NewsOffer)[] = [];
  const given: Slot[] = [];
  const shown = new Set<NewsOffer>();
  const session: Pick<GameSession, 'formerHosts' | 'lineage' | 'slot'> & {
    roster: Roster | null;
    hosting: GameSession['hosting'];
  } = {
    roster: null,
    lineage: BLUE_THEN_RED,
    slot,
    formerHosts: [BLUE],
    hosting: null,
  };
  const hosting = { giveTo: (to: Slot) => given.push(to) } as unknown as GameSession['hosting'];
  const giveBack = new GiveBack(session, (of) => NAMES[of], {
    say: (sentence) => said.push(sentence),
    offer: (offer) => {
      said.push(offer);
      shown.add(offer);
      return () => shown.delete(offer);
    },
  });
  const change = (players: readonly RosterPlayer[], seconds = 0.05, host = RED): void => {
    session.roster = rosterOf(host, players);
    session.hosting = slot === host ? hosting : null;
    for (let tick = 0; tick < seconds * TICK_RATE; tick++) giveBack.tick();
  };
  return { change, said, shown, given };
}

describe('a host that comes back', () => {
  test('the present host is asked once each time, and the button gives the room back', () => {
    const { change, said, given } = pageOf(RED);
    change([player(RED)]);
    expect(said).toEqual([]);
    change([player(BLUE), player(RED)]);
    change([player(BLUE), player(RED), player(GREEN)]);
    expect(said).toMatchObject([{ sentence: 'Blue is back. Give the room back?', button: 'Give it back' }]);
    const [offer] = said as NewsOffer[];
    offer.act();
    expect(given).toEqual([BLUE]);
    change([player(BLUE, 'away'), player(RED)], 60);
    change([player(BLUE), player(RED)]);
    expect(said).toHaveLength(2);
  });

  test('is not asked about if it has given the room away', () => {
    const { change, said } = pageOf(RED);
    change([player(BLUE), player(RED)], 1, BLUE);
    change([player(BLUE, 'away'), player(RED)]);
    change([player(BLUE), player(RED)], 10);
    expect(said).toEqual([]);
  });

  test('is asked about if it has come in anew since it gave the room away', () => {
    const { change, said } = pageOf(RED);
    change([player(BLUE), player(RED)], 1, BLUE);
    change([player(BLUE, 'away'), player(RED)]);
    change([{ ...player(BLUE), id: 'another page' }, player(RED)]);
    expect(said).toHaveLength(1);
  });

  test('is not asked about by the next host if it was there before that one was host', () => {
    const { change, said } = pageOf(RED);
    change([player(BLUE), player(RED), player(GREEN)], 1, GREEN);
    change([player(BLUE), player(RED), player(GREEN, 'away')], 10);
    expect(said).toEqual([]);
  });

  test('that comes and goes all the time has the present host asked once a minute', () => {
    const { change, said } = pageOf(RED);
    for (let i = 0; i < 40; i++) {
      change([player(BLUE), player(RED)], 1);
      change([player(BLUE, 'away'), player(RED)], 1);
      if (i < 29) expect(said).toHaveLength(1);
    }
    expect(said).toHaveLength(2);
  });

  test('too soon after the last question is asked about when the minute is over', () => {
    const { change, said } = pageOf(RED);
    change([player(BLUE), player(RED)], 10);
    change([player(BLUE, 'away'), player(RED)], 10);
    change([player(BLUE), player(RED)], 39);
    expect(said).toHaveLength(1);
    change([player(BLUE), player(RED)], 2);
    expect(said).toHaveLength(2);
  });

  test('is asked about no more after four questions', () => {
    const { change, said } = pageOf(RED);
    for (let i = 0; i < 6; i++) {
      change([player(BLUE), player(RED)], 70);
      change([player(BLUE, 'away'), player(RED)], 1);
    }
    expect(said).toHaveLength(4);
  });

  test('and leaves takes its question along: who comes into its slot does not get the room', () => {
    const { change, said, shown, given } = pageOf(RED);
    change([player(BLUE), player(RED)]);
    expect(shown.size).toBe(1);
    const [question] = said as NewsOffer[];
    const stranger = { ...player(BLUE), key: keyOf(GREEN) };
    change([player(BLUE, 'lost'), player(RED)]);
    expect(shown.size).toBe(1);
    change([stranger, player(RED)]);
    expect(shown.size).toBe(0);
    question.act();
    expect(given).toEqual([]);
  });

  test('itself hears who hosts now, once; other guests hear nothing', () => {
    const blue = pageOf(BLUE);
    blue.change([player(BLUE), player(RED)]);
    blue.change([player(BLUE), player(RED), player(GREEN)]);
    expect(blue.said).toEqual(['Red is the host now.']);
    const green = pageOf(GREEN);
    green.change([player(BLUE), player(RED), player(GREEN)]);
    expect(green.said).toEqual([]);
  });

  test('whoever moved its room to the server is not told again who is host', () => {
    const blue = pageOf(BLUE);
    blue.change([player(BLUE), player(RED)], undefined, DEDICATED_SLOT as Slot);
    expect(blue.said).toEqual([]);
  });
});
