/** [E3.3] Events that a peer keeps of each author: six seconds of the most that an author may emit. */
const KEPT_EVENTS = 128;
/** [E3.1] Events of an author in one tick, at most: three bits count them. */
export const EVENTS_A_TICK = 8;

/**
 * The place of an event among all of its author: its tick, and its number within the tick. Greater ones are later. It
 * is a whole number below 2^33.
 */
export function stampOf(tick: number, number: number): number {
  return tick * EVENTS_A_TICK + number;
}

/** The tick of a stamp; of -1 it is -1. */
export function tickOfStamp(stamp: number): number {
  return Math.floor(stamp / EVENTS_A_TICK);
}

/**
 * The newest events of one author, in order: those that wait until their tick is shown, and those that others may not
 * have yet. All memory is allocated once.
 */
export class AuthorEvents {
  readonly #words: number;
  readonly #stamps = new Float64Array(KEPT_EVENTS);
  readonly #kinds = new Uint8Array(KEPT_EVENTS);
  readonly #values: Int32Array;
  /** Events that were ever added. */
  #added = 0;
  /** Events that were given out, of those. */
  #given = 0;
  /** The stamp of the newest event that has come, kept or not; -1 before the first. */
  newest = -1;

  /** @param words of the longest event. */
  constructor(words: number) {
    this.#words = words;
    this.#values = new Int32Array(words * KEPT_EVENTS);
  }

  /** The author has left. */
  clear(): void {
    this.#added = 0;
    this.#given = 0;
    this.newest = -1;
  }

  /** Adds an event that is newer than all before. @param from where its values begin in `values`. */
  add(stamp: number, kind: number, values: Int32Array, from: number, count: number): void {
    const place = this.#added % KEPT_EVENTS;
    this.newest = stamp;
    this.#stamps[place] = stamp;
    this.#kinds[place] = kind;
    for (let i = 0; i < count; i++) this.#values[place * this.#words + i] = values[from + i];
    this.#added++;
    // An event that was never shown, because its author's clock ran ahead, gives way.
    if (this.#added - this.#given > KEPT_EVENTS) this.#given = this.#added - KEPT_EVENTS;
  }

  /** Passes over an event: it counts as had. */
  pass(stamp: number): void {
    this.newest = stamp;
  }

  /** The index of the oldest event that is kept; indices go up to `end`. */
  get begin(): number {
    return Math.max(0, this.#added - KEPT_EVENTS);
  }

  /** The index after the newest event. */
  get end(): number {
    return this.#added;
  }

  /** The stamp of the newest event that is kept; -1 if there is none. */
  get newestKept(): number {
    return this.#added === 0 ? -1 : this.stamp(this.#added - 1);
  }

  /** The stamp of a kept event. */
  stamp(index: number): number {
    return this.#stamps[index % KEPT_EVENTS];
  }

  /** The kind of a kept event. */
  kind(index: number): number {
    return this.#kinds[index % KEPT_EVENTS];
  }

  /** Where the values of a kept event begin in `values`. */
  wordOf(index: number): number {
    return (index % KEPT_EVENTS) * this.#words;
  }

  /** The values of all kept events. */
  get values(): Int32Array {
    return this.#values;
  }

  /** The index of the next event that is due at a tick, which counts as given out from now on; -1 if there is none. */
  takeDue(tick: number): number {
    if (this.#given === this.#added || tickOfStamp(this.stamp(this.#given)) > tick) return -1;
    return this.#given++;
  }
}
