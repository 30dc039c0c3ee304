import type { Logger } from 'pino';
import type { Refusal } from '../broker/limits/limits.ts';

/** Everything that the server refuses, or does not believe. */
export type ServerRefusal =
  | Refusal
  /** A connection beyond those that one network may hold. */
  | 'connections'
  /** A server room beyond those that one network may open. */
  | 'rooms'
  /** [N2.3] A line to a server room: too many, or of nobody at the broker. */
  | 'lines'
  /** [N5] A watcher of a server room: too many, or of another site's page. */
  | 'watchers'
  /** An upgrade at a path that has none; at a site of several processes, also one to a room by another site's page. */
  | 'path'
  /** An X-Forwarded-For header of somebody who is no named proxy. */
  | 'forwarded';

/** Milliseconds in which one reason and network get at most one line. */
const WINDOW_MS = 10_000;
/** Most lines in one window; beyond them only a sum is written. */
const MOST_LINES = 100;

type Count = { readonly why: ServerRefusal; readonly network: string; count: number };

/**
 * The security log: one line for each reason and network with its count, every ten seconds. So a flood of refusals
 * does not become a flood of lines.
 */
export class SecurityLog {
  readonly #logger: Logger;
  readonly #counts = new Map<string, Count>();
  readonly #timer: NodeJS.Timeout;
  #others = 0;

  constructor(logger: Logger, windowMs = WINDOW_MS) {
    this.#logger = logger;
    this.#timer = setInterval(() => this.flush(), windowMs);
    this.#timer.unref();
  }

  /** Notes a refusal. */
  refused(why: ServerRefusal, network: string): void {
    const key = `${why} ${network}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count++;
    else if (this.#counts.size >= MOST_LINES) this.#others++;
    else this.#counts.set(key, { why, network, count: 1 });
  }

  /** Writes what was noted. */
  flush(): void {
    for (const line of this.#counts.values()) this.#logger.warn(line, 'refused');
    if (this.#others > 0) this.#logger.warn({ count: this.#others }, 'refused others');
    this.#counts.clear();
    this.#others = 0;
  }

  /** Writes what was noted, and ends. */
  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }
}
