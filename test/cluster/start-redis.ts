import { onTestFinished } from 'vitest';
import { Redis } from '../../src/cluster/redis.ts';
import { RedisServer } from './redis-server.ts';

/** Starts a Redis until the test ends. */
export async function startRedis(): Promise<RedisServer> {
  const server = await RedisServer.start();
  onTestFinished(() => server.stop());
  return server;
}

/** A connection until the test ends. */
export async function connectTo({ url }: RedisServer): Promise<Redis> {
  const redis = await Redis.connect(url);
  onTestFinished(() => redis.close());
  return redis;
}
