import { describe, expect, onTestFinished, test } from 'vitest';
import { UNNAMED_PROTOCOL } from '../../../src/cluster/protocol-version.ts';
import type { ProcessId } from '../../../src/cluster/keys.ts';
import { doorLease, PROCESS, PROCESSES } from '../../../src/cluster/keys.ts';
import type { Redis } from '../../../src/cluster/redis.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { MOST_CHARACTERS } from '../../../src/dedicated/snapshots/snapshot.ts';
import { RoomTaken } from '../../../src/dedicated/snapshots/snapshot-store.ts';
import { RedisStore } from '../../../src/dedicated/snapshots/redis-store.ts';
import { connectTo, startRedis } from '../../cluster/start-redis.ts';

const CODES = ['ACDEH', 'ACDEJ', 'ACDEK', 'ACDEM'] as RoomCode[];
const NONE = { count: 0, has: () => false };

function live(redis: Redis, id: string, description = '{}'): Promise<unknown> {
  const lua = `redis.call('SET', KEYS[1], ARGV[2]) return redis.call('SADD', KEYS[2], ARGV[1])`;
  return redis.run({ lua }, [PROCESS + id, PROCESSES], [id, description]);
}

async function die(redis: Redis, id: string): Promise<void> {
  await redis.remove(PROCESS + id);
  await redis.run({ lua: `return redis.call('SREM', KEYS[1], ARGV[1])` }, [PROCESSES], [id]);
}

/** The store of a process of the version that members and snapshots of these tests have, since they name none. */
function storeOf(redis: Redis, id: ProcessId, keepMs = 60_000): RedisStore {
  return new RedisStore(redis, id, keepMs, UNNAMED_PROTOCOL);
}

/** Two living processes, and the stores of their rooms. */
async function stores(keepMs = 60_000) {
  const server = await startRedis();
  const redis = await connectTo(server);
  const [a, b] = ['aaaa', 'bbbb'] as ProcessId[];
  for (const id of [a, b]) await live(redis, id);
  onTestFinished(() => redis.close());
  return { redis, ids: { a, b }, a: storeOf(redis, a, keepMs), b: storeOf(redis, b, keepMs) };
}

async function codesOf(store: RedisStore, places = 8): Promise<string[]> {
  return (await store.load({ places, ...NONE })).stored.map(({ code }) => code).sort();
}

describe('rooms in Redis', () => {
  test('[N9.4] belong to the process that has saved them, and to another one once that is dead', async () => {
    const { redis, ids, a, b } = await stores();
    for (const code of CODES) await a.save(code, `text of ${code}`);
    expect(await codesOf(b)).toEqual([]);
    expect((await a.load({ places: 8, ...NONE })).stored).toHaveLength(4);
    await die(redis, ids.a);
    expect((await b.load({ places: 8, ...NONE })).stored).toContainEqual({
      code: CODES[0],
      text: `text of ${CODES[0]}`,
    });
    expect(await redis.get(doorLease(CODES[0]))).toBe('bbbb ');
  });

  test('[N9.4] are shared out among those that live, and nobody takes more than it has places for', async () => {
    const { redis, ids, a, b } = await stores();
    for (const code of CODES) await a.save(code, code);
    await die(redis, ids.a);
    await live(redis, 'cccc');
    const c = storeOf(redis, 'cccc' as ProcessId);
    expect(await codesOf(b, 8)).toHaveLength(2);
    expect(await codesOf(c, 0)).toHaveLength(0);
    expect(await codesOf(c, 8)).toHaveLength(1);
    expect(await codesOf(b, 8)).toHaveLength(3);
  });

  test('[N9.9] of another version are left to living processes of that version, and taken when there is none', async () => {
    const { redis, ids, b } = await stores();
    const OLD = 7;
    const a = new RedisStore(redis, ids.a, 60_000, OLD);
    await live(redis, ids.a, `{"most":4,"protocol":${OLD}}`);
    const kept = (code: RoomCode): string => `{"format":"handover room","protocol":${OLD},"code":"${code}"}`;
    const dies = async (code: RoomCode): Promise<void> => {
      await live(redis, 'dddd');
      const dead = storeOf(redis, 'dddd' as ProcessId);
      await dead.save(code, kept(code));
      await die(redis, 'dddd');
    };
    await dies(CODES[0]);
    expect(await codesOf(b), 'it is left to the process of that version').toEqual([]);
    expect(await codesOf(a)).toEqual([CODES[0]]);
    // That process has no place any more.
    await live(redis, ids.a, `{"rooms":4,"most":4,"protocol":${OLD}}`);
    await dies(CODES[1]);
    expect(await codesOf(b)).toEqual([CODES[1]]);
    // A snapshot without a version is of the last one that was not named, which is that of b.
    await a.save(CODES[2], 'no version');
    await die(redis, ids.a);
    expect(await codesOf(b)).toEqual([CODES[0], CODES[1], CODES[2]]);
  });

  test('[N9.4] that a process has already, or is about to forget, are not loaded again', async () => {
    const { a } = await stores();
    for (const code of CODES) await a.save(code, code);
    const { stored } = await a.load({ places: 8, count: 3, has: (code) => code !== CODES[1] });
    expect(stored).toEqual([{ code: CODES[1], text: CODES[1] }]);
  });

  test('[N9.5] are neither saved nor removed by a process to which they do not belong any more', async () => {
    const { redis, ids, a, b } = await stores();
    await a.save(CODES[0], 'old');
    await die(redis, ids.a);
    expect(await codesOf(b)).toEqual([CODES[0]]);
    await live(redis, ids.a);
    await expect(a.save(CODES[0], 'of the dead')).rejects.toThrow(RoomTaken);
    await a.remove(CODES[0]);
    await a.setAside(CODES[0]);
    expect((await b.load({ places: 8, ...NONE })).stored).toEqual([{ code: CODES[0], text: 'old' }]);
    await b.remove(CODES[0]);
    expect(await codesOf(b)).toEqual([]);
  });

  test('[N9.4] are given up when nobody has saved them for long', async () => {
    const { a } = await stores(300);
    await a.save(CODES[0], 'old');
    await new Promise((resolve) => void setTimeout(resolve, 500));
    expect(await codesOf(a)).toEqual([]);
  });

  test('[N9.4] that can’t be read are set aside for a week', async () => {
    const { redis, a } = await stores();
    await a.save(CODES[0], 'x'.repeat(MOST_CHARACTERS + 1));
    expect((await a.load({ places: 8, ...NONE })).stored).toEqual([{ code: CODES[0], text: null }]);
    await a.setAside(CODES[0]);
    expect(await codesOf(a)).toEqual([]);
    expect(await redis.get(`handover:unreadable:${CODES[0]}`)).toHaveLength(MOST_CHARACTERS + 1);
  });
});
