import type { ConnectionId } from '../../../../src/core/base/ids.ts';
import type { Random } from '../../../../src/core/base/random.ts';
import { keyOf } from '../../../support/keys.ts';
import type { LineEnd, LineId } from '../../../../src/core/room/line.ts';

/** An event that reaches one end of a line, and when. */
type Happening = { readonly at: number } & (
  | { readonly kind: 'opened' }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'closed' }
);

/** Events for the owner of an end, as `Lines` reports them. */
export type EndEvents = {
  opened(id: LineId, end: LineEnd): void;
  message(id: LineId, text: string): void;
  closed(id: LineId, wasOpen: boolean): void;
};

/** Packets that wait at most for a page that does not ask, as in `Line`. */
const MOST_PACKETS = 1024;

/** One page's end of a simulated line: messages arrive in order, packets may be lost. Times are in milliseconds. */
export class End {
  static #next = 0;
  readonly id = End.#next++ as LineId;
  /** The id at the broker of the page at the other end. */
  page = 'a stranger';
  isCaller = false;
  /** The key of the page at the other end, for owners without a Member. */
  key = keyOf('a stranger');
  /** This page has closed the line, or knows that it is closed. */
  isClosed = false;
  readonly #delayMs: number;
  readonly #inbox: Happening[] = [];
  readonly #packets: { readonly at: number; readonly connection: ConnectionId }[] = [];
  readonly #bytes: { readonly at: number; readonly bytes: Uint8Array }[] = [];
  #other: End = this;
  wasOpened = false;
  #silentUntil = -Infinity;

  private constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** Two ends of a line that will be open soon. @param delayMs one way; left out: between 1 and 150 ms. */
  static pair(now: number, random: Random, delayMs?: number): readonly [End, End] {
    const delay = delayMs ?? random.between(1, 150);
    const [a, b] = [new End(delay), new End(delay)];
    a.isCaller = true;
    a.#other = b;
    b.#other = a;
    for (const end of [a, b]) end.#reach({ kind: 'opened', at: now + 3 * delay + random.between(0, 200) });
    return [a, b];
  }

  /** The line as its owner describes it to a Member. */
  get end(): LineEnd {
    const line = this.isCaller ? this.id : this.#other.id;
    return { page: this.page, isCaller: this.isCaller, binding: `line ${line}` };
  }

  get other(): End {
    return this.#other;
  }

  /** True while a message or the end of the line has not been taken in by both ends. */
  get isBusy(): boolean {
    return this.#inbox.length > 0 || this.#other.#inbox.length > 0;
  }

  say(now: number, text: string): void {
    if (this.isClosed || !this.wasOpened) return;
    const at = Math.max(now, this.#silentUntil) + this.#delayMs;
    this.#other.#reach({ kind: 'said', text, at });
  }

  sendPacket(now: number, connection: ConnectionId): void {
    if (this.isClosed || now < this.#silentUntil) return;
    this.#other.#packets.push({ at: now + this.#delayMs, connection });
    if (this.#other.#packets.length > MOST_PACKETS) this.#other.#packets.shift();
  }

  /** The same with the bytes of a real packet. */
  sendBytes(now: number, bytes: Uint8Array): void {
    if (this.isClosed || !this.wasOpened || now < this.#silentUntil) return;
    this.#other.#bytes.push({ at: now + this.#delayMs, bytes });
    if (this.#other.#bytes.length > MOST_PACKETS) this.#other.#bytes.shift();
  }

  receivePackets(now: number, deliver: (bytes: Uint8Array) => void): void {
    const due = this.#bytes.filter(({ at }) => at <= now);
    this.#bytes.splice(0, due.length);
    for (const { bytes } of due) if (!this.isClosed) deliver(bytes);
  }

  /** This page closes the line: it gets the event at once, the other end after the last message. */
  close(now: number): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#inbox.splice(0);
    this.#reach({ kind: 'closed', at: now });
    this.#other.#reach({ kind: 'closed', at: Math.max(now, this.#silentUntil) + this.#delayMs });
  }

  /** The network has lost the line: each end notices, within 6 s. */
  break(now: number, random: Random): void {
    for (const end of [this, this.#other]) {
      end.#silentUntil = Infinity;
      end.#inbox.splice(0);
      end.#reach({ kind: 'closed', at: now + random.between(0, 6000) });
    }
  }

  /** No packet passes until then, and messages wait. */
  silence(until: number): void {
    for (const end of [this, this.#other]) end.#silentUntil = until;
  }

  #reach(happening: Happening): void {
    const last = this.#inbox.at(-1);
    if (last?.kind === 'closed') return;
    this.#inbox.push({ ...happening, at: Math.max(last?.at ?? -Infinity, happening.at) });
  }

  /** Reports the events that are due. @returns false when no further event will come at this end. */
  poll(now: number, events: EndEvents): boolean {
    const due = this.#inbox.filter(({ at }) => at <= now);
    this.#inbox.splice(0, due.length);
    const hasEnded = due.at(-1)?.kind === 'closed';
    // A line that opened and closed between two polls counts as never opened; its messages are lost.
    if (hasEnded && !this.wasOpened) due.splice(0, due.length - 1);
    for (const happening of due) {
      if (happening.kind === 'opened') this.wasOpened = true;
      if (happening.kind === 'opened') events.opened(this.id, this.end);
      if (happening.kind === 'said') events.message(this.id, happening.text);
    }
    if (!hasEnded) return true;
    this.isClosed = true;
    events.closed(this.id, this.wasOpened);
    return false;
  }

  /** True if packets of this connection have come since the last call. */
  hears(now: number, connection: ConnectionId): boolean {
    const due = this.#packets.filter(({ at }) => at <= now);
    this.#packets.splice(0, due.length);
    return due.some((packet) => packet.connection === connection);
  }
}
