import type { BodyId, Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import { ticksIn } from '../../base/constants.ts';

/** Seconds for which a body waits for the host's ruling where it was let go. */
const RULING_SECONDS = 0.5;

/** [A9] The bodies on their way from hand to hand, as one peer has them. The rules are in giving.ts. */
export class GivingState {
  /** [G4] The last time that this player let a body go into another player's hand: tick and slot; tick -1: never. */
  readonly given = { tick: -1, to: NO_SLOT };
  /**
   * For each body that this guest has let go of: above 0, the tick until which it hangs in the air and waits for the
   * host's ruling. Below 0: it has waited until that tick in vain, but the ruling may still come. 0: neither.
   */
  readonly #until: Int32Array;
  /** For each body that is between two hands the giver, until the receiver's hand shows it here; else NO_SLOT. */
  readonly #from: Int8Array;
  /** The receiver, likewise. */
  readonly #to: Int8Array;
  /** False if this guest has let go of no body that may still wait: mostly so. `endWaiting` finds it out. */
  mayWait = false;
  /** How many bodies are between two hands. */
  #count = 0;

  /** RULING_SECONDS in ticks. */
  readonly #rulingTicks: number;

  /**
   * @param count bodies in the world.
   * @param rate ticks a second.
   */
  constructor(count: number, rate: number) {
    this.#rulingTicks = ticksIn(RULING_SECONDS, rate);
    this.#until = new Int32Array(count);
    this.#from = new Int8Array(count).fill(NO_SLOT);
    this.#to = new Int8Array(count).fill(NO_SLOT);
  }

  /** Forgets everything: the level begins anew. */
  clear(): void {
    this.#until.fill(0);
    this.#from.fill(NO_SLOT);
    this.#to.fill(NO_SLOT);
    this.#count = 0;
  }

  /** True while any body is between two hands; mostly none is. */
  get isUnderWay(): boolean {
    return this.#count > 0;
  }

  /** A guest has let go of a body for which another hand reaches: it waits for the ruling, but not for long. */
  wait(body: BodyId, tick: number): void {
    this.#until[body] = tick + this.#rulingTicks;
    this.mayWait = true;
  }

  /** True while a body hangs in the air and waits for the ruling. */
  waits(body: BodyId): boolean {
    return this.#until[body] > 0;
  }

  /** True as long as a ruling that gives the body away may come, whether it waits or has begun to fall. */
  isLetGo(body: BodyId): boolean {
    return this.#until[body] !== 0;
  }

  /** The ruling has come, or the body is in a hand again. */
  stopWaiting(body: BodyId): void {
    this.#until[body] = 0;
  }

  /** Call once a tick for a body that was let go. True in the tick in which it has waited long enough. */
  hasWaited(body: BodyId, tick: number): boolean {
    const until = this.#until[body];
    if (until > 0 && tick >= until) {
      this.#until[body] = -until;
      return true;
    }
    if (until < 0 && tick >= this.#rulingTicks - until) this.#until[body] = 0;
    return false;
  }

  /** The body is on its way from a hand of `from` to a hand of `to`. */
  begin(body: BodyId, from: Slot, to: Slot): void {
    if (this.from(body) === NO_SLOT) this.#count++;
    this.#from[body] = from;
    this.#to[body] = to;
  }

  /** The body is on its way no more. */
  end(body: BodyId): void {
    if (this.from(body) !== NO_SLOT) this.#count--;
    this.#from[body] = NO_SLOT;
    this.#to[body] = NO_SLOT;
  }

  /** The giver of a body that is on its way, or NO_SLOT. */
  from(body: BodyId): Slot {
    return this.#from[body] as Slot;
  }

  /** The receiver of a body that is on its way, or NO_SLOT. */
  to(body: BodyId): Slot {
    return this.#to[body] as Slot;
  }
}
