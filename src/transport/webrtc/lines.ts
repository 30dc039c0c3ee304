import type { DataConnection } from 'peerjs';
import type { LineId } from '../../core/room/seats.ts';
import type { LineState } from './line.ts';
import { Line } from './line.ts';

/** What happens on lines; the owner of a room is told when it asks. */
export type LineEvents = {
  opened(line: LineId): void;
  message(line: LineId, text: string): void;
  /** @param wasOpen false if it never came to be. */
  closed(line: LineId, wasOpen: boolean): void;
};

/** All lines of a page, by number. */
export class Lines {
  readonly #lines = new Map<LineId, { readonly line: Line; told: LineState }>();
  #next = 0;

  add(connection: DataConnection): LineId {
    const id = this.#next++ as LineId;
    this.#lines.set(id, { line: new Line(id, connection), told: 'connecting' });
    return id;
  }

  get(id: LineId): Line | null {
    return this.#lines.get(id)?.line ?? null;
  }

  /** Tells what has happened since the last call, line by line in its order. */
  poll(events: LineEvents): void {
    for (const [id, entry] of this.#lines) {
      const { line } = entry;
      const { state } = line;
      const wasOpen = entry.told === 'open';
      if (state === 'open' && !wasOpen) {
        entry.told = 'open';
        events.opened(id);
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
