import { MESSAGE_OVERHEAD } from './limits/limits.ts';

/** The bytes that wait for one client. */
export type Outbox = { readonly drop: () => void; bytes: number; progressAt: number };

type Limits = {
  readonly unreadBytes: number;
  readonly unreadBytesInAll: number;
  readonly unreadMs: number;
};

/**
 * The bytes that wait until clients read them. A client for which too many wait is dropped; where too many wait in
 * all, the client with most of them is. Dropping frees the bytes.
 */
export class Outboxes {
  readonly #limits: Limits;
  readonly #open = new Set<Outbox>();
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Bytes that wait in all. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop ends the client's connection; it is called at most once. */
  open(drop: () => void, nowMs: number): Outbox {
    const outbox = { drop, bytes: 0, progressAt: nowMs };
    this.#open.add(outbox);
    return outbox;
  }

  /** Forgets a client and what waits for it. */
  close(outbox: Outbox): void {
    if (this.#open.delete(outbox)) this.#bytes -= outbox.bytes;
  }

  /** Counts a message before it is sent. Returns false if the client was dropped, so that it gets no more. */
  add(outbox: Outbox, length: number, nowMs: number): boolean {
    if (!this.#open.has(outbox)) return false;
    if (outbox.bytes === 0) outbox.progressAt = nowMs;
    outbox.bytes += length + MESSAGE_OVERHEAD;
    this.#bytes += length + MESSAGE_OVERHEAD;
    if (outbox.bytes > this.#limits.unreadBytes) this.#drop(outbox);
    else if (this.#bytes > this.#limits.unreadBytesInAll) this.#drop(this.#fullest(outbox));
    return this.#open.has(outbox);
  }

  /** Counts a message that has left this process. */
  done(outbox: Outbox, length: number, nowMs: number): void {
    if (!this.#open.has(outbox)) return;
    outbox.progressAt = nowMs;
    outbox.bytes -= length + MESSAGE_OVERHEAD;
    this.#bytes -= length + MESSAGE_OVERHEAD;
  }

  /** Drops the clients that have read nothing for too long of what waits for them. */
  sweep(nowMs: number): void {
    for (const outbox of this.#open) {
      if (outbox.bytes > 0 && nowMs - outbox.progressAt > this.#limits.unreadMs) this.#drop(outbox);
    }
  }

  #fullest(known: Outbox): Outbox {
    let fullest = known;
    for (const outbox of this.#open) if (outbox.bytes > fullest.bytes) fullest = outbox;
    return fullest;
  }

  #drop(outbox: Outbox): void {
    this.close(outbox);
    outbox.drop();
  }
}
