import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import type { Lineage, Link } from '../../../src/core/room/identity/lineage.ts';
import type { SignedRoster } from '../../../src/core/room/identity/statements.ts';
import type { GuestMessage, HostMessage, Join, Roster } from '../../../src/core/room/messages.ts';
import type { VoiceState } from '../../../src/core/room/profile.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';
import { keyOf, signatureOf } from '../../support/keys.ts';
import { chooseLevel } from '../../../src/levels/levels.ts';

export const slot = (number: number): Slot => number as Slot;
export const connection = (number: number): ConnectionId => number as ConnectionId;

const [HUGO, ADA] = [keyOf('Hugo'), keyOf('Ada')];
/** It has the form of a signature. */
export const SIGNATURE = signatureOf(HUGO, 'a text');

export const JOIN: Join = {
  kind: 'join',
  ...newProfile('Ada'),
  colour: slot(3),
  keeps: { connection: connection(7), term: 0, host: 'page of Hugo' },
};

export const ROSTER: Roster = {
  host: slot(1),
  capacity: 4,
  locked: true,
  players: [
    {
      slot: slot(1),
      name: 'Hugo',
      id: 'page of Hugo',
      presence: 'here',
      voice: 'muted',
      hands: 'controllers',
      wantsReset: true,
      roundTripMs: 0,
      key: HUGO,
    },
    {
      slot: slot(2),
      name: '',
      id: 'page of nobody',
      presence: 'away',
      voice: 'off',
      hands: 'pointer',
      roundTripMs: 65535,
      key: ADA,
    },
  ],
  term: 0,
  epoch: 3,
  signature: SIGNATURE,
};

/** The room that Hugo has founded, and still hosts. */
export const LINEAGE: Lineage = { founder: HUGO, salt: 'a salt of the founder', term: 0, links: [] };

const SIGNED_ROSTER: SignedRoster = {
  term: 6,
  epoch: 2,
  host: slot(1),
  capacity: 4,
  locked: false,
  electors: [
    { slot: slot(1), key: HUGO, isAway: false },
    { slot: slot(2), key: ADA, isAway: true },
  ],
  signature: SIGNATURE,
};

/** A change of host of each kind. */
const LINKS: readonly Link[] = [
  { kind: 'handover', term: 6, key: HUGO, signature: SIGNATURE },
  {
    kind: 'votes',
    term: 14,
    key: ADA,
    roster: SIGNED_ROSTER,
    votes: [{ slot: slot(2), signature: SIGNATURE }],
  },
  { kind: 'alone', term: 22, key: HUGO, roster: { ...SIGNED_ROSTER, term: 14 } },
];

/** @returns the message of a player whose voice has changed. */
export function speaks(voice: VoiceState): GuestMessage {
  return { kind: 'profile', ...newProfile('Ada'), voice };
}

/** A message of each kind, in each of its forms. */
export const GUEST_MESSAGES: readonly GuestMessage[] = [
  JOIN,
  { ...JOIN, colour: null, keeps: null, name: '' },
  { ...JOIN, keeps: { connection: connection(0), term: 65535, host: 'a' } },
  { kind: 'standing', host: slot(3), term: 14, hears: true, vote: null, ballot: null },
  { kind: 'elsewhere', lineage: { ...LINEAGE, links: LINKS } },
  { kind: 'profile', name: 'Ada', voice: 'on', hands: 'bare' },
  { kind: 'bye', returns: true },
  { kind: 'bye', returns: false },
];

export const HOST_MESSAGES: readonly HostMessage[] = [
  {
    kind: 'welcome',
    slot: slot(2),
    connection: connection(7),
    goesOn: true,
    term: 22,
    lineage: { ...LINEAGE, links: LINKS },
    door: 'the door',
    home: { host: slot(2), term: 6 },
    level: chooseLevel({ id: 'grid', seed: 5, count: 64 }),
    roster: { ...ROSTER, term: 22 },
  },
  { kind: 'refuse', reason: 'full', version: PROTOCOL_VERSION },
  { kind: 'roster', roster: { ...ROSTER, signature: null } },
  { kind: 'level', level: chooseLevel({ id: 'pile', seed: 0 }), connection: connection(0), why: 'file' },
  { kind: 'bye', reason: 'host left', next: slot(2), handover: SIGNATURE },
  { kind: 'bye', reason: 'host left', next: slot(2), handover: SIGNATURE, stays: true },
  { kind: 'bye', reason: 'removed', next: null, handover: null },
  { kind: 'door', door: 'another door' },
  {
    kind: 'standing',
    host: slot(0),
    term: 65535,
    hears: false,
    vote: slot(7),
    ballot: { epoch: 3, candidate: ADA, signature: SIGNATURE },
  },
];
