import type { Slot } from '../../base/ids.ts';
import { MAX_BODIES, MAX_PLAYERS } from '../../base/constants.ts';
import { capacityOf } from '../../world/existence.ts';
import type { Level } from '../../world/level.ts';
import type { LevelReference, LevelSource } from '../../world/level-reference.ts';
import { isSameReference, openLevel } from '../../world/level-reference.ts';

/** Ids of bodies in all levels that are opened for a recording: to make a level and its hash takes a while. */
const MOST_IDS = 16 * MAX_BODIES;
/** Ids for which a level counts at least: its ground takes a while, too. */
const LEAST_IDS = 256;

/**
 * [F1.11] Opens the levels of a recording, and keeps the one in which each peer plays. A few bytes of a file may ask for
 * any number of levels.
 */
export class RecordedLevels {
  readonly #source: LevelSource;
  readonly #kept: ({ readonly reference: LevelReference; readonly level: Level } | null)[] =
    Array<null>(MAX_PLAYERS).fill(null);
  #left = MOST_IDS;

  /** @param source the levels that this page has. */
  constructor(source: LevelSource) {
    this.#source = source;
  }

  /**
   * Opens the level of a peer that begins, in place of that of the peer before it in its slot.
   * @returns null if the source has no such level, or if the recording has opened too many.
   */
  open(slot: Slot, reference: LevelReference): Level | null {
    const known = this.#kept.find((kept) => kept !== null && isSameReference(kept.reference, reference));
    const level = known?.level ?? this.#make(reference);
    if (level !== null) this.#kept[slot] = { reference, level };
    return level;
  }

  #make(reference: LevelReference): Level | null {
    if (this.#left <= 0) return null;
    const level = openLevel(reference, this.#source);
    this.#left -= Math.max(LEAST_IDS, level === null ? 0 : capacityOf(level));
    return level;
  }

  /** The level in which a slot's peer plays; null if no peer has begun there. */
  of(slot: Slot): Level | null {
    return this.#kept[slot]?.level ?? null;
  }
}
