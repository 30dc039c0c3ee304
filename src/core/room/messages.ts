import type { ConnectionId, Slot } from '../base/ids.ts';
import { MAX_BODIES, MAX_NAME_BYTES, MAX_PLAYERS, TICK_RATE } from '../base/constants.ts';
import { decodeName, encodeName } from '../base/text.ts';
import type { SceneChoice } from '../world/scene.ts';
import { isSceneName } from '../world/scene.ts';
import { isPageId } from './page-id.ts';

/**
 * The messages of a room, as JSON on the reliable channel: coming in, the roster, goodbyes and refusals. The first
 * message, `hello`, keeps its form in every version, so that a page can say in words that the versions differ.
 */

/** [W1] The version of these messages and of every bit on the wire; peers of different versions don't play. */
export const PROTOCOL_VERSION = 8;

/**
 * Characters in the longest message that is read. A roster of eight is mostly under 2,000; with the longest names, ids
 * and proofs that a reader accepts it is under 6,000, and so is a welcome.
 */
export const MAX_MESSAGE_LENGTH = 8192;
/** Milliseconds: with a round trip of more than a minute nobody plays. */
export const MAX_ROUND_TRIP_MS = 0xffff;
/** Characters of a secret or the proof of one, at most. */
export const MAX_SECRET_LENGTH = 64;
/** [H8] Terms wrap at 16 bits. */
const MAX_TERM = 0xffff;

/** `off`: the player does not speak; `muted`: it speaks, but not now. */
export const VOICE_STATES = ['off', 'on', 'muted'] as const;
/** One of VOICE_STATES. */
export type VoiceState = (typeof VOICE_STATES)[number];

/** `lost`: nothing comes from it, perhaps for a moment only; `away`: gone, and its slot waits for it [F3]. */
export const PRESENCES = ['here', 'lost', 'away'] as const;
/** One of PRESENCES. */
export type Presence = (typeof PRESENCES)[number];

/** A player as every page of the room knows it. */
export type RosterPlayer = {
  readonly slot: Slot;
  /** Empty if the player gave none; then it is called by its colour. */
  readonly name: string;
  /** Its page's id at the broker, for voice calls. */
  readonly id: string;
  readonly presence: Presence;
  readonly voice: VoiceState;
  /** Milliseconds to the host and back; 0 for the host, and where it is not known yet. */
  readonly roundTripMs: number;
  /** The hash of its secret: by it the next host knows that this player comes back, and nobody else can pretend to. */
  readonly proof: string;
};

/** The players of a room, by slot, as the host has them. */
export type Roster = {
  readonly host: Slot;
  /** How many may play, the host included. */
  readonly capacity: number;
  /** Only players with a seat come in. */
  readonly locked: boolean;
  readonly players: readonly RosterPlayer[];
};

/** The proof that a player comes back, and the connection to which it still belongs. */
export type SeatProof = {
  readonly slot: Slot;
  readonly secret: string;
  /** Null for a page that has no world of the room. */
  readonly connection: ConnectionId | null;
  /** [H8] The term in which that connection was made. */
  readonly term: number;
};

/** The first message of a guest on a line. */
export type Hello = {
  readonly kind: 'hello';
  readonly version: number;
  readonly name: string;
  /** The slot that it would like, for its colour; null for any. */
  readonly colour: Slot | null;
  /** Null for a player that is new in the room. */
  readonly seat: SeatProof | null;
};

/**
 * [F4] Guests send it to each other once a second on their standby lines, and at once when it changes: which slot
 * they take for the host, under which term, and whether they hear that host. A player that names its own slot says
 * that it is the host; then `hears` says whether anybody plays with it.
 */
export type Standing = {
  readonly kind: 'standing';
  readonly host: Slot;
  readonly term: number;
  readonly hears: boolean;
  /** The slot that it votes for as the next host; null while it votes for nobody. */
  readonly vote: Slot | null;
};

/** [F4] The last host that had a majority, and its term: a room without a majority goes back to it. */
export type Home = { readonly host: Slot; readonly term: number };

/** Every message from a guest to its host, or to another guest. */
export type GuestMessage =
  | Hello
  | Standing
  /** [F4] From a host with guests to another host at the room's door: the room is here. See admission.ts for the proof. */
  | { readonly kind: 'elsewhere'; readonly proof: string }
  | { readonly kind: 'voice'; readonly voice: VoiceState }
  /** `returns`: its page may be on its way back, as in a reload; else its seat is free at once. */
  | { readonly kind: 'bye'; readonly returns: boolean };

