import type { RoomCode } from '../../core/room/code.ts';
import { isLarge } from '../../core/room/people.ts';
import { Backoff } from '../../transport/backoff.ts';
import type { Looking } from '../dedicated-room.ts';
import type { RoomSnapshot } from './snapshot.ts';

/** Milliseconds between the first two attempts to bring a room back. */
const AGAIN_MS = 500;
/** Milliseconds between two attempts at most: a door that somebody else has is asked for once a minute. */
const MOST_AGAIN_MS = 60_000;
/** [N6.3] Milliseconds for which a room is only looked for: players who went on with it have the newer world. */
const LOOKS_FOR_MS = 60_000;
/** [N9.12] The same where a host of another version was found. */
const LOOKS_FOR_OTHER_MS = 3_600_000;

/**
 * An attempt that has failed. `looked`: for the room at its door, `asked`: for the door itself; `other version`: it has
 * found the room, under a host of another protocol version.
 */
export type Tried = 'looked' | 'asked' | 'other version';

/** [N6.3] A kept room on its way back. */
export type Return = {
  readonly snapshot: RoomSnapshot;
  /** Milliseconds of the owner's clock since when it is tried. */
  readonly sinceMs: number;
  /** The attempt that has failed last; null before the first. */
  readonly last: Tried | null;
  /** Milliseconds of the owner's clock at which the next attempt is due. */
  readonly dueMs: number;
  /** The pauses between its attempts. */
  readonly backoff: Backoff;
};

/** The kept rooms that wait for an attempt to bring them back. */
export class Returns {
  readonly #waiting = new Map<RoomCode, Return>();

  /** Rooms that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** A room waits for its first attempt. @param nowMs milliseconds. */
  add(snapshot: RoomSnapshot, nowMs: number): void {
    const { code } = snapshot;
    const backoff = new Backoff(AGAIN_MS, MOST_AGAIN_MS);
    this.#waiting.set(code, { snapshot, sinceMs: nowMs, last: null, dueMs: nowMs, backoff });
  }

  /** An attempt has failed: the room waits for another one. */
  again(failed: Return, last: Tried, nowMs: number): void {
    this.#waiting.set(failed.snapshot.code, { ...failed, last, dueMs: nowMs + failed.backoff.next() });
  }

  /** [N6.4] Gives up rooms. @returns the codes of those that waited. */
  drop(isOver: (snapshot: RoomSnapshot) => boolean): RoomCode[] {
    const over = [...this.#waiting.values()].filter(({ snapshot }) => isOver(snapshot));
    return over.map(({ snapshot: { code } }) => {
      this.#waiting.delete(code);
      return code;
    });
  }

  /** @returns a room whose attempt is due, which does not wait any more; null if there is none. */
  take(nowMs: number): Return | null {
    for (const [code, waiting] of this.#waiting) {
      if (waiting.dueMs > nowMs) continue;
      this.#waiting.delete(code);
      return waiting;
    }
    return null;
  }
}

/**
 * [N6.3] How the next attempt looks for the room at its door. Two players who were there may have chosen one of them as
 * the host, and slow ones need some seconds until they are found at the door: the first attempt opens nothing. After a
 * minute one attempt looks, and the next one asks for the door at once: somebody who has it and answers nothing is not
 * waited for, and an outside broker takes a door from nobody. [N9.12] The door of a host of another version is not asked
 * for in the first hour: its players are there, and have the newer world. Nobody proves that answer, so it does not count
 * for ever, and not in a large room, where no player is host.
 */
export function looksNext({ snapshot, sinceMs, last }: Return, nowMs: number): Looking {
  if (last === null && mayHaveHost(snapshot)) return 'only';
  const isOther = last === 'other version' && !isLarge(snapshot);
  const looksForMs = isOther ? LOOKS_FOR_OTHER_MS : LOOKS_FOR_MS;
  return nowMs - sinceMs < looksForMs || last === 'asked' ? 'then opens' : 'not';
}

/** [N8.2] Players of a large room choose no host. */
function mayHaveHost(snapshot: RoomSnapshot): boolean {
  return !isLarge(snapshot) && snapshot.players.filter(({ presence }) => presence === 'here').length > 1;
}
