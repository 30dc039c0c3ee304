import { MAX_PLAYERS } from '../base/constants.ts';
import type { FieldSet } from './field-set.ts';
import type { SchemaGroup, SharedSchema } from './schema.ts';

/** The number of an entry: the values of the room, a body or a player that one writer writes. They travel together. */
export type EntryId = number & { readonly brand: 'EntryId' };

/** The entries of a group: one for each of its things. */
export type EntryGroup = SchemaGroup & {
  /** The entry of its first thing; those of the others follow. */
  readonly first: number;
  readonly count: number;
  /** The first word of its first entry. */
  readonly firstWord: number;
};

/** A group of entries of joints [J4.2], and how many it has. */
export type JointGroup = { readonly group: SchemaGroup; readonly count: number };

/** The entries of a world, and where their words lie. Joints come first; players come before bodies, which are many. */
export class SharedLayout {
  readonly schema: SharedSchema;
  readonly groups: readonly EntryGroup[];
  /** [J4.2] The joints, which have the first entries; 0 if none of the level can go, or be made. */
  readonly joints: number;
  /** How many entries there are. */
  readonly entries: number;
  /** Words of all entries. */
  readonly words: number;
  /** Words of the longest entry, and of the longest event. */
  readonly mostWords: number;
  readonly mostEventWords: number;
  /** For each entry the index of its group. */
  readonly #groupOf: Uint8Array;

  /**
   * @param bodies in the world.
   * @param joints the groups of joints, and how many joints each has.
   */
  constructor(schema: SharedSchema, bodies: number, joints: readonly JointGroup[] = []) {
    const counts = { joint: 0, room: 1, player: MAX_PLAYERS, body: bodies } as const;
    const others = schema.groups.map((group): JointGroup => ({ group, count: counts[group.scope] }));
    let first = 0;
    let firstWord = 0;
    this.schema = schema;
    this.joints = joints.reduce((sum, { count }) => sum + count, 0);
    this.groups = [...joints, ...others].map(({ group, count }) => {
      const at = { ...group, first, firstWord, count };
      first += count;
      firstWord += count * group.set.words;
      return at;
    });
    this.entries = first;
    this.words = firstWord;
    this.mostWords = longest(this.groups);
    this.mostEventWords = longest(schema.events);
    this.#groupOf = new Uint8Array(first);
    this.groups.forEach((group, i) => this.#groupOf.fill(i, group.first, group.first + group.count));
  }

  /** The group of an entry. */
  groupOf(entry: EntryId): EntryGroup {
    return this.groups[this.#groupOf[entry]];
  }

  /** The first word of an entry. */
  wordOf(entry: EntryId): number {
    const { first, firstWord, set } = this.groupOf(entry);
    return firstWord + (entry - first) * set.words;
  }
}

function longest(sets: readonly { readonly set: FieldSet }[]): number {
  return sets.reduce((most, { set }) => Math.max(most, set.words), 0);
}

/** The entry of a thing in a group. @param index 0 for the room; a slot, or a body. */
export function entryOf({ first }: EntryGroup, index: number): EntryId {
  return (first + index) as EntryId;
}
