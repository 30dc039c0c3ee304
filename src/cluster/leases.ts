import { createHash } from 'node:crypto';
import type { ProcessId } from './keys.ts';
import { DOOR_PREFIX } from '../core/room/code.ts';
import { LEASE, LEASE_MS, LIVING_OWNER, ROOM } from './keys.ts';
import type { Members } from './members.ts';
import type { Redis, Script } from './redis.ts';

/** Milliseconds between two renewals of leases. */
const RENEW_MS = 10_000;
/** Milliseconds after its last use for which this process is sure of an id without asking. */
const SURE_MS = 40_000;
/**
 * [N9.7] Milliseconds after Redis is there again in which nobody takes an id that seems free: Redis may have forgotten its
 * owner, which renews its leases meanwhile.
 */
const GRACE_MS = 1500;
/** Milliseconds that a claim waits for Redis, and between two looks. */
const WAIT_MS = 12_000;
const LOOK_MS = 50;
/** Milliseconds for which a door whose room is kept waits for a process that restores the room. */
const RESTORED_MS = 4000;
/** Claims that may wait for Redis at a time. */
const MOST_WAITING = 500;
/** Ids that are renewed with one call. */
const PART = 500;
/** Characters of a digest: 96 bits. */
const DIGEST_LENGTH = 24;

/**
 * [N9.2] Takes an id that belongs to no living process. KEYS[2] is the snapshot of a kept room behind this door: while it
 * is there, the door is left to the process that restores the room. Callers leave KEYS[2] out once that takes too long.
 * @returns the process to which the id belongs after the call; nothing if to none.
 */
const CLAIM: Script = {
  lua: `${LIVING_OWNER}
local held = redis.call('GET', KEYS[1])
local owner = living(held)
if owner and owner ~= ARGV[1] then return owner end
if not owner and KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then return false end
if owner then redis.call('PEXPIRE', KEYS[1], ARGV[2])
else redis.call('SET', KEYS[1], ARGV[1] .. ' ', 'PX', ARGV[2]) end
return ARGV[1]`,
};

/** [N2.6] Notes for whom the broker has opened an id that belongs to this process. */
const NOTE: Script = {
  lua: `${LIVING_OWNER}
if living(redis.call('GET', KEYS[1])) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])
end`,
};

/** Renews leases. @returns the numbers, from 1, of those that belong to another process. */
const RENEW: Script = {
  lua: `${LIVING_OWNER}
local lost = {}
for i, key in ipairs(KEYS) do
  local owner = living(redis.call('GET', key))
  if owner and owner ~= ARGV[1] then table.insert(lost, i)
  else redis.call('SET', key, ARGV[1] .. ' ' .. ARGV[2 + i], 'PX', ARGV[2]) end
end
return lost`,
};

/** @returns the text of a lease, if its process lives. */
const LOOK: Script = {
  lua: `${LIVING_OWNER}
local held = redis.call('GET', KEYS[1])
return living(held) and held`,
};

/** The owner of an id, and a digest of the token that was shown for it; empty if none was. */
export type Owner = { readonly process: ProcessId; readonly digest: string };

/** An id that belongs to this process; `usedMs`: when it was last seen to be used, on the clock of `performance.now`. */
type Held = { readonly digest: string; usedMs: number };

/** The part of the broker that leases need. */
export type LeaseUser = {
  /** True while somebody here uses an id, or a room here keeps it. */
  uses(id: string): boolean;
  /** Another process has taken an id that was used here: whoever has it here must ask there. */
  lost(id: string): void;
};

/**
 * [N9.2] Says to which process of a cluster an id at the broker belongs. The first process that is asked for an id has
 * it, until nobody uses it there for a minute, or that process is dead.
 */
export class Leases {
  readonly #redis: Redis;
  readonly #members: Members;
  readonly #user: LeaseUser;
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;
  #waiting = 0;

  constructor(redis: Redis, members: Members, user: LeaseUser) {
    this.#redis = redis;
    this.#members = members;
    this.#user = user;
    this.#timer = setInterval(() => void this.renew(), RENEW_MS);
    // `Members` has added its listener first, so this process is announced on the same connection before that.
    redis.onAgain(() => void this.renew());
  }

  /** True if an id belongs to this process, as far as it knows. */
  holds(id: string): boolean {
    return this.#held.has(id);
  }

