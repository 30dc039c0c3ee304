import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT, MAX_NAME_BYTES, MAX_ROOM_PLAYERS } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { MAX_MESSAGE_LENGTH } from '../../../../src/core/room/fields.ts';
import type { RoomId } from '../../../../src/core/room/identity/key.ts';
import type { Lineage, Link } from '../../../../src/core/room/identity/lineage.ts';
import {
  checksOf,
  MAX_PARTS,
  PARTS_OF_ROSTER,
  reignOf,
  roomIdOf,
} from '../../../../src/core/room/identity/lineage.ts';
import { readLineage } from '../../../../src/core/room/identity/lineage-reader.ts';
import type { Elector } from '../../../../src/core/room/identity/statements.ts';
import { handoverText, rosterText, voteText } from '../../../../src/core/room/identity/statements.ts';
import type { Welcome } from '../../../../src/core/room/messages.ts';
import { readHostMessage } from '../../../../src/core/room/messages.ts';
import { MAX_ID_LENGTH } from '../../../../src/core/room/page-id.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { HOST_KEY, HostDesk } from '../host/host-desk.ts';
import { ROSTER, slot } from '../samples.ts';
import { WELCOME } from '../guest/guest-desk.ts';
import { areValid } from './lineage-samples.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';

/** The ways in which a hostile host may make a lineage long. */
type Shape = {
  readonly votes: number;
  /** The host stands in its own signed rosters. */
  readonly hasHost?: boolean;
  readonly salt?: string;
};

/** Its people, and a dedicated host. */
const MAX_MEMBERS = MAX_ROOM_PLAYERS + 1;
const PLAYERS = Array.from({ length: MAX_MEMBERS + 1 }, (_, i) => keyOf(`player ${i}`));

/** The host in the other one of the slots 0 and 1 is missed by the most players. */
function linkAfter(room: RoomId, before: { term: number; slot: number }, { votes, hasHost }: Shape): Link {
  const next = 1 - before.slot;
  const slots = [...Array.from({ length: MAX_ROOM_PLAYERS }, (_, at) => at as Slot), DEDICATED_SLOT as Slot];
  const electors: Elector[] = slots.map((at, i) => {
    const isLeftOut = hasHost === false && at === before.slot;
    return { slot: at, key: PLAYERS[isLeftOut ? MAX_MEMBERS : i], isAway: false };
  });
  const host = (hasHost === false ? 7 : before.slot) as Slot;
  const { term } = before;
  const statement = { term, epoch: 0xffffffff, host, capacity: 8, locked: false, electors };
  const roster = { ...statement, signature: signatureOf(PLAYERS[before.slot], rosterText(room, statement)) };
  const key = PLAYERS[next];
  const text = voteText(room, { term, epoch: statement.epoch, candidate: key });
  const voters = slots.filter((at) => at !== host).slice(0, votes);
  const ballots = voters.map((at) => ({
    slot: at,
    signature: signatureOf(electors.find(({ slot }) => slot === at)?.key ?? PLAYERS[0], text),
  }));
  return { kind: 'votes', term: nextTerm(term, next as Slot), key, roster, votes: ballots };
}

/** The longest lineage of this shape: each host was missed by the same players, in slots 0 and 1 by turns. */
function longest({ votes, hasHost = true, salt = 'x'.repeat(64) }: Shape): Lineage {
  // Terms of five digits from the first.
  const basis = { founder: PLAYERS[0], salt, term: 10_000 };
  const room = roomIdOf({ ...basis, links: [] });
  const links: Link[] = [];
  for (let i = 0; i < MAX_PARTS / PARTS_OF_ROSTER; i++) {
    const term = links.at(-1)?.term ?? basis.term;
    links.push(linkAfter(room, { term, slot: i % 2 }, { votes, hasHost }));
  }
  return { ...basis, links };
}

/** True if a page reads a lineage, and then believes it. */
function isTaken(lineage: Lineage): boolean {
  const read = readLineage(JSON.parse(JSON.stringify(lineage)));
  const checks = read === null ? null : checksOf(read);
  return checks !== null && areValid(checks);
}

