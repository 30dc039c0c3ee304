import type { BodyId } from '../../base/ids.ts';
import { STATE } from '../../base/state.ts';
import { JitterBuffer } from '../../link/jitter-buffer.ts';
import type { AvatarSample } from '../../wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample, copyAvatar } from '../../wire/avatar/avatar.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { VELOCITY_STEPS } from '../../wire/bodies/quantise.ts';
import { bodyUpdate } from '../../wire/bodies/update.ts';
import { Cadence } from './cadence.ts';
import type { PackedIndex } from './update-pool.ts';
import { UpdatePool } from './update-pool.ts';

/** An avatar with the moment at which it was sampled, in ticks of its author. */
export type TimedAvatar = { readonly avatar: AvatarSample; time: number };

/** Gets an update that waits, with the ticks until it is due, and the ticks between two packets of its author. */
export type Announce = (update: BodyUpdate, ticks: number, interval: number) => void;

/** Steps of velocity, along an axis: 0.25 m/s. */
const MOVING = VELOCITY_STEPS / 4;

/** All that arrived of one tick of an author. */
type Batch = TimedAvatar & {
  hasAvatar: boolean;
  /**
   * Places of its updates in the pool, by body in ascending order; the first `count` belong to this batch. The list only
   * grows: no garbage.
   */
  readonly updates: PackedIndex[];
  count: number;
  /** True if one of their bodies moves so fast that it moves in the next tick, too. */
  moves: boolean;
  /** Their tick, if `moves`. */
  tick: number;
};

/** [T2] The jitter buffer of one author: updates of bodies and avatars wait in it until their tick is due. */
export class BatchBuffer {
  readonly #buffer: JitterBuffer<Batch>;
  readonly #pool = new UpdatePool();
  readonly #update = bodyUpdate();
  readonly #onUpdate: (update: BodyUpdate) => void;
  readonly #onAvatar: (sample: Readonly<TimedAvatar>) => void;
  /** How often states of moving bodies come. */
  readonly cadence: Cadence;
  /** True if something arrived or was delivered since the last announcement. */
  #hasNews = false;

  /**
   * @param rate ticks a second.
   * @param onUpdate gets the updates that are delivered, oldest tick first; the object is used again for the next one.
   * @param onAvatar gets the avatars that are delivered, each after the updates of its tick; to be copied.
   */
  constructor(
    rate: number,
    onUpdate: (update: BodyUpdate) => void,
    onAvatar: (sample: Readonly<TimedAvatar>) => void,
  ) {
    this.#buffer = new JitterBuffer<Batch>(rate, batch, (b) => this.#clear(b));
    this.cadence = new Cadence(rate);
    this.#onUpdate = onUpdate;
    this.#onAvatar = onAvatar;
  }

  /** Drops all that waits. How often states come is not forgotten. */
  reset(): void {
    this.#buffer.reset();
  }

  /** Copies an update of a body; its tick decides when it is due. */
  addUpdate(update: Readonly<BodyUpdate>): void {
    const into = this.#buffer.at(update.tick, this.#deliverUpdates);
    const { updates } = into;
    this.#hasNews = true;
    if (!into.moves && update.kind === 'motion' && moves(update.state)) {
      into.moves = true;
      into.tick = update.tick;
    }
    // One state for each body and tick, or a flood would fill the memory.
    const place = this.#placeOf(update.body, into);
    if (place < into.count && this.#pool.bodyIn(updates[place]) === update.body) {
      this.#pool.keepNewer(updates[place], update);
      return;
    }
    for (let i = into.count++; i > place; i--) updates[i] = updates[i - 1];
    updates[place] = this.#pool.take(update);
  }

  /** The place of the first update in a batch that is not of a lower body. Packets have bodies in ascending order, too. */
  #placeOf(body: BodyId, { updates, count }: Batch): number {
    if (count === 0 || this.#pool.bodyIn(updates[count - 1]) < body) return count;
    let low = 0;
    for (let high = count - 1; low < high;) {
      const middle = (low + high) >> 1;
      if (this.#pool.bodyIn(updates[middle]) < body) low = middle + 1;
      else high = middle;
    }
    return low;
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

  /**
   * Announces the updates that wait, those that are due first. Does nothing if that is what was announced last.
   * @param position of the playout clock: what is due by then was delivered.
   * @param announce gets each update; the object is used again for the next one.
   */
  announce(position: number, announce: Announce): void {
    if (!this.#hasNews) return;
    this.#hasNews = false;
    const now = Math.floor(position);
    for (let tick = now + 1; tick <= this.newest; tick++) {
      const waiting = this.#buffer.peek(tick);
      if (waiting === null) continue;
      for (let i = 0; i < waiting.count; i++) {
        this.#pool.read(waiting.updates[i], this.#update);
        announce(this.#update, tick - now, this.cadence.interval);
      }
    }
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
    if (due.moves) this.cadence.due(due.tick);
    this.#deliverUpdates(due);
    this.#hasNews = true;
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
    b.moves = false;
    this.#free(b);
  }

  #free(b: Batch): void {
    for (let i = 0; i < b.count; i++) this.#pool.giveBack(b.updates[i]);
    b.count = 0;
  }
}

function batch(): Batch {
  return {
    hasAvatar: false,
    avatar: avatarSample(),
    time: 0,
    updates: [],
    count: 0,
    moves: false,
    tick: 0,
  };
}

/** True if a body is fast enough to move in the next tick, too. */
function moves(state: Int32Array): boolean {
  for (let i = STATE.linear; i < STATE.angular; i++) if (Math.abs(state[i]) > MOVING) return true;
  return false;
}
