import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { LEASE } from '../../src/cluster/keys.ts';
import type { Owner } from '../../src/cluster/leases.ts';
import { digestOf, Leases } from '../../src/cluster/leases.ts';
import { Members } from '../../src/cluster/members.ts';
import { Redis } from '../../src/cluster/redis.ts';
import type { RedisServer } from './redis-server.ts';
import { connectTo, startRedis } from './start-redis.ts';

/** A process without a server: it is announced, and has leases. */
type Node = {
  readonly redis: Redis;
  readonly members: Members;
  readonly leases: Leases;
  readonly used: Set<string>;
  readonly lost: string[];
  /** Members that it has seen die. */
  readonly died: string[];
};

async function nodeAt(server: RedisServer): Promise<Node> {
  const redis = await connectTo(server);
  const describe = () => ({ url: 'http://127.0.0.1:1/', rooms: 0, most: 4, tickMs: 0, protocol: 1 });
  const died: string[] = [];
  const members = new Members(redis, describe, ({ id }) => void died.push(id));
  const [used, lost] = [new Set<string>(), [] as string[]];
  const leases = new Leases(redis, members, {
    uses: (id) => used.has(id),
    lost: (id) => void lost.push(id),
  });
  // As a server does: who listens lives.
  await redis.subscribe(`handover:to:${members.id}`, () => undefined);
  await members.start();
  onTestFinished(async () => {
    leases.stop();
    await members.leave();
  });
  return { redis, members, leases, used, lost, died };
}

async function nodesAt(server: RedisServer): Promise<readonly [Node, Node]> {
  const nodes = [await nodeAt(server), await nodeAt(server)] as const;
  await nodes[0].members.announce();
  return nodes;
}

