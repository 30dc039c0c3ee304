import type { ProcessId } from '../../cluster/keys.ts';
import {
  doorLease,
  LEASE,
  LEASE_MS,
  LIVING_OWNER,
  PROCESS,
  PROCESSES,
  ROOM,
  ROOMS,
  UNREADABLE,
} from '../../cluster/keys.ts';
import { UNNAMED_PROTOCOL } from '../../cluster/protocol-version.ts';
import type { Redis, Script } from '../../cluster/redis.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { DOOR_PREFIX, readRoomCode } from '../../core/room/code.ts';
import { PROTOCOL_VERSION } from '../../core/room/messages.ts';
import { HEAD_CHARACTERS, MOST_CHARACTERS } from './snapshot.ts';
import type { Loaded, SnapshotStore, Stored, Wanted } from './snapshot-store.ts';
import { RoomTaken } from './snapshot-store.ts';

/** Seconds for which a snapshot that can't be read is there to be looked at: a week. */
const UNREADABLE_S = 7 * 86_400;

/**
 * [N9.4] Takes the doors of kept rooms whose process is dead: this process's share of them. [N9.9] A room of another
 * version is left to the living processes of that version, as long as one of them has a place.
 * @returns the codes of the kept rooms that belong to this process now.
 */
const ADOPT: Script = {
  lua: `${LIVING_OWNER}
local function versionIn(text) return string.match(text or '', '"protocol":(%d+)') or '${UNNAMED_PROTOCOL}' end
local function hasPlace(text)
  local rooms, most = string.match(text, '"rooms":(%d+)'), string.match(text, '"most":(%d+)')
  return not most or tonumber(rooms or '0') < tonumber(most)
end
local livingVersions, processes = {}, 0
for _, id in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local text = redis.call('GET', '${PROCESS}' .. id)
  if text and hasPlace(text) then
    livingVersions[versionIn(text)] = true
    if versionIn(text) == ARGV[5] then processes = processes + 1 end
  end
end
local function isOthers(code)
  local version = versionIn(redis.call('GETRANGE', '${ROOM}' .. code, 0, ${HEAD_CHARACTERS - 1}))
  return version ~= ARGV[5] and livingVersions[version]
end
local own, free = {}, {}
for _, code in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local owner = living(redis.call('GET', '${LEASE}${DOOR_PREFIX}' .. code))
  if redis.call('EXISTS', '${ROOM}' .. code) == 0 then redis.call('SREM', KEYS[1], code)
  elseif owner == ARGV[1] then table.insert(own, code)
  elseif not owner and not isOthers(code) then table.insert(free, code) end
end
-- Some of its own are not loaded yet, and need places, too.
local places = tonumber(ARGV[2]) - math.max(0, #own - tonumber(ARGV[4]))
local share = math.min(places, math.ceil(#free / math.max(1, processes)))
for i = 1, share do
  redis.call('SET', '${LEASE}${DOOR_PREFIX}' .. free[i], ARGV[1] .. ' ', 'PX', ARGV[3])
  table.insert(own, free[i])
end
return own`,
};

/** [N9.5] Saves a room, unless it belongs to another process. @returns 1 if it is saved. */
const SAVE: Script = {
  lua: `${LIVING_OWNER}
local owner = living(redis.call('GET', KEYS[1]))
if owner and owner ~= ARGV[1] then return 0 end
if not owner then redis.call('SET', KEYS[1], ARGV[1] .. ' ', 'PX', ARGV[2]) end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
redis.call('SADD', KEYS[3], ARGV[5])
return 1`,
};

/** [N9.5] Forgets a room, unless it belongs to another process. If there is a fourth key, its snapshot goes there. */
const REMOVE: Script = {
  lua: `${LIVING_OWNER}
local owner = living(redis.call('GET', KEYS[1]))
if owner and owner ~= ARGV[1] then return end
if KEYS[4] and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[4])
  redis.call('EXPIRE', KEYS[4], ARGV[3])
else
  redis.call('DEL', KEYS[2])
end
redis.call('SREM', KEYS[3], ARGV[2])`,
};

/** [N9.4] Keeps rooms in Redis, where another process of the cluster finds them when this one is dead. */
export class RedisStore implements SnapshotStore {
  readonly isShared = true;
  readonly #redis: Redis;
  readonly #process: ProcessId;
  readonly #keepMs: number;
  readonly #protocol: number;

  /**
   * @param process the member of the cluster to which the rooms belong.
   * @param keepMs milliseconds after which a snapshot that nobody has written again is removed.
   * @param protocol the version of the rooms of this process.
   */
  constructor(redis: Redis, process: ProcessId, keepMs: number, protocol = PROTOCOL_VERSION) {
    this.#redis = redis;
    this.#process = process;
    this.#keepMs = keepMs;
    this.#protocol = protocol;
  }

  async save(code: RoomCode, text: string): Promise<void> {
    const keys = [doorLease(code), ROOM + code, ROOMS];
    const saved = await this.#redis.run(SAVE, keys, [this.#process, LEASE_MS, text, this.#keepMs, code]);
    if (saved !== 1) throw new RoomTaken('Another process of the cluster has the room.');
  }

  async remove(code: RoomCode): Promise<void> {
    await this.#redis.run(REMOVE, [doorLease(code), ROOM + code, ROOMS], [this.#process, code]);
  }

  async setAside(code: RoomCode): Promise<void> {
    const keys = [doorLease(code), ROOM + code, ROOMS, UNREADABLE + code];
    await this.#redis.run(REMOVE, keys, [this.#process, code, UNREADABLE_S]);
  }

  async load({ places, count, has }: Wanted): Promise<Loaded> {
    const values = [this.#process, places, LEASE_MS, count, this.#protocol];
    const own = await this.#redis.run(ADOPT, [ROOMS, PROCESSES], values);
    const codes = (Array.isArray(own) ? own : []).flatMap((code) => readRoomCode(String(code)) ?? []);
    const stored: Stored[] = [];
    for (const code of codes) {
      if (has(code) || stored.length >= places) continue;
      const text = await this.#redis.get(ROOM + code);
      stored.push({ code, text: text === null || text.length > MOST_CHARACTERS ? null : text });
    }
    return { stored, left: 0, removed: 0 };
  }
}
