import type { ConnectionId, Slot } from '../../../src/core/base/ids.ts';
import type { GuestMessage, Hello, HostMessage, Roster } from '../../../src/core/room/messages.ts';
import { PROTOCOL_VERSION } from '../../../src/core/room/messages.ts';

export const slot = (number: number): Slot => number as Slot;
export const connection = (number: number): ConnectionId => number as ConnectionId;

export const HELLO: Hello = {
  kind: 'hello',
  version: PROTOCOL_VERSION,
  name: 'Ada',
  colour: slot(3),
  seat: { slot: slot(2), secret: 'a secret', connection: connection(7), term: 0 },
};

/** A possible hash of a secret. */
const PROOF = '0123456789abcdef'.repeat(4);

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
      roundTripMs: 0,
      proof: PROOF,
    },
    {
      slot: slot(2),
      name: '',
      id: 'page of nobody',
      presence: 'away',
      voice: 'off',
      roundTripMs: 65535,
      proof: '',
    },
  ],
};

/** A message of each kind, in each of its forms. */
export const GUEST_MESSAGES: readonly GuestMessage[] = [
  HELLO,
  { ...HELLO, colour: null, seat: null, name: '' },
  { ...HELLO, seat: { slot: slot(0), secret: '', connection: null, term: 65535 } },
  { kind: 'standing', host: slot(3), term: 14, hears: true, vote: null },
  { kind: 'elsewhere', proof: 'a proof' },
  { kind: 'voice', voice: 'on' },
  { kind: 'bye', returns: true },
  { kind: 'bye', returns: false },
];

export const HOST_MESSAGES: readonly HostMessage[] = [
  {
    kind: 'welcome',
    slot: slot(2),
    secret: 'a secret',
    connection: connection(7),
    goesOn: true,
    term: 14,
    door: 'the door',
    home: { host: slot(2), term: 6 },
    scene: { name: 'grid', seed: 5, count: 64 },
    tickRate: 60,
    roster: ROSTER,
  },
  { kind: 'refuse', reason: 'full', version: PROTOCOL_VERSION },
  { kind: 'roster', roster: ROSTER },
  { kind: 'scene', scene: { name: 'pile', seed: 0 }, connection: connection(0) },
  { kind: 'bye', reason: 'host left', next: slot(2) },
  { kind: 'bye', reason: 'removed', next: null },
  { kind: 'standing', host: slot(0), term: 65535, hears: false, vote: slot(7) },
];
