import type { DataConnection } from 'peerjs';
import type { LineId } from '../../core/room/line.ts';
import type { LineState } from './line.ts';
import { Line } from './line.ts';

/** Milliseconds that a line has to open. */
const OPEN_WITHIN_MS = 15_000;
/** Lines that may be opening at once; a flood of them would leave no room for friends. */
const MOST_OPENING = 16;

/** What happens on lines; the owner of a room is told when it asks. */
export type LineEvents = {
  /** @param page the id at the broker of the page at the other end, as the broker vouches for it. */
  opened(line: LineId, page: string): void;
  message(line: LineId, text: string): void;
  /** @param wasOpen false if it never came to be. */
  closed(line: LineId, wasOpen: boolean): void;
};

/** All lines of a page, by number. */
export class Lines {
  readonly #lines = new Map<LineId, { readonly line: Line; readonly madeAt: number; told: LineState }>();
  #next = 0;

  add(connection: DataConnection): LineId {
    const id = this.#next++ as LineId;
    this.#lines.set(id, { line: new Line(id, connection), madeAt: performance.now(), told: 'connecting' });
    return id;
  }

  /** Takes a line that somebody else is opening, unless it is of another kind, or one of a flood. */
  take(connection: DataConnection): void {
    // The other end chooses what kind it is, and PeerJS takes its word: anything may be here.
    const given = connection as Partial<DataConnection>;
    if (given.serialization !== 'raw') {
      given.close?.();
      return;
    }
    const opening = [...this.#lines.values()].filter(({ told }) => told === 'connecting').length;
    if (opening < MOST_OPENING) this.add(connection);
    else connection.close();
  }

  get(id: LineId): Line | null {
    return this.#lines.get(id)?.line ?? null;
  }

  /** Tells what has happened since the last call, line by line in its order. */
  poll(events: LineEvents): void {
    for (const [id, entry] of this.#lines) {
      const { line } = entry;
      if (line.state === 'connecting' && performance.now() - entry.madeAt > OPEN_WITHIN_MS) line.close();
      const { state } = line;
      const wasOpen = entry.told === 'open';
      if (state === 'open' && !wasOpen) {
        entry.told = 'open';
        events.opened(id, line.page);
      }
      if (entry.told === 'open') line.receiveMessages((text) => events.message(id, text));
      if (state !== 'closed') continue;
      this.#lines.delete(id);
      events.closed(id, wasOpen);
    }
  }

  close(id: LineId): void {
    this.get(id)?.close();
  }

  closeAll(): void {
    for (const { line } of this.#lines.values()) line.close();
  }
}
