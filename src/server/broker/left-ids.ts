import { DOOR_PREFIX } from '../../core/room/code.ts';

/** Milliseconds for which an id waits for the client that had it: a page whose socket broke asks again within 30 s. */
const WAITS_MS = 60_000;
/** Most ids that wait; the oldest gives way. */
const MOST = 20_000;

type Left = { readonly token: string; readonly untilMs: number };

/**
 * [F1.12] The ids that clients had a moment ago. For a minute such an id is given only to a client that shows the same
 * token. Otherwise, whoever ends a page's socket could take the page's id, and pass for it. A door waits for nobody,
 * because the room's next host takes it.
 */
export class LeftIds {
  /** By id, the oldest first. */
  readonly #left = new Map<string, Left>();

  /** A client that has shown this token has lost its id, or has given it up. */
  add(id: string, token: string, nowMs: number): void {
    if (id.startsWith(DOOR_PREFIX)) return;
    this.#left.delete(id);
    this.#left.set(id, { token, untilMs: nowMs + WAITS_MS });
    for (const [oldest, { untilMs }] of this.#left) {
      if (untilMs > nowMs && this.#left.size <= MOST) break;
      this.#left.delete(oldest);
    }
  }

  /** True if an id waits for a client with another token. */
  waitsForAnother(id: string, token: string, nowMs: number): boolean {
    const left = this.#left.get(id);
    return left !== undefined && left.untilMs > nowMs && left.token !== token;
  }
}
