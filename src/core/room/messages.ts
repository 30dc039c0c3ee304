import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_BODIES, MAX_NAME_BYTES, MAX_PLAYERS, TICK_RATE } from '../base/constants.ts';
import { decodeName, encodeName } from '../base/text.ts';
import type { SceneChoice } from '../world/scene.ts';
import { isSceneName } from '../world/scene.ts';

/**
 * What is said on the reliable channel of a room, as JSON: who comes in, who is there, and why not. The first
 * message, `hello`, keeps its form in every version, so that a different version can be told of in words.
 */

/** [W1] Of the messages here and of every bit on the wire; peers of different versions don't play. */
export const PROTOCOL_VERSION = 8;

/** Characters in the longest message that is read: a roster of eight is under 2,000. */
export const MAX_MESSAGE_LENGTH = 8192;
/** More than a minute is no round trip that anybody plays with. */
export const MAX_ROUND_TRIP_MS = 0xffff;
/** Characters of a secret or what proves one, and of an id at the broker. */
export const MAX_SECRET_LENGTH = 64;
const MAX_ID_LENGTH = 64;
/** [H8] Terms wrap at 16 bits. */
const MAX_TERM = 0xffff;

/** `off`: does not speak; `muted`: speaks, but not now. */
export const VOICE_STATES = ['off', 'on', 'muted'] as const;
export type VoiceState = (typeof VOICE_STATES)[number];

/** `lost`: silent, for a moment perhaps; `away`: gone, and its slot waits for it [F3]. */
export const PRESENCES = ['here', 'lost', 'away'] as const;
export type Presence = (typeof PRESENCES)[number];

export type RosterPlayer = {
  readonly slot: Slot;
  /** Empty: to be called by its colour. */
  readonly name: string;
  /** Its page's id at the broker, for voice calls. */
  readonly id: string;
  readonly presence: Presence;
  readonly voice: VoiceState;
  /** Milliseconds to the host and back; 0 for the host, and where it is not known yet. */
  readonly roundTripMs: number;
  /** What its secret hashes to: whoever is host next can tell that this player comes back, and nobody can pretend to. */
  readonly proof: string;
};

/** Who is in the room, as the host has it; by slot. */
export type Roster = {
  readonly host: Slot;
  /** How many may play. */
  readonly capacity: number;
  readonly locked: boolean;
  readonly players: readonly RosterPlayer[];
};

/** What proves that a player comes back, and to which connection it still belongs. */
export type SeatProof = {
  readonly slot: Slot;
  readonly secret: string;
  /** Null for a page that has no world of the room. */
  readonly connection: ConnectionId | null;
  /** [H8] The term in which that connection was made. */
  readonly term: number;
};

export type Hello = {
  readonly kind: 'hello';
  readonly version: number;
  readonly name: string;
  /** The slot that it would like, for its colour. */
  readonly colour: Slot | null;
  readonly seat: SeatProof | null;
};

/**
 * [F4] What players tell each other once a second on their standby lines, and at once when it changes: whom they
 * take for the host, under which term, and whether they hear it. Of oneself it is a claim to be the host, and
 * says whether somebody plays with it.
 */
export type Standing = {
  readonly kind: 'standing';
  readonly host: Slot;
  readonly term: number;
  readonly hears: boolean;
};

export type GuestMessage =
  | Hello
  | Standing
  /** [F4] From a host with guests to another host at the room's door: the room is here. See admission.ts for the proof. */
  | { readonly kind: 'elsewhere'; readonly proof: string }
  | { readonly kind: 'voice'; readonly voice: VoiceState }
  /** `returns`: its page may be on its way back, as in a reload; else its seat is anybody's at once. */
  | { readonly kind: 'bye'; readonly returns: boolean };

