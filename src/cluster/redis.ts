import type { RedisClientType } from '@redis/client';
import { createClient } from '@redis/client';

/** Milliseconds between two attempts to reach Redis. */
const AGAIN_MS = 250;
/** Milliseconds for one attempt. */
const CONNECT_MS = 2000;
/** Milliseconds that Redis has for the first attempt, before a server says that it can't begin. */
const FIRST_MS = 10_000;

/**
 * Milliseconds between two pings; without any answer, after which a connection counts as broken, since a machine that
 * is cut off closes none; and for the answer to one call. Each call that is sent begins the silence anew. So a call waits
 * for longer than a ping and the silence after it: it is not sent again before the connection counts as broken.
 */
const PING_MS = 1000;
const SILENT_MS = 3000;
const ANSWER_MS = 4500;

/** A script in Lua, which Redis runs as one step: nobody sees the middle of it. */
export type Script = { readonly lua: string };

/**
 * A connection to Redis. While Redis is away every call rejects at once, and the connection is tried again and again. A
 * call that was under way when it broke rejects, too; Redis may have carried it out.
 */
export class Redis {
  readonly #client: RedisClientType;
  readonly #listeners: RedisClientType;
  /** Called with each connection after the first. */
  readonly #again: (() => void)[] = [];
  #readyMs: number | null = null;

  private constructor(url: string) {
    this.#client = createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: PING_MS,
      socket: { connectTimeout: CONNECT_MS, socketTimeout: SILENT_MS, reconnectStrategy: AGAIN_MS },
    }) as RedisClientType;
    // It asks for its channels again after each connection.
    this.#listeners = this.#client.duplicate({ disableOfflineQueue: false });
    for (const client of [this.#client, this.#listeners]) client.on('error', () => undefined);
  }

  /** Connects for the first time. @throws Error with the reason if Redis refuses, or does not answer within ten seconds. */
  static async connect(url: string): Promise<Redis> {
    const redis = new Redis(url);
    const [client, listeners] = [redis.#client, redis.#listeners];
    const isThere = Promise.all([client.connect(), listeners.connect()]);
    // A later failure has been told already.
    isThere.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    let reason = 'it does not answer';
    const isLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(reason)), FIRST_MS);
      client.on('error', (error: unknown) => {
        reason = reasonOf(error);
        // Redis answers with a refusal, which will not change, so there is no need to wait for longer.
        if (REFUSALS.test(reason)) reject(new Error(reason));
      });
    });
    try {
      await Promise.race([isThere, isLate]);
    } catch (error) {
      redis.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    redis.#readyMs = performance.now();
    client.on('ready', () => {
      redis.#readyMs = performance.now();
      for (const listener of redis.#again) listener();
    });
    client.on('error', () => void (redis.#readyMs = null));
    return redis;
  }

  /** Milliseconds for which this connection has stood; null while there is none. */
  get readyForMs(): number | null {
    return this.#readyMs === null || !this.#client.isReady ? null : performance.now() - this.#readyMs;
  }

  /** From now on this function is called whenever Redis is there again: it may have forgotten everything. */
  onAgain(listener: () => void): void {
    this.#again.push(listener);
  }

  /** Runs a script. */
  run({ lua }: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return inTime(this.#client.eval(lua, { keys: [...keys], arguments: values.map(String) }));
  }

  get(key: string): Promise<string | null> {
    return inTime(this.#client.get(key));
  }

  /** Sets a value unless there is one. @returns the value that is there now. */
  async getOrSet(key: string, value: string): Promise<string> {
    await inTime(this.#client.set(key, value, { condition: 'NX' }));
    return (await this.get(key)) ?? value;
  }

  async remove(key: string): Promise<void> {
    await inTime(this.#client.del(key));
  }

  /** @returns how many listen there. */
  publish(channel: string, text: string): Promise<number> {
    return inTime(this.#client.publish(channel, text));
  }

  async subscribe(channel: string, take: (text: string) => void): Promise<void> {
    await this.#listeners.subscribe(channel, take);
  }

  /** Ends the connections. */
  close(): void {
    for (const client of [this.#client, this.#listeners]) client.destroy();
  }
}

/** The answers of a Redis that does not let this process in, as it says them itself. */
const REFUSALS = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR )/;

/** @returns why a connection has failed, in a few words. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as { readonly message?: string; readonly code?: string };
  return message || code || 'it does not answer';
}

/** @returns the answer, or rejects if it takes too long; it may still be carried out then. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Redis does not answer.')), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
