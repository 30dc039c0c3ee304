import type { EntryGroup, EntryId, SharedLayout } from './layout.ts';
import { entryOf } from './layout.ts';

/** [V3] The values of all entries, as a peer has them, and how often each has changed. */
export class SharedStore {
  readonly layout: SharedLayout;
  /** The words of all entries: `layout.wordOf` says where those of each begin. */
  readonly words: Int32Array;
  /** For each entry how often it was written here; 0 if it still has its initial values. */
  readonly versions: Int32Array;
  /** [V3.4] Guest: 1 for an entry of which the present host has said nothing yet. */
  readonly stale: Uint8Array;

  /** All values are the initial ones. */
  constructor(layout: SharedLayout) {
    this.layout = layout;
    this.words = new Int32Array(layout.words);
    this.versions = new Int32Array(layout.entries);
    this.stale = new Uint8Array(layout.entries);
    for (const group of layout.groups)
      for (let i = 0; i < group.count; i++) this.words.set(group.set.initial, this.#wordOf(group, i));
  }

  #wordOf({ firstWord, set }: EntryGroup, index: number): number {
    return firstWord + index * set.words;
  }

  /** True if an entry has these values. @param from where they begin in `words`. */
  has(entry: EntryId, words: Int32Array, from: number): boolean {
    const at = this.layout.wordOf(entry);
    const count = this.layout.groupOf(entry).set.words;
    for (let i = 0; i < count; i++) if (this.words[at + i] !== words[from + i]) return false;
    return true;
  }

  /**
   * Takes over the values of an entry.
   * @param from where they begin in `words`.
   * @returns true if one of them differs from before.
   */
  write(entry: EntryId, words: Int32Array, from: number): boolean {
    if (this.has(entry, words, from)) return false;
    const at = this.layout.wordOf(entry);
    const count = this.layout.groupOf(entry).set.words;
    for (let i = 0; i < count; i++) this.words[at + i] = words[from + i];
    this.versions[entry]++;
    return true;
  }

  /** Gives an entry its initial values. @returns true if it had others. */
  clear(entry: EntryId): boolean {
    return this.write(entry, this.layout.groupOf(entry).set.initial, 0);
  }

  /** [V4.1] The room and all bodies have their initial values again, as if nobody had ever written them. */
  restart(): void {
    for (const group of this.layout.groups) {
      if (group.scope === 'player') continue;
      for (let i = 0; i < group.count; i++) {
        const entry = entryOf(group, i);
        if (this.versions[entry] === 0) continue;
        this.words.set(group.set.initial, this.#wordOf(group, i));
        this.versions[entry] = 0;
      }
    }
  }
}
