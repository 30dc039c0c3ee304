import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../../src/server/settings/settings.ts';

const PROGRAM = new URL('./site-main.ts', import.meta.url);
const PROJECT = new URL('../../../', import.meta.url);

/** A server in a process of its own, with its rooms in another one: one of several of a site. */
export class SiteProcess {
  /** Its pages' address, with a slash at its end. */
  readonly url: string;
  /** The address of its metrics. */
  readonly metricsUrl: string;
  readonly #process: ChildProcess;

  private constructor(url: string, metricsUrl: string, process: ChildProcess) {
    this.url = url;
    this.metricsUrl = metricsUrl;
    this.#process = process;
  }

  /**
   * Starts one.
   * @param redis the address of the site's Redis.
   * @param project the folder with the code: this one's if left out.
   */
  static async start(
    redis: string,
    environment: Environment = {},
    project = fileURLToPath(PROJECT),
  ): Promise<SiteProcess> {
    const program = join(project, relative(PROJECT.pathname, PROGRAM.pathname));
    const child = spawn(process.execPath, ['--import', 'tsx', program], {
      cwd: project,
      // It and the process of its rooms end together.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, REDIS_URL: redis, TRUST_PROXY: '127.0.0.1', METRICS_PORT: '0', ...environment },
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const [url, metricsUrl] = line.split(' ');
    return new SiteProcess(url, metricsUrl, child);
  }

  /** Sends a signal to the server; to its rooms, too, unless it is SIGTERM. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    const pid = this.#process.pid ?? NaN;
    process.kill(name === 'SIGTERM' ? pid : -pid, name);
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.signal('SIGTERM');
    await exited;
  }

  /** Ends it at once, if it has not ended. */
  kill(): void {
    try {
      this.signal('SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