/** Why a host does not let a page in. */
export const REFUSALS = ['version', 'full', 'locked', 'removed'] as const;
/** One of REFUSALS. */
export type Refusal = (typeof REFUSALS)[number];

/** Why a host ends a guest's part. `rules`: its packets broke the rules of play too often. */
export const ENDINGS = ['host left', 'removed', 'rules', 'opened elsewhere'] as const;
/** One of ENDINGS. */
export type Ending = (typeof ENDINGS)[number];

/** The host lets a guest in. */
export type Welcome = {
  readonly kind: 'welcome';
  readonly slot: Slot;
  readonly secret: string;
  readonly connection: ConnectionId;
  /** The guest goes on in the world that it has; else it begins a new one. */
  readonly goesOn: boolean;
  /** [H8] The host's term. */
  readonly term: number;
  /** [F4] The secret that opens the room's door, for a guest that is host later. */
  readonly door: string;
  /** [F4] Null if a majority has chosen this host, or it is the first host of the room. */
  readonly home: Home | null;
  readonly scene: SceneChoice;
  /** Ticks a second. */
  readonly tickRate: number;
  readonly roster: Roster;
};

/** Every message from a host. */
export type HostMessage =
  | Welcome
  | Standing
  | { readonly kind: 'refuse'; readonly reason: Refusal; readonly version: number }
  | { readonly kind: 'roster'; readonly roster: Roster }
  | { readonly kind: 'scene'; readonly scene: SceneChoice; readonly connection: ConnectionId }
  /** `next`: the slot of the next host, if the host has left and somebody is there; else null. */
  | { readonly kind: 'bye'; readonly reason: Ending; readonly next: Slot | null };

/** @returns the message as text. @throws Error if it is longer than MAX_MESSAGE_LENGTH. */
export function writeMessage(message: GuestMessage | HostMessage): string {
  const text = JSON.stringify(message);
  if (text.length > MAX_MESSAGE_LENGTH) throw new Error(`a message of ${text.length} characters`);
  return text;
}

/** Reads a guest's message and checks every part of it; null if it makes no sense. Never throws. */
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

/** Reads a host's message and checks every part of it; null if it makes no sense. Never throws. */
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

/** In a hello of another version only the version is read: the rest may have changed. */
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
  if (host === null || term === null) return null;
  return { kind: 'standing', host, term, hears: message.hears === true, vote: readSlot(message.vote) };
}

function readHome(value: unknown): Home | null {
  const fields = asFields(value);
  const host = readSlot(fields?.host);
  const term = whole(fields?.term, 0, MAX_TERM);
  return host === null || term === null ? null : { host, term };
}

/** @returns undefined if it makes no sense. */
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
  const home = readHome(message.home);
  return { kind: 'welcome', slot, secret, connection, goesOn, term, door, home, scene, tickRate, roster };
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
  const id = readPageId(fields?.id);
  const presence = oneOf(PRESENCES, fields?.presence);
  const voice = oneOf(VOICE_STATES, fields?.voice);
  const roundTripMs = whole(fields?.roundTripMs, 0, MAX_ROUND_TRIP_MS);
  if (slot === null || name === null || id === null) return null;
  const proof = string(fields?.proof, MAX_SECRET_LENGTH);
  if (presence === null || voice === null || roundTripMs === null || proof === null) return null;
  return { slot, name, id, presence, voice, roundTripMs, proof };
}

/** Reads a choice of a scene; null if no scene can be built from it. */
export function readScene(value: unknown): SceneChoice | null {
  const fields = asFields(value);
  const name = string(fields?.name, 32);
  const seed = whole(fields?.seed, 0, 0xffffffff);
  if (name === null || !isSceneName(name) || seed === null) return null;
  if (fields?.count === undefined) return { name, seed };
  const count = whole(fields.count, 1, MAX_BODIES);
  return count === null ? null : { name, seed, count };
}

/** Reads a name, without the parts that may not be shown; null if it is none. */
function readName(value: unknown): string | null {
  const name = string(value, MAX_NAME_BYTES);
  return name === null ? null : decodeName(encodeName(name));
}

/** Reads a page's id at the broker; null if no page may have it. */
function readPageId(value: unknown): string | null {
  return typeof value === 'string' && isPageId(value) ? value : null;
}

/** Reads a slot, 0 to MAX_PLAYERS − 1; null if it is none. */
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
