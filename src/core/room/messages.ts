import type { ConnectionId, Slot } from '../base/ids.ts';
import {
  DEDICATED_SLOT,
  MAX_BODIES,
  MAX_PLAYERS,
  MAX_SERVER_ROOM_PLAYERS,
  MAX_TICK_RATE,
  MIN_TICK_RATE,
  TICK_RATE,
} from '../base/constants.ts';
import type { ChosenLevel, LevelRecipe, LevelReference } from '../world/level-reference.ts';
import { MAX_LEVEL_ID_LENGTH } from '../world/level.ts';
import { isLevelHash, LEVEL_REASONS } from '../world/level-reference.ts';
import { isSchemaHash } from '../shared/schema.ts';
import type { Fields } from './fields.ts';
import {
  asFields,
  MAX_MESSAGE_LENGTH,
  oneOf,
  parseFields,
  plainText,
  readSlot,
  string,
  whole,
} from './fields.ts';
import type { PublicKey, Signature } from './identity/key.ts';
import { readKey, readSignature } from './identity/key.ts';
import type { Lineage } from './identity/lineage.ts';
import { readEpoch, readLineage, readTerm } from './identity/lineage-reader.ts';
import { isPageId } from './page-id.ts';
import { isLarge, isPerson, slotsOfPeople } from './people.ts';
import type { Profile } from './profile.ts';
import { readProfile } from './profile.ts';

/**
 * The messages of a room, as JSON on the reliable channel: coming in, the roster, goodbyes and refusals. They follow
 * the handshake of the line (see identity/handshake.ts).
 */

/** [W1] The version of these messages and of every bit on the wire; peers of different versions don't play. */
export const PROTOCOL_VERSION = 17;

/** Milliseconds: with a round trip of more than a minute nobody plays. */
export const MAX_ROUND_TRIP_MS = 0xffff;
/** [N5.7] People who watch a room, at most: more makes no sense. */
export const MAX_WATCHERS = 1_000_000;
/** Characters of the door's secret, at most. */
const MAX_SECRET_LENGTH = 64;

/** `lost`: nothing comes from it, perhaps for a moment only; `away`: gone, and its slot waits for it [F3]. */
export const PRESENCES = ['here', 'lost', 'away'] as const;
/** One of PRESENCES. */
export type Presence = (typeof PRESENCES)[number];

/** A player as every page of the room knows it. */
export type RosterPlayer = Profile & {
  readonly slot: Slot;
  /** Its page's id at the broker, for voice calls. */
  readonly id: string;
  readonly presence: Presence;
  /** Milliseconds to the host and back; 0 for the host, and where it is not known yet. */
  readonly roundTripMs: number;
  /** [P1] By it every host knows that this player comes back. */
  readonly key: PublicKey;
};

/** The players of a room, by slot, as the host has them. */
export type Roster = {
  readonly host: Slot;
  /** How many people may play, a host among them included. */
  readonly capacity: number;
  /** Only players with a seat come in. */
  readonly locked: boolean;
  readonly players: readonly RosterPlayer[];
  /** [N5.7] How many watch the room; left out if nobody does. */
  readonly watchers?: number;
  /** [H8] The host's term. */
  readonly term: number;
  /** [P4] How often the part that the host signs has changed in this term. */
  readonly epoch: number;
  /** [P4] The host's signature; null while the host has not signed this epoch. */
  readonly signature: Signature | null;
};

/** A connection that a page wants to keep. */
export type KeptConnection = {
  readonly connection: ConnectionId;
  /** [H8] The term in which it was made. */
  readonly term: number;
  /** The id at the broker of the host's page: when that is loaded again, it counts connections anew. */
  readonly host: string;
};

/** The first message of a guest on a line, after the handshake. */
export type Join = Profile & {
  readonly kind: 'join';
  /** The slot that it would like, for its colour; null for any. [N3.4] DEDICATED_SLOT from a dedicated host alone. */
  readonly colour: Slot | null;
  /** Null for a page that has no world of the room. */
  readonly keeps: KeptConnection | null;
};

/** [P5] A guest's signed vote: valid for one term, one epoch and one candidate. */
export type Ballot = {
  readonly epoch: number;
  readonly candidate: PublicKey;
  readonly signature: Signature;
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
  /** [P5] The vote, signed; null while there is none. */
  readonly ballot: Ballot | null;
};

/** [F4] The last host that had a majority, and its term: a room without a majority goes back to it. */
export type Home = { readonly host: Slot; readonly term: number };

/** Every message from a guest to its host, or to another guest. */
export type GuestMessage =
  | Join
  | Standing
  /** [F4] From a host with guests to another host at the room's door: the room is here. */
  | { readonly kind: 'elsewhere'; readonly lineage: Lineage }
  /** [P8] The player's profile has changed. */
  | (Profile & { readonly kind: 'profile' })
  /** `returns`: its page may be on its way back, as in a reload; else its seat is free at once. */
  | { readonly kind: 'bye'; readonly returns: boolean };

