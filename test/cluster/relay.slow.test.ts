import { describe, expect, onTestFinished, test } from 'vitest';
import { CHANNEL } from '../../src/cluster/keys.ts';
import { Leases } from '../../src/cluster/leases.ts';
import { Members } from '../../src/cluster/members.ts';
import type { Relayed } from '../../src/cluster/relay.ts';
import { Relay } from '../../src/cluster/relay.ts';
import type { RedisServer } from './redis-server.ts';
import { connectTo, startRedis } from './start-redis.ts';

async function relayAt(server: RedisServer) {
  const redis = await connectTo(server);
  const members = new Members(redis, () => ({
    url: 'http://127.0.0.1:1/',
    rooms: 0,
    most: 1,
    tickMs: 0,
    protocol: 1,
  }));
  const leases = new Leases(redis, members, { uses: () => true, lost: () => undefined });
  const relay = new Relay(redis, members, leases);
  const heard: Relayed[] = [];
  await relay.start((relayed) => void heard.push(relayed));
  await members.start();
  onTestFinished(async () => {
    leases.stop();
    await members.leave();
  });
  return { redis, members, leases, relay, heard };
}

describe('the relay', () => {
  test('[N9.3] brings messages to the process that has their receiver, in their order', async () => {
    const server = await startRedis();
    const [a, b] = [await relayAt(server), await relayAt(server)];
    await b.leases.claim('friend');
    const messages = Array.from({ length: 50 }, (_, i) => ({ type: 'CANDIDATE', dst: 'friend', payload: i }));
    const here: string[] = [];
    const toHere = (): void => void here.push('friend');
    for (const message of messages) a.relay.pass('friend', message, toHere);
    await expect.poll(() => b.heard.length).toBe(50);
    expect(b.heard).toEqual(messages.map((message) => ({ from: a.members.id, message })));
    expect([here.length, a.relay.passed, a.relay.isElsewhere('friend')]).toEqual([0, 50, true]);
  });

  test('[N9.3] leaves to its own process what nobody else has', async () => {
    const server = await startRedis();
    const { leases, relay, heard } = await relayAt(server);
    await leases.claim('own');
    const left: string[] = [];
    for (const id of ['own', 'nobody']) relay.pass(id, { dst: id }, () => void left.push(id));
    await expect.poll(() => left.sort()).toEqual(['nobody', 'own']);
    expect([heard.length, relay.isElsewhere('own'), relay.isElsewhere('nobody')]).toEqual([0, false, false]);
  });

  test('passes over what is no message, and sends none that is too long', async () => {
    const server = await startRedis();
    const { redis, members, relay, heard } = await relayAt(server);
    const long = { dst: 'x'.repeat(64 * 1024) };
    for (const text of [
      '',
      '{',
      '[]',
      '{"from":1,"message":{}}',
      '{"from":"a"}',
      JSON.stringify({ from: 'a', message: long }),
    ])
      await redis.publish(CHANNEL + members.id, text);
    relay.send(members.id, long);
    relay.send(members.id, { dst: 'last' });
    await expect.poll(() => heard).toEqual([{ from: members.id, message: { dst: 'last' } }]);
  });
});
