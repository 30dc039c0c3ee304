import type { LineFailure, LineId } from '../line.ts';

/** Milliseconds that an attempt may take: slow networks and relays need some. */
const ATTEMPT_MS = 12_000;
/** Milliseconds between two attempts. */
const RETRY_EVERY_MS = 2000;

type AttemptState =
  | { readonly kind: 'none' }
  /** The owner has been asked for a line. */
  | { readonly kind: 'opening'; takenMs: number }
  /** Hello has been sent on this line. */
  | { readonly kind: 'greeted'; readonly line: LineId; takenMs: number };

/** A guest's attempts to get a line to its host: one at a time, each with a deadline, and a pause after a failure. */
export class ConnectionAttempt {
  #state: AttemptState = { kind: 'none' };
  /** Milliseconds without an attempt since the last failure; attempts that succeed don't set it back. */
  #pausedMs = 0;
  #lastFailure: LineFailure = 'blocked';

  get isUnderWay(): boolean {
    return this.#state.kind !== 'none';
  }

  /** The line on which hello was sent; null if there is none yet, or no attempt. */
  get line(): LineId | null {
    return this.#state.kind === 'greeted' ? this.#state.line : null;
  }

  /** Why the last attempt failed; 'blocked' if none has since the last success. */
  get lastFailure(): LineFailure {
    return this.#lastFailure;
  }

  /** True if no attempt is under way, and the last failure is long enough ago. */
  get isDue(): boolean {
    return this.#state.kind === 'none' && this.#pausedMs >= RETRY_EVERY_MS;
  }

  /** A line has been asked for. */
  begin(): void {
    this.#state = { kind: 'opening', takenMs: 0 };
  }

  /** Hello has been sent on a line; the deadline of an attempt that is under way stays. */
  greet(line: LineId): void {
    const takenMs = this.#state.kind === 'none' ? 0 : this.#state.takenMs;
    this.#state = { kind: 'greeted', line, takenMs };
  }

  fail(why: LineFailure): void {
    this.#lastFailure = why;
    this.#state = { kind: 'none' };
    this.#pausedMs = 0;
  }

  succeed(): void {
    this.#lastFailure = 'blocked';
    this.#state = { kind: 'none' };
  }

  /** Gives up the attempt that is under way, which does not count as a failure. */
  drop(): void {
    this.#state = { kind: 'none' };
  }

  /**
   * Call it once a tick.
   * @param step milliseconds since the last tick.
   * @returns true if the attempt has taken too long; the caller then calls `fail`.
   */
  tick(step: number): boolean {
    if (this.#state.kind === 'none') {
      this.#pausedMs += step;
      return false;
    }
    this.#state.takenMs += step;
    return this.#state.takenMs >= ATTEMPT_MS;
  }
}
