import {
  DEDICATED_SLOT,
  MAX_BODIES,
  MAX_NAME_BYTES,
  MAX_ROOM_PLAYERS,
  MAX_SERVER_ROOM_PLAYERS,
} from '../../../../src/core/base/constants.ts';
import { encodeName } from '../../../../src/core/base/text.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { MAX_PARTS, partsOf } from '../../../../src/core/room/identity/lineage.ts';
import type { GuestMessage, HostMessage, Roster } from '../../../../src/core/room/messages.ts';
import { ENDINGS, PRESENCES, REFUSALS } from '../../../../src/core/room/messages.ts';
import { slotsOfPeople } from '../../../../src/core/room/people.ts';
import type { Profile } from '../../../../src/core/room/profile.ts';
import { VOICE_STATES } from '../../../../src/core/room/profile.ts';
import type { LevelReference } from '../../../../src/core/world/level-reference.ts';

/** @returns the fields that are wrong in a message that was read, checked independently of the reader; empty if it is sound. */
export function faultsOf(message: GuestMessage | HostMessage): string[] {
  switch (message.kind) {
    case 'join':
      return [
        ...profileFaults(message),
        ...(message.colour === null ? [] : slotFaults(message.colour)),
        ...connectionFaults(message.keeps?.connection ?? 0),
        ...within('term', message.keeps?.term ?? 0, 0, 0xffff),
        ...textFaults('host', message.keeps?.host ?? ''),
      ];
    case 'standing':
      return [
        ...slotFaults(message.host),
        ...within('term', message.term, 0, 0xffff),
        ...slotFaults(message.vote ?? 0),
        ...within('epoch', message.ballot?.epoch ?? 0, 0, 0xffffffff),
        ...keyFaults(message.ballot?.candidate),
        ...signatureFaults(message.ballot?.signature),
      ];
    case 'elsewhere':
      return lineageFaults(message.lineage);
    case 'door':
      return textFaults('door', message.door);
    case 'profile':
      return profileFaults(message);
    case 'welcome':
      return [
        ...slotFaults(message.slot),
        ...lineageFaults(message.lineage),
        ...connectionFaults(message.connection),
        ...within('term', message.term, 0, 0xffff),
        ...textFaults('door', message.door),
        ...slotFaults(message.home?.host ?? 0),
        ...within('term before', message.home?.term ?? 0, 0, 0xffff),
        ...(typeof message.goesOn === 'boolean' ? [] : ['goes on']),
        ...levelFaults(message.level),
        ...rosterFaults(message.roster),
      ];
    case 'refuse':
      return [
        ...among('refusal', message.reason, REFUSALS),
        ...within('version', message.version, 0, 0xffff),
      ];
    case 'roster':
      return rosterFaults(message.roster);
    case 'level':
      return [...levelFaults(message.level), ...connectionFaults(message.connection)];
    case 'bye':
      if (!('reason' in message)) return [];
      return [
        ...among('ending', message.reason, ENDINGS),
        ...slotFaults(message.next ?? 0),
        ...signatureFaults(message.handover ?? undefined),
      ];
  }
}

function rosterFaults({ host, capacity, locked, players, term, epoch, signature }: Roster): string[] {
  const slots = players.map(({ slot }) => slot);
  return [
    ...within('capacity', capacity, 1, host === DEDICATED_SLOT ? MAX_SERVER_ROOM_PLAYERS : MAX_ROOM_PLAYERS),
    ...players.flatMap(({ slot }) =>
      slot === DEDICATED_SLOT || slot < slotsOfPeople({ capacity }) ? [] : ['person’s slot'],
    ),
    ...within('term', term, 0, 0xffff),
    ...within('epoch', epoch, 0, 0xffffffff),
    ...signatureFaults(signature ?? undefined),
    ...(typeof locked === 'boolean' ? [] : ['locked']),
    ...(slots.includes(host) ? [] : ['no host']),
    ...(new Set(slots).size === slots.length &&
    slots.filter((slot) => slot !== DEDICATED_SLOT).length <= capacity
      ? []
      : ['players']),
    ...players.flatMap((player) => [
      ...slotFaults(player.slot),
      ...profileFaults(player),
      ...textFaults('id', player.id),
      ...among('presence', player.presence, PRESENCES),
      ...within('round trip', player.roundTripMs, 0, 0xffff),
      ...keyFaults(player.key),
    ]),
  ];
}

/** 65 bytes in base64url. */
function keyFaults(key: string | undefined): string[] {
  return key === undefined || Buffer.from(key, 'base64url').length === 65 ? [] : ['key'];
}

/** 64 bytes in base64url. */
function signatureFaults(signature: string | undefined): string[] {
  return signature === undefined || Buffer.from(signature, 'base64url').length === 64 ? [] : ['signature'];
}

function lineageFaults({ founder, salt, term, links }: Lineage): string[] {
  return [
    ...keyFaults(founder),
    ...textFaults('salt', salt),
    ...within('term', term, 0, 0xffff),
    ...(partsOf(links) <= MAX_PARTS ? [] : ['links']),
    ...links.flatMap((link) => [
      ...keyFaults(link.key),
      ...within('term', link.term, 0, 0xffff),
      ...signatureFaults(link.kind === 'handover' ? link.signature : link.roster.signature),
      ...(link.kind === 'votes' ? link.votes.flatMap(({ slot }) => slotFaults(slot)) : []),
    ]),
  ];
}

function levelFaults({ id, seed, count, hash }: LevelReference): string[] {
  return [
    ...within('length of a level’s id', id.length, 1, 64),
    ...(/^[0-9a-f]{20}$/.test(hash) ? [] : ['hash']),
    ...within('seed', seed, 0, 0xffffffff),
    ...(count === undefined ? [] : within('count', count, 1, MAX_BODIES)),
  ];
}

function profileFaults({ name, voice, hands }: Profile): string[] {
  return [
    ...nameFaults(name),
    ...among('voice', voice, VOICE_STATES),
    ...among('hands', hands, ['pointer', 'controllers', 'bare']),
  ];
}

function nameFaults(name: string): string[] {
  const isShort =
    new TextEncoder().encode(name).length <= MAX_NAME_BYTES && encodeName(name).length <= MAX_NAME_BYTES;
  return isShort && name.trim() === name && !/[\p{Cc}\p{Cf}\p{Cs}\u3164\u115F\uFFA0\u2800]/u.test(name)
    ? []
    : ['name'];
}

function textFaults(what: string, text: string): string[] {
  return typeof text === 'string' && text.length <= 64 ? [] : [what];
}

const slotFaults = (value: number): string[] => within('slot', value, 0, DEDICATED_SLOT);
const connectionFaults = (value: number): string[] => within('connection', value, 0, 2 ** 31 - 1);

function within(what: string, value: number, low: number, high: number): string[] {
  return Number.isInteger(value) && value >= low && value <= high ? [] : [what];
}

function among(what: string, value: string, known: readonly string[]): string[] {
  return known.includes(value) ? [] : [what];
}
