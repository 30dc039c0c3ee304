import type { DataConnection } from 'peerjs';
import type { LineId } from '../../core/room/line.ts';
import { isPageId } from '../../core/room/page-id.ts';
import type { LineState } from './line.ts';
import { Line } from './line.ts';

/** Milliseconds in which a line must open. */
const OPEN_WITHIN_MS = 15_000;
/** Lines from other pages that may be opening at once; a flood of them would keep friends out. */
const MOST_OPENING = 16;

/** Events on lines; `poll` reports them. */
export type LineEvents = {
  /** @param page the id at the broker of the page at the other end, as the broker vouches for it. */
  opened(line: LineId, page: string): void;
  /** A message of at most MAX_MESSAGE_LENGTH characters has come. */
  message(line: LineId, text: string): void;
  /** @param wasOpen false if the line never opened. */
  closed(line: LineId, wasOpen: boolean): void;
};

/** A line, and the state of it that `poll` has reported. */
type Entry = { readonly line: Line; readonly madeAt: number; reported: LineState };

/** All lines of a page, by number; it owns them. */
export class Lines {
  readonly #lines = new Map<LineId, Entry>();
  #next = 0;

  /** Adds a line over a connection that this page is opening; the line owns the connection from now on. */
  add(connection: DataConnection): LineId {
    const id = this.#next++ as LineId;
    this.#lines.set(id, {
      line: new Line(id, connection),
      madeAt: performance.now(),
      reported: 'connecting',
    });
    return id;
  }

  /**
   * Adds a line that another page is opening. Closes the connection if it is of another kind, from a page with an
   * impossible id, or part of a flood.
   */
  take(connection: DataConnection): void {
    // The other end chooses the kind of connection, and PeerJS does not check it: anything may be here.
    const given = connection as Partial<DataConnection>;
    if (given.serialization !== 'raw' || !isPageId(String(given.peer))) {
      given.close?.();
      return;
    }
    const opening = [...this.#lines.values()].filter(({ reported }) => reported === 'connecting').length;
    if (opening < MOST_OPENING) this.add(connection);
    else connection.close();
  }

  /** Null if there is no such line, or `poll` has reported its end. */
  get(id: LineId): Line | null {
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
        entry.reported = 'open';
        events.opened(id, line.page);
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
