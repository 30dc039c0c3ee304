import type { Relayed } from '../../cluster/relay.ts';
import { UNCLAIMED_MS } from '../broker/limits/limits.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 100;
/** Messages that wait at a time: in all, more than one network may send to other brokers; and for one client. */
export const MOST_UNCLAIMED = 8000;
const MOST_OF_ONE = 64;

type Waiting = { readonly relayed: Relayed; readonly untilMs: number };

/** Messages of other processes for clients that are not here yet. Those to one client keep their order. */
export class Unclaimed {
  /** By the id of their receiver. */
  readonly #waiting = new Map<unknown, Waiting[]>();
  readonly #give: (relayed: Relayed) => boolean;
  readonly #expired: (relayed: Relayed) => void;
  readonly #timer: NodeJS.Timeout;
  #count = 0;

  /** @param give gives a message to its receiver; false if that is not here. @param expired is told of each that waits in vain. */
  constructor(give: (relayed: Relayed) => boolean, expired: (relayed: Relayed) => void) {
    this.#give = give;
    this.#expired = expired;
    this.#timer = setInterval(() => this.#look(performance.now()), LOOK_MS);
    this.#timer.unref();
  }

  /** Takes a message, and delivers it now or later. If too many wait already, the message expires at once. */
  take(relayed: Relayed): void {
    const { dst } = relayed.message;
    const before = this.#waiting.get(dst);
    if (before === undefined && this.#give(relayed)) return;
    if (this.#count >= MOST_UNCLAIMED || (before?.length ?? 0) >= MOST_OF_ONE) return this.#expired(relayed);
    this.#count++;
    const waiting = { relayed, untilMs: performance.now() + UNCLAIMED_MS };
    if (before === undefined) this.#waiting.set(dst, [waiting]);
    else before.push(waiting);
  }

  #look(nowMs: number): void {
    for (const [dst, list] of this.#waiting) {
      while (list.length > 0 && (this.#give(list[0].relayed) || this.#expires(list[0], nowMs))) {
        list.shift();
        this.#count--;
      }
      if (list.length === 0) this.#waiting.delete(dst);
    }
  }

  #expires({ relayed, untilMs }: Waiting, nowMs: number): boolean {
    if (nowMs < untilMs) return false;
    this.#expired(relayed);
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
