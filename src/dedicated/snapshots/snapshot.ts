import { DEDICATED_SLOT, MAX_SERVER_ROOM_PLAYERS } from '../../core/base/constants.ts';
import type { Slot } from '../../core/base/ids.ts';
import type { SavedWorld } from '../../core/files.ts';
import { readWorldFile, writeWorldFile } from '../../core/files.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import { parseFields, string, whole } from '../../core/room/fields.ts';
import type { Lineage } from '../../core/room/identity/lineage.ts';
import { MAX_EPOCH, readEpoch, readLineage } from '../../core/room/identity/lineage-reader.ts';
import type { Roster, RosterPlayer } from '../../core/room/messages.ts';
import { PROTOCOL_VERSION, readPlayer } from '../../core/room/messages.ts';
import { isPerson, slotsOfPeople } from '../../core/room/people.ts';
import type { LevelSource } from '../../core/world/level-reference.ts';

/** [N6.1] A server room as it is kept: enough to go on with it in another process. */
export type RoomSnapshot = {
  readonly code: RoomCode;
  /** The private half of the host's key: who has it is host of this room. */
  readonly key: string;
  /** [N6.3] The secret of its door. */
  readonly door: string;
  /** [N4.1] The name of the network that has opened it; null if it is not known. */
  readonly founder: string | null;
  /** [P5] The lineage of hosts, of which the dedicated host is the last. */
  readonly lineage: Lineage;
  /** [P4] The epoch of the roster; MAX_EPOCH if the text has none, so that no votes are later [N3.7]. */
  readonly epoch: number;
  /** People at most. */
  readonly capacity: number;
  readonly locked: boolean;
  /** The people in the room and those away. */
  readonly players: readonly RosterPlayer[];
  readonly world: SavedWorld;
};

const FORMAT = 'handover room';
/** The present layout of the text; another one is not read. */
const VERSION = 2;
/** Characters of the longest text that is read: a world of 4,096 bodies has 300,000. */
export const MOST_CHARACTERS = 1_000_000;
/** [N9.9] Characters at the beginning of the text in which the protocol version stands. */
export const HEAD_CHARACTERS = 100;
/** Characters of a key, at most: those of P-256 have 184. */
const MOST_KEY = 512;
/** Characters of a door's secret, and of the name of a network, at most. */
const MOST_NAME = 64;

/** @returns the snapshot as JSON: the world is the file of a saved world, in base64. */
export function writeSnapshot({ world, ...room }: RoomSnapshot): string {
  const file = Buffer.from(writeWorldFile(world)).toString('base64');
  // [N9.9] The protocol stands where Redis finds it without reading the rest.
  const head = { format: FORMAT, version: VERSION, protocol: PROTOCOL_VERSION };
  return JSON.stringify({ ...head, ...room, world: file });
}

/**
 * Reads a snapshot and checks every part of it. Never throws.
 * @param levels the levels that a room may have.
 * @returns null if it can't be read, or if its level is not there.
 */
export function readSnapshot(text: string, levels: LevelSource): RoomSnapshot | null {
  const fields = parseFields(text, MOST_CHARACTERS);
  if (fields?.format !== FORMAT || fields.version !== VERSION) return null;
  const code = readRoomCode(string(fields.code, MOST_KEY) ?? '');
  const key = string(fields.key, MOST_KEY);
  const door = string(fields.door, MOST_NAME);
  const founder = fields.founder === null ? null : string(fields.founder, MOST_NAME);
  const lineage = readLineage(fields.lineage);
  const epoch = readEpoch(fields.epoch ?? MAX_EPOCH);
  const capacity = whole(fields.capacity, 1, MAX_SERVER_ROOM_PLAYERS);
  const players = readPlayers(fields.players);
  const file = string(fields.world, MOST_CHARACTERS);
  if (code === null || key === null || lineage === null || capacity === null) return null;
  if (players === null || file === null || door === null || epoch === null) return null;
  if (founder === null && fields.founder !== null) return null;
  const world = readWorldFile(Buffer.from(file, 'base64'), levels);
  if (typeof world === 'string') return null;
  if (players.some(({ slot }) => slot >= slotsOfPeople({ capacity }))) return null;
  const locked = fields.locked === true;
  return { code, key, door, founder, lineage, epoch, capacity, locked, players, world };
}

function readPlayers(value: unknown): RosterPlayer[] | null {
  if (!Array.isArray(value) || value.length > MAX_SERVER_ROOM_PLAYERS) return null;
  const players: RosterPlayer[] = [];
  for (const entry of value) {
    const player = readPlayer(entry);
    if (player === null || !isPerson(player) || players.some(({ slot }) => slot === player.slot)) return null;
    players.push(player);
  }
  return players;
}

/** @returns the roster with which the room goes on: everybody in it is away, and has a slot that waits. */
export function seatsOf({ players, capacity, locked }: RoomSnapshot, term: number): Roster {
  const away = players.map((player) => ({ ...player, presence: 'away' }) as const);
  return { host: DEDICATED_SLOT as Slot, capacity, locked, players: away, term, epoch: 0, signature: null };
}
