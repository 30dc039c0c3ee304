import type { LineId } from '../core/room/line.ts';
import { isPageId } from '../core/room/page-id.ts';
import { Refusals } from './guard/refusals.ts';
import { Line } from './line.ts';
import type { LineConnection } from './line-connection.ts';
import type { LineEvents, LineState, MemberLines } from './station.ts';

/** Milliseconds in which a line must open. */
const OPEN_WITHIN_MS = 15_000;
/**
 * Lines from other pages that may be opening at once: twice as many as a door accepts at once, so that each has
 * seconds to get on before it has to give way.
 */
const MOST_OPENING = 32;
/** The same from one page: a page that joins tries one more every 2 s, each for 12 s ([F3.7]). */
const MOST_OPENING_OF_PAGE = 6;

/** A line, and the state of it that `poll` has reported. */
type Entry<C extends LineConnection> = {
  readonly line: Line<C>;
  readonly madeAt: number;
  /** Whether another page has opened it. */
  readonly isTaken: boolean;
  reported: LineState;
};

/** All lines of a page, or of a member in Node, by number; it owns them. */
export class Lines<C extends LineConnection = LineConnection> implements MemberLines {
  readonly #lines = new Map<LineId, Entry<C>>();
  readonly #refusals: Refusals;
  #next = 0;

  /** @param refusals counts what lines refuse. */
  constructor(refusals = new Refusals()) {
    this.#refusals = refusals;
  }

  /** Adds a line over a connection that this page is opening; the line owns the connection from now on. */
  add(connection: C): LineId {
    return this.#put(connection, false);
  }

  /**
   * Adds a line that another page is opening; from a page with an impossible id it is closed. If too many are opening,
   * by that page or in all, the oldest line that the network has not answered is closed at once.
   */
  take(connection: C): void {
    if (!isPageId(connection.page)) {
      connection.close();
      this.#refusals.count('impossible page id');
      return;
    }
    const opening = [...this.#lines.values()].filter(
      ({ line, isTaken }) => isTaken && line.state === 'connecting',
    );
    const ofPage = opening.filter(({ line }) => line.page === connection.page);
    if (ofPage.length >= MOST_OPENING_OF_PAGE) this.#giveWay(ofPage);
    else if (opening.length >= MOST_OPENING) this.#giveWay(opening);
    this.#put(connection, true);
  }

  #put(connection: C, isTaken: boolean): LineId {
    const id = this.#next++ as LineId;
    const line = new Line(id, connection, this.#refusals);
    this.#lines.set(id, { line, madeAt: performance.now(), isTaken, reported: 'connecting' });
    return id;
  }

  /** @param opening the oldest first, and at least one. */
  #giveWay(opening: readonly Entry<C>[]): void {
    const { line } = opening.find((entry) => !entry.line.isAnswered) ?? opening[0];
    line.close();
    this.#refusals.count('gave way');
  }

  /** Null if there is no such line, or `poll` has reported its end. */
  get(id: LineId): Line<C> | null {
    return this.#lines.get(id)?.line ?? null;
  }

  /** Reports what has happened since the last `poll`, line by line, each in its order. */
  poll(events: LineEvents): void {
    for (const [id, entry] of this.#lines) {
      const { line } = entry;
      if (line.state === 'connecting' && performance.now() - entry.madeAt > OPEN_WITHIN_MS) line.close();
      const { state } = line;
      const wasOpen = entry.reported === 'open';
      if (state === 'open' && !wasOpen) {
        const isCaller = !entry.isTaken;
        const binding = line.binding(isCaller);
        // A browser that hides its part leaves nothing by which the other end could be known.
        if (binding === null) line.close();
        else {
          entry.reported = 'open';
          events.opened(id, { page: line.page, isCaller, binding });
        }
      }
      if (entry.reported === 'open') line.receiveMessages((text) => events.message(id, text));
      if (state !== 'closed') continue;
      this.#lines.delete(id);
      events.closed(id, wasOpen);
    }
  }

  /** Closes a line, after its last messages; an unknown line is passed over. */
  close(id: LineId): void {
    this.get(id)?.close();
  }

  closeAll(): void {
    for (const { line } of this.#lines.values()) line.close();
  }
}
