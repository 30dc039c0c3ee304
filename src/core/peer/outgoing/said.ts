import type { BodyId } from '../../base/ids.ts';
import {
  PACKED_UPDATE,
  packClaim,
  packUpdate,
  sameClaimPacked,
  samePacked,
} from '../../wire/bodies/packed-update.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';

/**
 * What does not change is said twice in a row, so that a lost packet delays no word; then again after so many ticks,
 * unless it was acked by then: most acks take as long.
 */
const AGAIN_TICKS = 5;

/**
 * When something is to be said of a body: not until it changes, since there is nothing, or the receiver has it; later;
 * now; or as its motion has it, of which only the next step is news.
 */
export type Need = 'none' | 'later' | 'motion' | 'now';

/** [W5] What one receiver was told last of each body, and when that is to be said again. */
export class Said {
  /** What the last packet on each body said, and if it did not move, since which packet all have said just that; or -1. */
  readonly #last: Int32Array;
  readonly #since: Int32Array;
  /** For each body the source's number of changes when that was said, or -1, and 1 if it said that it moves. */
  readonly #change: Int32Array;
  readonly #moves: Uint8Array;
  /** Counts ticks; for each body the last in which it was said, and 1 if that was the first time. */
  #tick = 0;
  readonly #at: Int32Array;
  readonly #once: Uint8Array;

  /** @param count bodies in the world. */
  constructor(count: number) {
    this.#last = new Int32Array(count * PACKED_UPDATE);
    this.#since = new Int32Array(count).fill(-1);
    this.#change = new Int32Array(count).fill(-1);
    this.#moves = new Uint8Array(count);
    this.#at = new Int32Array(count);
    this.#once = new Uint8Array(count);
  }

  /** Nothing was said. */
  clear(): void {
    this.#since.fill(-1);
    this.#change.fill(-1);
    this.#moves.fill(0);
  }

  nextTick(): void {
    this.#tick++;
  }

  /** True if a body has not changed since something was said of it. */
  isCurrent(body: BodyId, change: number): boolean {
    return this.#change[body] === change;
  }

  /**
   * Whether to say something of a body.
   * @param update what there is to say of it now, where it is not current; else null.
   * @param acked the newest packet on it that was acked, or -1.
   */
  needOf(body: BodyId, update: Readonly<BodyUpdate> | null, acked: number): Need {
    const last = body * PACKED_UPDATE;
    if (update === null ? this.#moves[body] === 1 : update.kind === 'motion') {
      const isSame =
        update === null || (this.#moves[body] === 1 && sameClaimPacked(this.#last, last, update));
      return isSame ? 'motion' : 'now';
    }
    const since = this.#since[body];
    if (since < 0 || (update !== null && !samePacked(this.#last, last, update))) return 'now';
    if (acked >= since) return 'none';
    return this.#once[body] === 1 || this.#tick - this.#at[body] >= AGAIN_TICKS ? 'now' : 'later';
  }

  /** A packet says this of a body, whose changes have this number. */
  note(packet: number, update: Readonly<BodyUpdate>, change: number): void {
    const { body } = update;
    const moves = update.kind === 'motion';
    const last = body * PACKED_UPDATE;
    this.#change[body] = change;
    this.#moves[body] = moves ? 1 : 0;
    if (moves) {
      // What moves is said again in any case: where it was does not count.
      packClaim(update, this.#last, last);
      return;
    }
    const isNew = this.#since[body] < 0 || !samePacked(this.#last, last, update);
    this.#at[body] = this.#tick;
    this.#once[body] = isNew ? 1 : 0;
    if (!isNew) return;
    this.#since[body] = packet;
    packUpdate(update, this.#last, last);
  }

  /** The packet that said something of a body will not leave: what was said before it is not known any more. */
  takeBack(body: BodyId): void {
    this.#since[body] = -1;
    this.#change[body] = -1;
    this.#moves[body] = 0;
  }
}
