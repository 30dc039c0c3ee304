import { JitterBuffer } from '../../link/jitter-buffer.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample, copyAvatar } from '../../wire/avatar/avatar.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { bodyUpdate } from '../../wire/bodies/update.ts';
import type { PackedIndex } from './update-pool.ts';
import { UpdatePool } from './update-pool.ts';

/** An avatar with the moment at which it was sampled, in ticks of its author. */
export type TimedAvatar = { readonly avatar: AvatarSample; time: number };

/** All that arrived of one tick of an author. */
type Batch = TimedAvatar & {
  hasAvatar: boolean;
  /** Places of its updates in the pool; the first `count` belong to this batch. The list only grows: no garbage. */
  readonly updates: PackedIndex[];
  count: number;
  /** The highest of their bodies, or -1: packets have bodies in ascending order, so that a search is rarely needed. */
  highest: number;
};

/** [T2] The jitter buffer of one author: updates of bodies and avatars wait in it until their tick is due. */
export class BatchBuffer {
  readonly #buffer = new JitterBuffer<Batch>(batch, (b) => this.#clear(b));
  readonly #pool = new UpdatePool();
  readonly #update = bodyUpdate();
  readonly #onUpdate: (update: BodyUpdate) => void;
  readonly #onAvatar: (sample: Readonly<TimedAvatar>) => void;

  /**
   * @param onUpdate gets the updates that are delivered, oldest tick first; the object is used again for the next one.
   * @param onAvatar gets the avatars that are delivered, each after the updates of its tick; to be copied.
   */
  constructor(onUpdate: (update: BodyUpdate) => void, onAvatar: (sample: Readonly<TimedAvatar>) => void) {
    this.#onUpdate = onUpdate;
    this.#onAvatar = onAvatar;
  }

  /** Drops all that waits. */
  reset(): void {
    this.#buffer.reset();
  }

  /** Copies an update of a body; its tick decides when it is due. */
  addUpdate(update: Readonly<BodyUpdate>): void {
    const into = this.#buffer.at(update.tick, this.#deliverUpdates);
    const { updates } = into;
    // One state for each body and tick, or a flood would fill the memory.
    for (let i = 0; i < into.count && update.body <= into.highest; i++) {
      if (this.#pool.bodyIn(updates[i]) !== update.body) continue;
      this.#pool.keepNewer(updates[i], update);
      return;
    }
    into.highest = Math.max(into.highest, update.body);
    updates[into.count++] = this.#pool.take(update);
  }

  /** Copies an avatar, which is due at this tick of the author; its age says how long before that it was sampled. */
  addAvatar(tick: number, sample: Readonly<AvatarSample>): void {
    const into = this.#buffer.at(tick, this.#deliverUpdates);
    into.hasAvatar = true;
    into.time = tick - sample.age / AGE_STEPS;
    copyAvatar(sample, into.avatar);
  }

  /** Delivers all that is due at a position of the playout clock, in ticks of the author. */
  deliver(position: number): void {
    this.#buffer.drain(position, this.#deliverBatch);
  }

  /** The newest tick that is waiting or was delivered; -1 before the first. */
  get newest(): number {
    return this.#buffer.newest;
  }

  /** The avatar of a tick that is waiting, or null; valid until the tick is delivered. */
  waitingAvatar(tick: number): Readonly<TimedAvatar> | null {
    const waiting = this.#buffer.peek(tick);
    return waiting !== null && waiting.hasAvatar ? waiting : null;
  }

  readonly #deliverBatch = (due: Batch): void => {
    this.#deliverUpdates(due);
    if (due.hasAvatar) this.#onAvatar(due);
  };

  /**
   * Delivers the updates of a batch, and frees their places. A batch that has to make room for a newer one is delivered
   * before it is due: its updates were acked, and will not be sent again.
   */
  readonly #deliverUpdates = (from: Batch): void => {
    for (let i = 0; i < from.count; i++) {
      this.#pool.read(from.updates[i], this.#update);
      this.#onUpdate(this.#update);
    }
    this.#free(from);
  };

  #clear(b: Batch): void {
    b.hasAvatar = false;
    this.#free(b);
  }

  #free(b: Batch): void {
    for (let i = 0; i < b.count; i++) this.#pool.giveBack(b.updates[i]);
    b.count = 0;
    b.highest = -1;
  }
}

function batch(): Batch {
  return { hasAvatar: false, avatar: avatarSample(), time: 0, updates: [], count: 0, highest: -1 };
}
