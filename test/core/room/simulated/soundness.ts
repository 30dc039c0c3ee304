import { MAX_BODIES, MAX_NAME_BYTES, MAX_PLAYERS } from '../../../../src/core/base/constants.ts';
import { encodeName } from '../../../../src/core/base/text.ts';
import type { GuestMessage, HostMessage, Roster } from '../../../../src/core/room/messages.ts';
import {
  ENDINGS,
  PRESENCES,
  PROTOCOL_VERSION,
  REFUSALS,
  VOICE_STATES,
} from '../../../../src/core/room/messages.ts';
import type { SceneChoice } from '../../../../src/core/world/scene.ts';
import { SCENE_NAMES } from '../../../../src/core/world/scene.ts';

/** @returns the fields that are wrong in a message that was read, checked independently of the reader; empty if it is sound. */
export function faultsOf(message: GuestMessage | HostMessage): string[] {
  switch (message.kind) {
    case 'hello':
      return [
        ...within('version', message.version, 0, 0xffff),
        ...(message.version === PROTOCOL_VERSION ? nameFaults(message.name) : []),
        ...(message.colour === null ? [] : slotFaults(message.colour)),
        ...(message.seat === null
          ? []
          : [...slotFaults(message.seat.slot), ...textFaults('secret', message.seat.secret)]),
        ...connectionFaults(message.seat?.connection ?? 0),
        ...within('term', message.seat?.term ?? 0, 0, 0xffff),
      ];
    case 'standing':
      return [
        ...slotFaults(message.host),
        ...within('term', message.term, 0, 0xffff),
        ...slotFaults(message.vote ?? 0),
      ];
    case 'elsewhere':
      return textFaults('proof', message.proof);
    case 'voice':
      return among('voice', message.voice, VOICE_STATES);
    case 'welcome':
      return [
        ...slotFaults(message.slot),
        ...textFaults('secret', message.secret),
        ...connectionFaults(message.connection),
        ...within('term', message.term, 0, 0xffff),
        ...textFaults('door', message.door),
        ...slotFaults(message.home?.host ?? 0),
        ...within('term before', message.home?.term ?? 0, 0, 0xffff),
        ...(typeof message.goesOn === 'boolean' ? [] : ['goes on']),
        ...sceneFaults(message.scene),
        ...within('tick rate', message.tickRate, 60, 60),
        ...rosterFaults(message.roster),
      ];
    case 'refuse':
      return [
        ...among('refusal', message.reason, REFUSALS),
        ...within('version', message.version, 0, 0xffff),
      ];
    case 'roster':
      return rosterFaults(message.roster);
    case 'scene':
      return [...sceneFaults(message.scene), ...connectionFaults(message.connection)];
    case 'bye':
      if (!('reason' in message)) return [];
      return [...among('ending', message.reason, ENDINGS), ...slotFaults(message.next ?? 0)];
  }
}

function rosterFaults({ host, capacity, locked, players }: Roster): string[] {
  const slots = players.map(({ slot }) => slot);
  return [
    ...within('capacity', capacity, 1, MAX_PLAYERS),
    ...(typeof locked === 'boolean' ? [] : ['locked']),
    ...(slots.includes(host) ? [] : ['no host']),
    ...(new Set(slots).size === slots.length && slots.length <= capacity ? [] : ['players']),
    ...players.flatMap((player) => [
      ...slotFaults(player.slot),
      ...nameFaults(player.name),
      ...textFaults('id', player.id),
      ...among('presence', player.presence, PRESENCES),
      ...among('voice', player.voice, VOICE_STATES),
      ...within('round trip', player.roundTripMs, 0, 0xffff),
      ...textFaults('proof', player.proof),
    ]),
  ];
}

function sceneFaults({ name, seed, count }: SceneChoice): string[] {
  return [
    ...among('scene', name, SCENE_NAMES),
    ...within('seed', seed, 0, 0xffffffff),
    ...(count === undefined ? [] : within('count', count, 1, MAX_BODIES)),
  ];
}

function nameFaults(name: string): string[] {
  const isShort =
    new TextEncoder().encode(name).length <= MAX_NAME_BYTES && encodeName(name).length <= MAX_NAME_BYTES;
  return isShort && name.trim() === name && !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(name) ? [] : ['name'];
}

function textFaults(what: string, text: string): string[] {
  return typeof text === 'string' && text.length <= 64 ? [] : [what];
}

const slotFaults = (value: number): string[] => within('slot', value, 0, MAX_PLAYERS - 1);
const connectionFaults = (value: number): string[] => within('connection', value, 0, 2 ** 31 - 1);

function within(what: string, value: number, low: number, high: number): string[] {
  return Number.isInteger(value) && value >= low && value <= high ? [] : [what];
}

function among(what: string, value: string, known: readonly string[]): string[] {
  return known.includes(value) ? [] : [what];
}
