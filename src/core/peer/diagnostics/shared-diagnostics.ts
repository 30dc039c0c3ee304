import type { Slot } from '../../base/ids.ts';
import { entryOf } from '../../shared/layout.ts';
import type { Author } from '../author.ts';
import type { SharedWorld } from '../shared/shared-world.ts';
import type { Numbers } from './bodies-diagnostics.ts';

/** An event as it was given out: its author, its tick, its place in the schema, and the words of its values. */
export type GivenDiagnostics = {
  readonly author: Slot;
  readonly tick: number;
  readonly kind: number;
  readonly words: Numbers;
};

/** [V], [E] The shared state and the events of one peer, to be read. */
export class SharedDiagnostics {
  readonly #shared: SharedWorld;
  readonly #authors: readonly Author[];

  /** @param shared of one peer, for as long as that lives. @internal */
  constructor(shared: SharedWorld, authors: readonly Author[]) {
    this.#shared = shared;
    this.#authors = authors;
  }

  /** [E1.2] The events of the present tick. */
  get given(): readonly GivenDiagnostics[] {
    return this.#shared.given;
  }

  /** The newest event of an author that has come, as its tick times eight plus its number in the tick; -1: none. */
  newestEvent(of: Slot): number {
    return this.#shared.eventsOf(of)?.newest ?? -1;
  }

  /** [E1.3] The tick of an author from which this peer gives out its events. */
  firstTickOf(author: Slot): number {
    return this.#authors[author].firstTick;
  }

  /** [I10] The entries of which another peer has other values, in words; empty if there are none. */
  differences(other: SharedDiagnostics): string[] {
    const { layout, store } = this.#shared;
    const found: string[] = [];
    for (const group of layout.groups)
      for (let i = 0; i < group.count; i++) {
        const entry = entryOf(group, i);
        if (!other.#shared.store.has(entry, store.words, layout.wordOf(entry)))
          found.push(`${group.scope} ${i} by ${group.writer}`);
      }
    return found;
  }
}