export const REFUSALS = ['version', 'full', 'locked', 'removed'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** `rules`: what it sent broke the rules of play too often. */
export const ENDINGS = ['host left', 'removed', 'rules', 'opened elsewhere'] as const;
export type Ending = (typeof ENDINGS)[number];

export type Welcome = {
  readonly kind: 'welcome';
  readonly slot: Slot;
  readonly secret: string;
  readonly connection: ConnectionId;
  /** The guest goes on in the world that it has; else it begins anew. */
  readonly goesOn: boolean;
  /** [H8] */
  readonly term: number;
  /** [F4] What it takes to answer at the room's door after this host. */
  readonly door: string;
  readonly scene: SceneChoice;
  readonly tickRate: number;
  readonly roster: Roster;
};

export type HostMessage =
  | Welcome
  | Standing
  | { readonly kind: 'refuse'; readonly reason: Refusal; readonly version: number }
  | { readonly kind: 'roster'; readonly roster: Roster }
  | { readonly kind: 'scene'; readonly scene: SceneChoice; readonly connection: ConnectionId }
  /** `next`: who is host from now on, if the host has left and somebody is there. */
  | { readonly kind: 'bye'; readonly reason: Ending; readonly next: Slot | null };

/** A message as text. */
export function writeMessage(message: GuestMessage | HostMessage): string {
  const text = JSON.stringify(message);
  if (text.length > MAX_MESSAGE_LENGTH) throw new Error(`a message of ${text.length} characters`);
  return text;
}

/** What a guest said, checked in every part; null if it makes no sense. Never throws. */
export function readGuestMessage(text: string): GuestMessage | null {
  const message = parse(text);
  switch (message?.kind) {
    case 'hello':
      return readHello(message);
    case 'voice': {
      const voice = oneOf(VOICE_STATES, message.voice);
      return voice === null ? null : { kind: 'voice', voice };
    }
    case 'bye':
      return typeof message.returns === 'boolean' ? { kind: 'bye', returns: message.returns } : null;
    case 'standing':
      return readStanding(message);
    case 'elsewhere': {
      const proof = string(message.proof, MAX_SECRET_LENGTH);
      return proof === null ? null : { kind: 'elsewhere', proof };
    }
    default:
      return null;
  }
}

/** What a host said, checked in every part; null if it makes no sense. Never throws. */
export function readHostMessage(text: string): HostMessage | null {
  const message = parse(text);
  switch (message?.kind) {
    case 'welcome':
      return readWelcome(message);
    case 'refuse': {
      const reason = oneOf(REFUSALS, message.reason);
      const version = whole(message.version, 0, 0xffff);
      return reason === null || version === null ? null : { kind: 'refuse', reason, version };
    }
    case 'roster': {
      const roster = readRoster(message.roster);
      return roster === null ? null : { kind: 'roster', roster };
    }
    case 'scene': {
      const scene = readScene(message.scene);
      const connection = readConnection(message.connection);
      return scene === null || connection === null ? null : { kind: 'scene', scene, connection };
    }
    case 'bye': {
      const reason = oneOf(ENDINGS, message.reason);
      return reason === null ? null : { kind: 'bye', reason, next: readSlot(message.next) };
    }
    case 'standing':
      return readStanding(message);
    default:
      return null;
  }
}

/** Of another version only the version counts: the rest may have changed. */
function readHello(message: Fields): Hello | null {
  const version = whole(message.version, 0, 0xffff);
  if (version === null) return null;
  if (version !== PROTOCOL_VERSION) return { kind: 'hello', version, name: '', colour: null, seat: null };
  const name = readName(message.name);
  const seat = readSeat(message.seat);
  if (name === null || seat === undefined) return null;
  return { kind: 'hello', version, name, colour: readSlot(message.colour), seat };
}

function readStanding(message: Fields): Standing | null {
  const host = readSlot(message.host);
  const term = whole(message.term, 0, MAX_TERM);
  return host === null || term === null
    ? null
    : { kind: 'standing', host, term, hears: message.hears === true };
}

/** undefined if it makes no sense. */
function readSeat(value: unknown): SeatProof | null | undefined {
  if (value === null) return null;
  const fields = asFields(value);
  const slot = readSlot(fields?.slot);
  const secret = string(fields?.secret, MAX_SECRET_LENGTH);
  const term = whole(fields?.term, 0, MAX_TERM);
  if (fields === null || slot === null || secret === null || term === null) return undefined;
  return { slot, secret, connection: readConnection(fields.connection), term };
}

function readWelcome(message: Fields): Welcome | null {
  const slot = readSlot(message.slot);
  const secret = string(message.secret, MAX_SECRET_LENGTH);
  const connection = readConnection(message.connection);
  const scene = readScene(message.scene);
  const tickRate = whole(message.tickRate, TICK_RATE, TICK_RATE);
  const roster = readRoster(message.roster);
  const term = whole(message.term, 0, MAX_TERM);
  const door = string(message.door, MAX_SECRET_LENGTH);
  if (slot === null || secret === null || connection === null || term === null || door === null) return null;
  if (scene === null || tickRate === null || roster === null || roster.host === slot) return null;
  const goesOn = message.goesOn === true;
  return { kind: 'welcome', slot, secret, connection, goesOn, term, door, scene, tickRate, roster };
}

function readRoster(value: unknown): Roster | null {
  const fields = asFields(value);
  const host = readSlot(fields?.host);
  const capacity = whole(fields?.capacity, 1, MAX_PLAYERS);
  if (fields === null || host === null || capacity === null || !Array.isArray(fields.players)) return null;
  const players: RosterPlayer[] = [];
  for (const entry of fields.players.slice(0, MAX_PLAYERS + 1)) {
    const player = readPlayer(entry);
    if (player === null || players.some(({ slot }) => slot === player.slot)) return null;
    players.push(player);
  }
  if (players.length > capacity || !players.some(({ slot }) => slot === host)) return null;
  return { host, capacity, locked: fields.locked === true, players };
}

function readPlayer(value: unknown): RosterPlayer | null {
  const fields = asFields(value);
  const slot = readSlot(fields?.slot);
  const name = readName(fields?.name);
  const id = string(fields?.id, MAX_ID_LENGTH);
  const presence = oneOf(PRESENCES, fields?.presence);
  const voice = oneOf(VOICE_STATES, fields?.voice);
  const roundTripMs = whole(fields?.roundTripMs, 0, MAX_ROUND_TRIP_MS);
  if (slot === null || name === null || id === null) return null;
  const proof = string(fields?.proof, MAX_SECRET_LENGTH);
  if (presence === null || voice === null || roundTripMs === null || proof === null) return null;
  return { slot, name, id, presence, voice, roundTripMs, proof };
}

/** A scene that can be built. */
export function readScene(value: unknown): SceneChoice | null {
  const fields = asFields(value);
  const name = string(fields?.name, 32);
  const seed = whole(fields?.seed, 0, 0xffffffff);
  if (name === null || !isSceneName(name) || seed === null) return null;
  if (fields?.count === undefined) return { name, seed };
  const count = whole(fields.count, 1, MAX_BODIES);
  return count === null ? null : { name, seed, count };
}

/** A name as it may be shown. */
function readName(value: unknown): string | null {
  const name = string(value, MAX_NAME_BYTES);
  return name === null ? null : decodeName(encodeName(name));
}

/** A slot; null if it is none. */
export function readSlot(value: unknown): Slot | null {
  return whole(value, 0, MAX_PLAYERS - 1) as Slot | null;
}

function readConnection(value: unknown): ConnectionId | null {
  return whole(value, 0, 0x7fffffff) as ConnectionId | null;
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields | null {
  if (text.length > MAX_MESSAGE_LENGTH) return null;
  try {
    return asFields(JSON.parse(text));
  } catch {
    return null;
  }
}

function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function whole(value: unknown, low: number, high: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : null;
}

function string(value: unknown, most: number): string | null {
  return typeof value === 'string' && value.length <= most ? value : null;
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null;
}