/** A message from a guest that has a seat. */
export type SeatedMessage = Exclude<GuestMessage, { readonly kind: 'join' | 'standing' | 'elsewhere' }>;

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
  readonly connection: ConnectionId;
  /** The guest goes on in the world that it has; else it begins a new one. */
  readonly goesOn: boolean;
  /** [H8] The host's term. */
  readonly term: number;
  /** [P5] Why this page may be the room's host. */
  readonly lineage: Lineage;
  /** [F4] The secret that opens the room's door, for a guest that is host later. */
  readonly door: string;
  /** [F4] Null if a majority has chosen this host, or it is the first host of the room. */
  readonly home: Home | null;
  readonly level: LevelReference;
  /** [V1.3] The hash of the room's schema; left out without one. */
  readonly schema?: string | undefined;
  readonly roster: Roster;
};

/** Every message from a host. */
export type HostMessage =
  | Welcome
  | Standing
  | { readonly kind: 'refuse'; readonly reason: Refusal; readonly version: number }
  | { readonly kind: 'roster'; readonly roster: Roster }
  /** [F4] The room's door has another secret. */
  | { readonly kind: 'door'; readonly door: string }
  | ({ readonly kind: 'level' } & ChosenLevel)
  | HostBye;

/** The host leaves, or ends a guest's part. */
export type HostBye = {
  readonly kind: 'bye';
  readonly reason: Ending;
  /** The slot of the next host, if the host has left and somebody is there; else null. */
  readonly next: Slot | null;
  /** [P5] The signature of the handover to `next`; null if there is none. */
  readonly handover: Signature | null;
  /** [F4.35] The host comes to `next` with its world; left out if it does not. */
  readonly stays?: true;
};

/** @returns the message as text. @throws Error if it is longer than MAX_MESSAGE_LENGTH. */
export function writeMessage(message: GuestMessage | HostMessage): string {
  const text = JSON.stringify(message);
  if (text.length > MAX_MESSAGE_LENGTH) throw new Error(`a message of ${text.length} characters`);
  return text;
}

/** Reads a guest's message and checks every part of it; null if it makes no sense. Never throws. */
export function readGuestMessage(text: string): GuestMessage | null {
  const message = parseFields(text);
  switch (message?.kind) {
    case 'join':
      return readJoin(message);
    case 'profile': {
      const profile = readProfile(message);
      return profile === null ? null : { kind: 'profile', ...profile };
    }
    case 'bye':
      return typeof message.returns === 'boolean' ? { kind: 'bye', returns: message.returns } : null;
    case 'standing':
      return readStanding(message);
    case 'elsewhere': {
      const lineage = readLineage(message.lineage);
      return lineage === null ? null : { kind: 'elsewhere', lineage };
    }
    default:
      return null;
  }
}

/** Reads a host's message and checks every part of it; null if it makes no sense. Never throws. */
export function readHostMessage(text: string): HostMessage | null {
  const message = parseFields(text);
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
    case 'level': {
      const level = readLevelReference(message.level);
      const connection = readConnection(message.connection);
      const why = oneOf(LEVEL_REASONS, message.why) ?? 'choice';
      return level === null || connection === null ? null : { kind: 'level', level, connection, why };
    }
    case 'bye': {
      const reason = oneOf(ENDINGS, message.reason);
      const handover = readSignature(message.handover);
      const stays = message.stays === true ? { stays: true as const } : {};
      return reason === null
        ? null
        : { kind: 'bye', reason, next: readSlot(message.next), handover, ...stays };
    }
    case 'door': {
      const door = plainText(message.door, MAX_SECRET_LENGTH);
      return door === null ? null : { kind: 'door', door };
    }
    case 'standing':
      return readStanding(message);
    default:
      return null;
  }
}

function readJoin(message: Fields): Join | null {
  const profile = readProfile(message);
  return profile === null
    ? null
    : { kind: 'join', ...profile, colour: readSlot(message.colour), keeps: readKept(message.keeps) };
}

/** Reads a connection that a page wants to keep; null if it makes no sense: then the page keeps nothing. */
function readKept(value: unknown): KeptConnection | null {
  const fields = asFields(value);
  const connection = readConnection(fields?.connection);
  const term = readTerm(fields?.term);
  const host = readPageId(fields?.host);
  return connection === null || term === null || host === null ? null : { connection, term, host };
}

function readStanding(message: Fields): Standing | null {
  const host = readSlot(message.host);
  const term = readTerm(message.term);
  if (host === null || term === null) return null;
  const vote = readSlot(message.vote);
  const ballot = vote === null ? null : readBallot(message.ballot);
  return { kind: 'standing', host, term, hears: message.hears === true, vote, ballot };
}

