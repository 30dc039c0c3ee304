import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';

/** What a received state is to what a body has shown so far. */
export type Step =
  /** Of a tick that was already shown, or before it. */
  | 'older'
  /** Of the tick after the last one, or nearly: it is the way itself, and nothing is to be eased. */
  | 'next'
  /** States are missing before it, or it is another author's: the drawn body is eased from where it was. */
  | 'jump';

/** Ticks between two states that count as following. */
const NEXT_TICKS = 2;
/** Before every tick: the next state counts, whatever its author's ticks are. */
const NEVER = -0x7fffffff;

/** [T3] Whose states each body shows, and how far it has come in them: each author counts ticks of its own. */
export class Following {
  /** NO_SLOT: this peer's own engine alone. */
  readonly #author: Int8Array;
  readonly #tick: Int32Array;
  /** 1 until a body has taken over its first state: nothing to ease from. */
  readonly #fresh: Uint8Array;

  constructor(count: number) {
    this.#author = new Int8Array(count).fill(NO_SLOT);
    this.#tick = new Int32Array(count);
    this.#fresh = new Uint8Array(count).fill(1);
  }

  /** A state of this author and tick is there; unless it is older, the body shows it from now on. */
  take(body: BodyId, author: Slot, tick: number): Step {
    const ticks = tick - this.#tick[body];
    const follows = this.isOf(body, author);
    if (follows && ticks <= 0) return 'older';
    this.#author[body] = author;
    this.#tick[body] = tick;
    return follows && ticks <= NEXT_TICKS ? 'next' : 'jump';
  }

  /** A hand of this author carries the body: it shows no state, but the author's next. */
  carry(body: BodyId, author: Slot): void {
    if (this.#author[body] !== author) this.#tick[body] = NEVER;
    this.#author[body] = author;
  }

  /** True if the last that a body showed was this author's. */
  isOf(body: BodyId, author: Slot): boolean {
    return this.#author[body] === author;
  }

  /** True if a body shows what another peer has said of it. */
  isOfAnother(body: BodyId): boolean {
    return this.#author[body] !== NO_SLOT;
  }

  /** From now on a body shows this peer's own engine. */
  stop(body: BodyId): void {
    this.#author[body] = NO_SLOT;
  }

  /** [H6] A player is gone: whoever has its slot next counts its ticks anew. */
  forgetAuthor(author: Slot): void {
    for (let body = 0; body < this.#author.length; body++) {
      if (this.#author[body] === author) this.#author[body] = NO_SLOT;
    }
  }

  /** What is shown says nothing any more. */
  restart(): void {
    this.#author.fill(NO_SLOT);
    this.#fresh.fill(1);
  }

  /** True if the way to a body's next state is to be eased: where it is drawn was its place once. */
  eases(body: BodyId): boolean {
    return this.#fresh[body] === 0;
  }

  /** Where a body is drawn is no place to ease from (true), or is one. */
  setFresh(body: BodyId, fresh: boolean): void {
    this.#fresh[body] = fresh ? 1 : 0;
  }
}
