import type { Logger } from 'pino';
import type { ClusterFigures } from '../cluster/cluster-figures.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 1000;

/** Logs when Redis, or another process of the site, comes or goes. */
export class ClusterLog {
  readonly #log: Logger;
  readonly #figures: () => ClusterFigures | null;
  readonly #timer: NodeJS.Timeout;
  #last: Pick<ClusterFigures, 'processes' | 'redis'> | null = null;

  /** @param figures of the cluster; null if there is none, or not yet. */
  constructor(log: Logger, figures: () => ClusterFigures | null) {
    this.#log = log;
    this.#figures = figures;
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Compares the cluster with the last look. */
  look(): void {
    const now = this.#figures();
    if (now === null || now.processes === 0) return;
    const { processes, redis } = now;
    const before = this.#last ?? { processes, redis: 1 };
    if (redis < before.redis) this.#log.warn('Redis is away');
    else if (redis > before.redis) this.#log.info('Redis is there again');
    if (processes > before.processes) this.#log.info({ processes }, 'a process of this site has come');
    else if (processes < before.processes) this.#log.warn({ processes }, 'a process of this site has gone');
    this.#last = { processes, redis };
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
