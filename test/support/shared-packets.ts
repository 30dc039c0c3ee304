import { stampOf, tickOfStamp } from '../../src/core/shared/author-events.ts';
import type { FieldSet } from '../../src/core/shared/field-set.ts';
import { byteAt, putByte } from '../../src/core/shared/field-set.ts';
import type { EntryId } from '../../src/core/shared/layout.ts';
import { SharedLayout } from '../../src/core/shared/layout.ts';
import type { SchemaDeclaration } from '../../src/core/shared/declaration.ts';
import { JOINT_GROUP, sharedSchema } from '../../src/core/shared/schema.ts';
import { madeGroup } from '../../src/core/peer/joints/made-joints.ts';
import { SharedPart } from '../../src/core/wire/shared/shared-part.ts';

/** Numbers as they travel; the bytes of a text. */
export type PlainValues = readonly (number | readonly number[])[];

/** The shared state and the events of a packet, as plain data. */
export type PlainShared = {
  readonly complete: boolean;
  readonly entries: readonly { readonly entry: number; readonly values: PlainValues }[];
  readonly events: readonly {
    readonly slot: number;
    readonly tick: number;
    readonly number: number;
    readonly kind: number;
    readonly values: PlainValues;
  }[];
};

/** A layout for each schema and number of bodies and joints: to make one takes longer than a packet. */
const layouts = new WeakMap<SchemaDeclaration, Map<string, SharedLayout>>();

/** The things that have entries besides those of a schema. */
export type Counts = {
  readonly bodies: number;
  /** [J4.2] Joints of the level that have entries; none if left out. Without a schema they count with an empty one. */
  readonly joints?: number;
  /** [J5.2] Joints that players may make, and of how many kinds; none if left out. */
  readonly made?: { readonly count: number; readonly kinds: number };
};

export function layoutOf(schema: SchemaDeclaration, { bodies, joints = 0, made }: Counts): SharedLayout {
  const known = layouts.get(schema) ?? new Map<string, SharedLayout>();
  layouts.set(schema, known);
  const key = JSON.stringify([bodies, joints, made]);
  const groups = [
    { group: JOINT_GROUP, count: joints },
    { group: madeGroup(bodies, made?.kinds ?? 0), count: made?.count ?? 0 },
  ].filter(({ count }) => count > 0);
  const layout = known.get(key) ?? new SharedLayout(sharedSchema(schema), bodies, groups);
  known.set(key, layout);
  return layout;
}

/** A part with this content, as a writer has it. */
export function sharedPart(layout: SharedLayout, plain: PlainShared): SharedPart {
  const part = new SharedPart(layout);
  part.isComplete = plain.complete;
  for (const { entry, values } of plain.entries) {
    part.entries[part.entryCount] = entry;
    const { set } = layout.groupOf(entry as EntryId);
    putValues(set, values, part.words, part.entryCount++ * layout.mostWords);
  }
  for (const { slot, tick, number, kind, values } of plain.events) {
    const at = part.eventCount++;
    part.authors[at] = slot;
    part.stamps[at] = stampOf(tick, number);
    part.kinds[at] = kind;
    putValues(layout.schema.events[kind].set, values, part.eventWords, at * layout.mostEventWords);
  }
  return part;
}

/** The content of a part that was read. */
export function plainShared(part: SharedPart): PlainShared {
  const { layout } = part;
  return {
    complete: part.isComplete,
    entries: Array.from({ length: part.entryCount }, (_, i) => ({
      entry: part.entries[i],
      values: valuesOf(layout.groupOf(part.entries[i] as EntryId).set, part.words, i * layout.mostWords),
    })),
    events: Array.from({ length: part.eventCount }, (_, i) => ({
      slot: part.authors[i],
      tick: tickOfStamp(part.stamps[i]),
      number: part.stamps[i] - stampOf(tickOfStamp(part.stamps[i]), 0),
      kind: part.kinds[i],
      values: valuesOf(layout.schema.events[part.kinds[i]].set, part.eventWords, i * layout.mostEventWords),
    })),
  };
}

function putValues(set: FieldSet, values: PlainValues, words: Int32Array, from: number): void {
  set.places.forEach(({ at }, i) => {
    const value = values[i];
    words[from + at] = typeof value === 'number' ? value : value.length;
    if (typeof value !== 'number') value.forEach((byte, b) => putByte(words, from + at + 1, b, byte));
  });
}

function valuesOf(set: FieldSet, words: Int32Array, from: number): PlainValues {
  return set.places.map(({ field, at }) => {
    const number = words[from + at];
    if (field.kind !== 'text') return number;
    return Array.from({ length: number }, (_, b) => byteAt(words, from + at + 1, b));
  });
}