function readBallot(value: unknown): Ballot | null {
  const fields = asFields(value);
  const epoch = readEpoch(fields?.epoch);
  const candidate = readKey(fields?.candidate);
  const signature = readSignature(fields?.signature);
  return epoch === null || candidate === null || signature === null ? null : { epoch, candidate, signature };
}

function readHome(value: unknown): Home | null {
  const fields = asFields(value);
  const host = readSlot(fields?.host);
  const term = readTerm(fields?.term);
  return host === null || term === null ? null : { host, term };
}

function readWelcome(message: Fields): Welcome | null {
  const slot = readSlot(message.slot);
  const connection = readConnection(message.connection);
  const level = readLevelReference(message.level);
  const roster = readRoster(message.roster);
  const term = readTerm(message.term);
  const lineage = readLineage(message.lineage);
  const door = plainText(message.door, MAX_SECRET_LENGTH);
  if (slot === null || connection === null || term === null || lineage === null || door === null) return null;
  if (level === null || roster === null || roster.host === slot) return null;
  if (slot !== DEDICATED_SLOT && slot >= slotsOfPeople(roster)) return null;
  const goesOn = message.goesOn === true;
  const home = readHome(message.home);
  const { schema } = message;
  const isSchema = typeof schema === 'string' && isSchemaHash(schema);
  if (schema !== undefined && !isSchema) return null;
  const keeps = { slot, connection, goesOn, term, lineage, door, home };
  return { kind: 'welcome', ...keeps, level, ...(isSchema ? { schema } : {}), roster };
}

function readRoster(value: unknown): Roster | null {
  const fields = asFields(value);
  const host = readSlot(fields?.host);
  const capacity = whole(fields?.capacity, 1, MAX_SERVER_ROOM_PLAYERS);
  if (fields === null || host === null || capacity === null || !Array.isArray(fields.players)) return null;
  // [N8.1] No person is host of a large room.
  if (isLarge({ capacity }) && host !== DEDICATED_SLOT) return null;
  const slots = slotsOfPeople({ capacity });
  const players: RosterPlayer[] = [];
  for (const entry of fields.players.slice(0, MAX_PLAYERS)) {
    const player = readPlayer(entry);
    if (player === null || players.some(({ slot }) => slot === player.slot)) return null;
    if (isPerson(player) && player.slot >= slots) return null;
    players.push(player);
  }
  if (players.filter(isPerson).length > capacity || !players.some(({ slot }) => slot === host)) return null;
  const term = readTerm(fields.term);
  const epoch = readEpoch(fields.epoch);
  if (term === null || epoch === null) return null;
  const signature = readSignature(fields.signature);
  const watchers = whole(fields.watchers ?? 0, 0, MAX_WATCHERS);
  const watched = watchers ? { watchers } : {};
  return { host, capacity, locked: fields.locked === true, players, ...watched, term, epoch, signature };
}

/** Reads a player of a roster; null if it makes no sense. */
export function readPlayer(value: unknown): RosterPlayer | null {
  const fields = asFields(value);
  const slot = readSlot(fields?.slot);
  const profile = readProfile(fields);
  const id = readPageId(fields?.id);
  const presence = oneOf(PRESENCES, fields?.presence);
  const roundTripMs = whole(fields?.roundTripMs, 0, MAX_ROUND_TRIP_MS);
  if (slot === null || profile === null || id === null) return null;
  const key = readKey(fields?.key);
  if (presence === null || roundTripMs === null || key === null) return null;
  return { slot, ...profile, id, presence, roundTripMs, key };
}

/** Reads a recipe of a level; null if no level can have it. */
export function readLevelRecipe(value: unknown): LevelRecipe | null {
  const fields = asFields(value);
  const id = string(fields?.id, MAX_LEVEL_ID_LENGTH);
  const seed = whole(fields?.seed, 0, 0xffffffff);
  if (id === null || id === '' || seed === null) return null;
  if (fields?.count === undefined) return { id, seed };
  const count = whole(fields.count, 1, MAX_BODIES);
  return count === null ? null : { id, seed, count };
}

/** Reads a reference to a level; null if no level can have it. */
export function readLevelReference(value: unknown): LevelReference | null {
  const recipe = readLevelRecipe(value);
  const fields = asFields(value);
  const hash = string(fields?.hash, MAX_LEVEL_ID_LENGTH);
  const rate = whole(fields?.rate ?? TICK_RATE, MIN_TICK_RATE, MAX_TICK_RATE);
  if (recipe === null || hash === null || rate === null || !isLevelHash(hash)) return null;
  return rate === TICK_RATE ? { ...recipe, hash } : { ...recipe, hash, rate };
}

/** Reads a page's id at the broker; null if no page may have it. */
function readPageId(value: unknown): string | null {
  return typeof value === 'string' && isPageId(value) ? value : null;
}

function readConnection(value: unknown): ConnectionId | null {
  return whole(value, 0, 0x7fffffff) as ConnectionId | null;
}