/** A process dies: the system closes its connections. */
function die({ redis, members, leases }: Node): void {
  leases.stop();
  redis.close();
  members.announce = () => Promise.resolve();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

describe('the processes of a site', () => {
  test('[N9.1] know each other, and which of them is dead, within three seconds', async () => {
    const [a, b] = await nodesAt(await startRedis());
    expect(a.members.all.map(({ id }) => id).sort()).toEqual([a.members.id, b.members.id].sort());
    expect(a.members.find(b.members.id)).toMatchObject({ url: 'http://127.0.0.1:1/', most: 4 });
    die(b);
    const from = performance.now();
    await expect.poll(() => a.members.find(b.members.id), { timeout: 4000 }).toBeNull();
    expect(performance.now() - from).toBeGreaterThan(1000);
  });

  test('[N9.1] one that announces nothing, but whose connections stand, is dead after 4.5 s', async () => {
    const [a, b] = await nodesAt(await startRedis());
    b.members.announce = () => Promise.resolve();
    const from = performance.now();
    await expect.poll(() => a.members.find(b.members.id), { timeout: 8000 }).toBeNull();
    expect(performance.now() - from).toBeGreaterThan(3000);
  });

  test('pass over what no process of ours has written about itself', async () => {
    const server = await startRedis();
    const { redis, members } = await nodeAt(server);
    const wrong = [
      '',
      '{',
      '[]',
      '{"url":"no address","rooms":0,"most":0,"tickMs":0}',
      '{"url":"http://a/"}',
    ];
    for (const [i, text] of wrong.entries()) {
      await redis.getOrSet(`handover:process:wrong${i}`, text);
      await redis.run({ lua: `return redis.call('SADD', 'handover:processes', ARGV[1])` }, [], [`wrong${i}`]);
    }
    await members.announce();
    expect(members.all.map(({ id }) => id)).toEqual([members.id]);
  });
});

describe('leases', () => {
  test('[N9.2] an id belongs to the first process that is asked for it, and to no other', async () => {
    const [a, b] = await nodesAt(await startRedis());
    const ids = Array.from({ length: 200 }, (_, i) => `id-${i}`);
    // Some are claimed by one of them first, and the rest by both at once.
    const first = await Promise.all(ids.slice(0, 100).map((id, i) => (i % 2 === 0 ? a : b).leases.claim(id)));
    expect(new Set(first)).toEqual(new Set([a.members.id, b.members.id]));
    const claims = await Promise.all(
      ids.map((id) => Promise.all([a, b].map(({ leases }) => leases.claim(id)))),
    );
    for (const [i, [one, other]] of claims.entries()) {
      expect(one).toBe(other);
      expect(one).toBe(first.at(i) ?? one);
      expect(((await a.leases.ownerOf(ids[i])) as Owner).process).toBe(one);
      expect([a.leases.holds(ids[i]), b.leases.holds(ids[i])]).toEqual([
        one === a.members.id,
        one === b.members.id,
      ]);
    }
  });

  test('[N9.2] the id of a dead process belongs to whoever is asked next', async () => {
    const [a, b] = await nodesAt(await startRedis());
    expect(await b.leases.claim('door')).toBe(b.members.id);
    expect(await a.leases.claim('door')).toBe(b.members.id);
    die(b);
    await expect.poll(() => a.members.find(b.members.id), { timeout: 4000 }).toBeNull();
    expect(await a.leases.ownerOf('door')).toBeNull();
    expect(await a.leases.claim('door')).toBe(a.members.id);
  });

  test('[N9.2] an id that nobody uses expires within a minute, and one that is used is renewed', async () => {
    const server = await startRedis();
    const { redis, leases, used } = await nodeAt(server);
    for (const id of ['used', 'left']) await leases.claim(id);
    used.add('used');
    const ttl = (id: string): Promise<unknown> =>
      redis.run({ lua: `return redis.call('PTTL', KEYS[1])` }, [LEASE + id], []);
    expect(await ttl('left')).toSatisfy((ms: number) => ms > 55_000 && ms <= 60_000);
    await pause(1500);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    clock.mockImplementation(() => now() + 45_000);
    await leases.renew();
    expect(await ttl('used')).toBeGreaterThan(59_000);
    expect(await ttl('left')).toBeLessThan(59_000);
    clock.mockImplementation(() => now() + 65_000);
    await leases.renew();
    expect([leases.holds('used'), leases.holds('left')]).toEqual([true, false]);
  });

  test('[N9.4] a door behind which a room is kept is left for 4 s to whoever restores the room', async () => {
    const { redis, leases, members } = await nodeAt(await startRedis());
    await redis.getOrSet('handover:room:KEVYN', 'a snapshot');
    const from = performance.now();
    expect(await leases.claim('handover-KEVYN')).toBe(members.id);
    expect(performance.now() - from).toBeGreaterThan(3500);
    expect(performance.now() - from).toBeLessThan(8000);
  });

  test('[N2.6] says for whom an id was opened, and for nobody who has only asked for it', async () => {
    const [a, b] = await nodesAt(await startRedis());
    await a.leases.claim('page');
    a.leases.opened('page', 'token');
    const digest = async () => ((await b.leases.ownerOf('page')) as Owner).digest;
    await expect.poll(digest).toBe(digestOf('token'));
    expect(await b.leases.claim('page')).toBe(a.members.id);
    expect(await a.leases.claim('page')).toBe(a.members.id);
    expect(await digest()).toBe(digestOf('token'));
  });

  test('[N9.5] a process that was taken for dead learns which ids it has lost', async () => {
    const [a, b] = await nodesAt(await startRedis());
    await b.leases.claim('page');
    await b.leases.claim('kept');
    for (const id of ['page', 'kept']) b.used.add(id);
    const { announce } = Members.prototype;
    b.members.announce = () => Promise.resolve();
    await expect.poll(() => a.members.find(b.members.id), { timeout: 8000 }).toBeNull();
    expect(await a.leases.claim('page')).toBe(a.members.id);
    b.members.announce = announce;
    await b.members.announce();
    await b.leases.renew();
    expect(b.lost).toEqual(['page']);
    expect([b.leases.holds('page'), b.leases.holds('kept')]).toEqual([false, true]);
    expect(((await a.leases.ownerOf('kept')) as Owner).process).toBe(b.members.id);
  });

  test('[N9.7] what a process has goes on while Redis is away, and a new claim waits until it is there', async () => {
    const server = await startRedis();
    const [a, b] = await nodesAt(server);
    await a.leases.claim('old');
    a.used.add('old');
    await server.stop();
    await expect.poll(() => a.redis.readyForMs).toBeNull();
    expect(await a.leases.claim('old')).toBe(a.members.id);
    expect(((await a.leases.ownerOf('old')) as Owner).process).toBe(a.members.id);
    const claims = Promise.all([b.leases.claim('old'), b.leases.claim('new')]);
    await pause(500);
    await server.begin();
    // Redis has forgotten everything, and the other one asks first.
    expect(await claims).toEqual([a.members.id, b.members.id]);
  });

  test('[N9.7] nobody is taken for dead, or loses an id, because Redis was away or stood still', async () => {
    const server = await startRedis();
    const [a, b] = await nodesAt(server);
    await b.leases.claim('door');
    b.used.add('door');
    // So long that all announcements have expired.
    server.signal('SIGSTOP');
    await expect.poll(() => a.redis.readyForMs, { timeout: 6000 }).toBeNull();
    await pause(3000);
    // Nobody but one process announces itself at first.
    const { announce } = Members.prototype;
    b.members.announce = () => Promise.resolve();
    server.signal('SIGCONT');
    await expect.poll(() => a.redis.readyForMs, { timeout: 6000 }).not.toBeNull();
    await a.members.announce();
    expect(await a.leases.claim('door')).toBe(b.members.id);
    b.members.announce = announce;
    await b.members.announce();
    expect(a.died).toEqual([]);
    expect(a.members.find(b.members.id)).not.toBeNull();
    // Somebody who does not come back is dead after all.
    die(b);
    await expect.poll(() => a.died, { timeout: 8000 }).toEqual([b.members.id]);
  });

  test('[N9.7] a claim waits for 12 s at most', async () => {
    const server = await startRedis();
    const { leases, redis } = await nodeAt(server);
    await server.stop();
    await expect.poll(() => redis.readyForMs).toBeNull();
    const from = performance.now();
    expect(await leases.claim('new')).toBeNull();
    expect(performance.now() - from).toBeGreaterThan(11_000);
    expect(performance.now() - from).toBeLessThan(18_000);
  });

  test('[N9.7] 500 claims wait at a time, and those beyond are refused at once', async () => {
    const server = await startRedis();
    const { leases, members, redis } = await nodeAt(server);
    await server.stop();
    await expect.poll(() => redis.readyForMs).toBeNull();
    const waiting = Promise.all(Array.from({ length: 500 }, (_, i) => leases.claim(`id-${i}`)));
    const from = performance.now();
    expect(await leases.claim('one more')).toBeNull();
    expect(performance.now() - from).toBeLessThan(5000);
    await server.begin();
    expect(new Set(await waiting)).toEqual(new Set([members.id]));
  });
});
