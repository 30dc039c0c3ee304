import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from '../../src/cluster/redis.ts';
import { freePort } from '../support/run/free-port.ts';

/** A Redis of its own at a free port, which keeps nothing when it ends. */
export class RedisServer {
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.#port = port;
  }

  /** Starts one. @returns when it answers. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Begins, with nothing in it. @returns when it answers. */
  async begin(): Promise<void> {
    const words = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#process = spawn('redis-server', words, { stdio: 'ignore' });
    (await Redis.connect(this.url)).close();
  }

  /** It answers nothing until 'SIGCONT', and ends no connection. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name);
  }

  /** Ends at once. */
  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (process === null) return;
    const exited = once(process, 'exit');
    process.kill('SIGKILL');
    await exited;
  }
}