  /**
   * [N9.2] Somebody asks for an id here.
   * @returns the process to which it belongs now; null if Redis does not say so in time. Never rejects.
   */
  async claim(id: string): Promise<ProcessId | null> {
    // Without Redis, an id that this process holds goes on. Its lease is renewed once Redis is there again.
    if (this.#held.has(id) && this.#redis.readyForMs === null) return this.#members.id;
    const from = performance.now();
    const owner = await this.#patiently((readyForMs) =>
      this.#claim(id, readyForMs, performance.now() - from),
    );
    if (owner === this.#members.id) this.#hold(id, this.#held.get(id)?.digest ?? '');
    else if (owner !== null && this.#held.delete(id)) this.#user.lost(id);
    return owner;
  }

  /** [N2.6] The broker has opened an id for whoever has shown this token. */
  opened(id: string, token: string): void {
    const digest = digestOf(token);
    this.#hold(id, digest);
    this.#redis.run(NOTE, [LEASE + id], [this.#members.id, digest, LEASE_MS]).catch(() => undefined);
  }

  #hold(id: string, digest: string): void {
    this.#held.set(id, { digest, usedMs: performance.now() });
  }

  /** @returns null if it must be asked again. */
  async #claim(id: string, readyForMs: number, waitedMs: number): Promise<ProcessId | null> {
    if (readyForMs < GRACE_MS && !this.#held.has(id)) return (await this.#look(id))?.process ?? null;
    const kept =
      id.startsWith(DOOR_PREFIX) && waitedMs < RESTORED_MS ? [ROOM + id.slice(DOOR_PREFIX.length)] : [];
    const owner = await this.#redis.run(CLAIM, [LEASE + id, ...kept], [this.#members.id, LEASE_MS]);
    return typeof owner === 'string' ? (owner as ProcessId) : null;
  }

  /**
   * @returns the process to which an id belongs; null if to none; 'unknown' if Redis does not say so in time. Never
   * rejects.
   */
  async ownerOf(id: string): Promise<Owner | null | 'unknown'> {
    const held = this.#held.get(id);
    const isSure = held !== undefined && performance.now() - held.usedMs < SURE_MS;
    if (isSure || (held !== undefined && this.#redis.readyForMs === null))
      return { process: this.#members.id, digest: held.digest };
    const found = await this.#patiently(async (readyForMs) => {
      const owner = await this.#look(id);
      return owner === null && readyForMs < GRACE_MS ? null : { owner };
    });
    return found === null ? 'unknown' : found.owner;
  }

  async #look(id: string): Promise<Owner | null> {
    return readOwner(await this.#redis.run(LOOK, [LEASE + id], []));
  }

  /** Asks again and again until there is an answer. @returns null if there is none in time, or if too many wait. */
  async #patiently<T>(ask: (readyForMs: number) => Promise<T | null>): Promise<T | null> {
    if (this.#waiting >= MOST_WAITING) return null;
    this.#waiting++;
    const until = performance.now() + WAIT_MS;
    try {
      for (;;) {
        const { readyForMs } = this.#redis;
        const answer = readyForMs === null ? null : await ask(readyForMs).catch(() => null);
        if (answer !== null || performance.now() >= until) return answer;
        await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
      }
    } finally {
      this.#waiting--;
    }
  }

  /** Renews what is used, and lets go of the rest. Never rejects. */
  async renew(): Promise<void> {
    const nowMs = performance.now();
    for (const [id, held] of this.#held) {
      if (this.#user.uses(id)) held.usedMs = nowMs;
      else if (nowMs - held.usedMs > LEASE_MS) this.#held.delete(id);
    }
    // One that was used a moment ago may be on its way back, and Redis may have forgotten it.
    const all = [...this.#held].filter(([, { usedMs }]) => nowMs - usedMs < SURE_MS);
    for (let from = 0; from < all.length; from += PART) await this.#renew(all.slice(from, from + PART));
  }

  async #renew(part: readonly (readonly [id: string, held: Held])[]): Promise<void> {
    const keys = part.map(([id]) => LEASE + id);
    const values = [this.#members.id, LEASE_MS, ...part.map(([, { digest }]) => digest)];
    const lost = await this.#redis.run(RENEW, keys, values).catch(() => []);
    for (const number of Array.isArray(lost) ? lost : []) {
      const id = part.at(Number(number) - 1)?.[0];
      if (id === undefined) continue;
      this.#held.delete(id);
      this.#user.lost(id);
    }
  }

  /** [N9.4] These ids belong to this process: a room here has taken them. */
  adopt(ids: Iterable<string>): void {
    for (const id of ids) if (!this.#held.has(id)) this.#hold(id, '');
  }

  /** Renews nothing any more. */
  stop(): void {
    clearInterval(this.#timer);
  }
}

/** @returns what a lease says of a token, which nobody can find by it. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, DIGEST_LENGTH);
}

function readOwner(text: unknown): Owner | null {
  if (typeof text !== 'string') return null;
  const [process, digest = ''] = text.split(' ');
  return { process: process as ProcessId, digest };
}