/** A player of a room whose hosts were hostile is its host now; the longest names and ids come in. @returns what it sends. */
function welcomesOf(lineage: Lineage, door: string): Welcome[] {
  const name = '"'.repeat(MAX_NAME_BYTES);
  const id = (at: number): string => `${at}`.padStart(MAX_ID_LENGTH, 'x');
  const { term } = reignOf(lineage);
  const players = Array.from({ length: MAX_MEMBERS - 1 }, (_, at) => {
    const voice = 'muted' as const;
    const isDedicated = at === MAX_ROOM_PLAYERS - 1;
    const its = isDedicated ? (DEDICATED_SLOT as Slot) : slot(at);
    const key = isDedicated ? lineage.founder : keyOf(`guest ${at}`);
    return { ...ROSTER.players[0], slot: its, id: id(at), name, voice, key };
  });
  const inherits = { ...ROSTER, capacity: 8, locked: false, host: slot(0), players };
  const home = { host: slot(0), term: 10_000 };
  const tenure = { term, lineage, door, home };
  const desk = new HostDesk({
    slot: slot(1),
    capacity: 8,
    id: id(8),
    profile: newProfile(name),
    tenure,
    inherits,
  });
  desk.roundTripMs = 65_535;
  desk.room.setProfile({ ...newProfile(name), voice: 'muted', hands: 'controllers', wantsReset: true });
  const welcomes = [
    desk.admit(1, { name }, { page: id(9) }),
    desk.admit(2, { name }, { page: id(2), key: keyOf('guest 2') }),
  ];
  expect(desk.room.roster.players).toHaveLength(MAX_MEMBERS);
  return welcomes;
}

describe('[F1.6] whatever a hostile host has put into a lineage, the player after it can write every message', () => {
  test('that of the longest lineage which is believed', () => {
    const lineage = longest({ votes: 5 });
    expect(isTaken(lineage)).toBe(true);
    for (const welcome of welcomesOf(lineage, 'd'.repeat(64))) {
      expect(welcome).toMatchObject({ lineage });
      const { length } = JSON.stringify(welcome);
      expect(length).toBeGreaterThan(17_000);
      expect(length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
    }
  });

  test('that of a lineage with as many handovers as are believed, too', () => {
    const basis = { founder: PLAYERS[0], salt: 'x'.repeat(64), term: 10_000 };
    const room = roomIdOf({ ...basis, links: [] });
    const links: Link[] = [];
    for (let i = 0; i < MAX_PARTS; i++) {
      const before = links.at(-1) ?? { term: basis.term, key: basis.founder };
      const [next, key] = [nextTerm(before.term, slot((i + 1) % 2)), PLAYERS[(i + 1) % 2]];
      const text = handoverText(room, { term: before.term, next, heir: key });
      links.push({ kind: 'handover', term: next, key, signature: signatureOf(before.key, text) });
    }
    const lineage = { ...basis, links };
    expect(isTaken(lineage)).toBe(true);
    expect(isTaken({ ...basis, links: [...links, ...links.slice(-1)] })).toBe(false);
    for (const welcome of welcomesOf(lineage, 'd'.repeat(64)))
      expect(JSON.stringify(welcome).length).toBeLessThanOrEqual(MAX_MESSAGE_LENGTH);
  });

  test('[P5] more votes than a majority needs are not believed', () => {
    for (const votes of [6, 7, 8]) expect(isTaken(longest({ votes }))).toBe(false);
  });

  test('[P4] a signed roster without its host is not believed: it would have one voter more', () => {
    for (const votes of [5, 6]) expect(isTaken(longest({ votes, hasHost: false }))).toBe(false);
  });

  test.each(['\u0001', '"', '\\', '\ud800', '\u2028', '&', 'é'])(
    'a salt and a door’s secret with %j, which may grow in JSON, are not read',
    (char) => {
      expect(isTaken(longest({ votes: 5, salt: char.repeat(64) }))).toBe(false);
      expect(readHostMessage(JSON.stringify({ kind: 'door', door: char }))).toBeNull();
      expect(readHostMessage(JSON.stringify({ ...WELCOME, door: `a${char}` }))).toBeNull();
    },
  );

  test('[P5] a founder’s handover to a term that is no later is not believed, nor one of another room of the founder', () => {
    const rooms = ['a salt', 'another salt'].map((salt) => ({ founder: HOST_KEY, salt, term: 0, links: [] }));
    const term = nextTerm(0, slot(1));
    const [key] = PLAYERS;
    const signature = signatureOf(
      HOST_KEY,
      handoverText(roomIdOf(rooms[0]), { term: 0, next: term, heir: key }),
    );
    const link: Link = { kind: 'handover', term, key, signature };
    expect(rooms.map((room) => isTaken({ ...room, links: [link] }))).toEqual([true, false]);
    expect(isTaken({ ...rooms[0], links: [link, link] })).toBe(false);
  });
});
