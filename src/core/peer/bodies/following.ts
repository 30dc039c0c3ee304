import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { ticksAPacket } from '../../base/constants.ts';

/** How a received state continues those that a body has shown so far. */
export type Step =
  /** Its tick was shown already, or is before the one that was. */
  | 'older'
  /** Its tick is the one after the last, or nearly: the body is shown there at once, without easing. */
  | 'next'
  /** States are missing before it, or its author is another: the drawn body is eased to it. */
  | 'jump';

/** Packets at the full rate between two states that count as consecutive: one may be lost. */
const NEXT_PACKETS = 2;
/** Before every tick: the next state counts, whatever its author's ticks are. */
const NEVER = -0x7fffffff;

/**
 * [T3] For each body the author that it shows, and the tick of the last state. Ticks of two authors are not comparable:
 * each author counts its own.
 */
export class Following {
  /** NO_SLOT: the body shows this peer's own engine. */
  readonly #author: Int8Array;
  /** The tick of the last state that was shown, in its author's count. */
  readonly #tick: Int32Array;
  /** 1 if the pose at which a body is drawn was its place once, so that its way from there may be eased. */
  readonly #canEase: Uint8Array;

  /** NEXT_PACKETS in ticks. */
  readonly #nextTicks: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#nextTicks = NEXT_PACKETS * ticksAPacket(rate);
    this.#author = new Int8Array(count).fill(NO_SLOT);
    this.#tick = new Int32Array(count);
    this.#canEase = new Uint8Array(count);
  }

  /** A body gets a state of this author and tick. Unless it is older, the body shows this author from now on. */
  advance(body: BodyId, author: Slot, tick: number): Step {
    const ticks = tick - this.#tick[body];
    const follows = this.isOf(body, author);
    if (follows && ticks <= 0) return 'older';
    this.#author[body] = author;
    this.#tick[body] = tick;
    return follows && ticks <= this.#nextTicks ? 'next' : 'jump';
  }

  /** A hand of this author carries the body. It shows no state now, and takes the author's next state of any tick. */
  followHand(body: BodyId, author: Slot): void {
    if (this.#author[body] !== author) this.#tick[body] = NEVER;
    this.#author[body] = author;
  }

  /** True if a body shows this author's states or hand. */
  isOf(body: BodyId, author: Slot): boolean {
    return this.#author[body] === author;
  }

  /** True if a body shows another player's states or hand. */
  isOfAnother(body: BodyId): boolean {
    return this.#author[body] !== NO_SLOT;
  }

  /** From now on a body shows this peer's own engine. */
  stop(body: BodyId): void {
    this.#author[body] = NO_SLOT;
  }

  /** [H6] A player has left: the next player in its slot counts other ticks. */
  forgetAuthor(author: Slot): void {
    for (let body = 0; body < this.#author.length; body++) {
      if (this.#author[body] === author) this.#author[body] = NO_SLOT;
    }
  }

  /** Forgets everything, as at the beginning: the next state of every body is shown without easing. */
  restart(): void {
    this.#author.fill(NO_SLOT);
    this.#canEase.fill(0);
  }

  /** True if the way to a body's next state may be eased: the pose at which it is drawn was its place once. */
  canEase(body: BodyId): boolean {
    return this.#canEase[body] === 1;
  }

  /** See canEase; false from the beginning on. */
  setCanEase(body: BodyId, canEase: boolean): void {
    this.#canEase[body] = canEase ? 1 : 0;
  }
}
