import { randomBytes } from 'node:crypto';
import { parseFields, string, whole } from '../core/room/fields.ts';
import type { ProcessId } from './keys.ts';
import { BEAT, CHANNEL, GRACE, PROCESS, PROCESSES } from './keys.ts';
import { readProtocolVersion } from './protocol-version.ts';
import type { Redis, Script } from './redis.ts';

/** A process as it describes itself to the others. */
export type Description = {
  /** The address at which the others reach it, with a slash at its end. */
  readonly url: string;
  /** Rooms that it has; and that it takes at most, 0 if it takes none. */
  readonly rooms: number;
  readonly most: number;
  /** Milliseconds that 90 of 100 of its ticks take at most. */
  readonly tickMs: number;
  /** [N9.9] The protocol version of its rooms. */
  readonly protocol: number;
};

export type Member = Description & { readonly id: ProcessId };

/** Milliseconds between two announcements. */
const ANNOUNCE_MS = 500;
/**
 * [N9.1] Milliseconds without an announcement after which a process counts as dead. A full machine has kept one from
 * running for almost 3 s, and rooms must be back within ten.
 */
const DEAD_MS = 4500;
/** Characters of an address, rooms of a process, and milliseconds of a tick, at most: more is nonsense. */
const MOST_URL = 200;
const MOST_ROOMS = 10_000;
const MOST_TICK = 1_000_000;

/**
 * [N9.1] Milliseconds after which a process counts as dead that does not listen at Redis: the system closes the
 * connections of a dead one. A process that has only lost its connection announces itself again before that.
 */
const DEAF_MS = 1200;
/**
 * [N9.7] If nobody could announce itself for so many milliseconds, Redis was away or stood still. After that, no
 * process counts as dead for so many milliseconds.
 */
const BEAT_MS = 2000;
const GRACE_MS = 2000;
/** Milliseconds for which a room that a process gets counts, whatever it says: it may not know of it yet. */
const EXPECT_MS = 2500;

/** Says that a process lives. @returns ids and descriptions of all that do, one after the other. */
const ANNOUNCE: Script = {
  lua: `
if redis.call('EXISTS', '${BEAT}') == 0 then redis.call('SET', '${GRACE}', '1', 'PX', ARGV[6]) end
redis.call('SET', '${BEAT}', '1', 'PX', ARGV[5])
redis.call('SET', '${PROCESS}' .. ARGV[1], ARGV[2], 'PX', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
local living = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local key = '${PROCESS}' .. id
  local text = redis.call('GET', key)
  if text then
    table.insert(living, id)
    table.insert(living, text)
    local listens = redis.call('PUBSUB', 'NUMSUB', '${CHANNEL}' .. id)[2] > 0
    if not listens and redis.call('PTTL', key) > tonumber(ARGV[4]) then redis.call('PEXPIRE', key, ARGV[4]) end
  else
    redis.call('SREM', KEYS[1], id)
  end
end
return { redis.call('EXISTS', '${GRACE}'), living }`,
};

/** [N9.1] The processes of a cluster, of which this is one. */
export class Members {
  /** This process. */
  readonly id = randomBytes(8).toString('hex') as ProcessId;
  readonly #redis: Redis;
  readonly #describe: () => Description;
  readonly #died: (member: Member) => void;
  #all: readonly Member[] = [];
  #expected: readonly { readonly id: ProcessId; readonly untilMs: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The announcement that is under way. */
  #asking: Promise<void> | null = null;
  #isOver = false;

  /**
   * @param describe says what others must know of this process; it is asked at each announcement.
   * @param died is told of each member that is no more.
   */
  constructor(redis: Redis, describe: () => Description, died: (member: Member) => void = () => undefined) {
    this.#redis = redis;
    this.#describe = describe;
    this.#died = died;
    redis.onAgain(() => void this.announce());
  }

  /** All that lived at the last announcement, this one among them; while Redis is away, those of before. */
  get all(): readonly Member[] {
    return this.#all;
  }

  /** The same, with the rooms that they get at present. */
  get expected(): readonly Member[] {
    const nowMs = performance.now();
    this.#expected = this.#expected.filter(({ untilMs }) => untilMs > nowMs);
    return this.#all.map((member) => {
      const more = this.#expected.filter(({ id }) => id === member.id).length;
      return { ...member, rooms: member.rooms + more };
    });
  }

  /** @returns null if it is dead, or not known yet. */
  find(id: ProcessId): Member | null {
    return this.#all.find((member) => member.id === id) ?? null;
  }

  /** A member gets a room, which it does not count yet. */
  expectRoom(id: ProcessId): void {
    this.#expected = [...this.#expected, { id, untilMs: performance.now() + EXPECT_MS }];
  }

  /** Announces this process from now on. @returns when the others can see it, unless Redis is away again. */
  async start(): Promise<void> {
    await this.announce();
    this.#timer = setInterval(() => void this.announce(), ANNOUNCE_MS);
  }

  /** Announces it once the announcement that may be under way is over: the others know what is so now. Never rejects. */
  async announceAnew(): Promise<void> {
    await this.#asking;
    await this.announce();
  }

  /** Announces it now, unless an announcement is under way. Never rejects. */
  announce(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#asking ??= this.#announce().finally(() => void (this.#asking = null));
    return this.#asking;
  }

  async #announce(): Promise<void> {
    try {
      const text = JSON.stringify(this.#describe());
      const answer = await this.#redis.run(
        ANNOUNCE,
        [PROCESSES],
        [this.id, text, DEAD_MS, DEAF_MS, BEAT_MS, GRACE_MS],
      );
      const [isGrace, living] = Array.isArray(answer) ? (answer as unknown[]) : [];
      this.#take(readMembers(living), isGrace === 1);
    } catch {
      // Redis is away, or was when this began: the next announcement is soon.
    }
  }

  /** [N9.7] In the time of grace all of before live on. */
  #take(living: readonly Member[], isGrace: boolean): void {
    const gone = this.#all.filter(({ id }) => living.every((member) => member.id !== id));
    this.#all = isGrace ? [...living, ...gone] : living;
    if (!isGrace) for (const member of gone) this.#died(member);
  }

  /** [N9.6] This process is no member any more: the others take what it had. Never rejects. */
  async leave(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#redis.remove(PROCESS + this.id).catch(() => undefined);
  }
}

/** Passes over what no process of ours has written. */
function readMembers(living: unknown): Member[] {
  const words = Array.isArray(living) ? living.map(String) : [];
  const members: Member[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const description = readDescription(words[i + 1]);
    if (description !== null) members.push({ ...description, id: words[i] as ProcessId });
  }
  return members;
}

function readDescription(text: string): Description | null {
  const fields = parseFields(text);
  const url = string(fields?.url, MOST_URL);
  const rooms = whole(fields?.rooms, 0, MOST_ROOMS);
  const most = whole(fields?.most, 0, MOST_ROOMS);
  const tickMs = whole(fields?.tickMs, 0, MOST_TICK);
  const protocol = readProtocolVersion(fields?.protocol);
  if (url === null || !URL.canParse(url) || rooms === null || most === null) return null;
  if (tickMs === null || protocol === null) return null;
  return { url, rooms, most, tickMs, protocol };
}
