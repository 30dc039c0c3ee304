import type { Random } from '../../../src/core/base/random.ts';
import type { Fields } from '../../../src/core/shared/field.ts';
import { field, highestOf } from '../../../src/core/shared/field.ts';
import type { SchemaDeclaration } from '../../../src/core/shared/declaration.ts';
import type { PlainAuthor } from '../../support/packets.ts';
import type { Counts, PlainShared, PlainValues } from '../../support/shared-packets.ts';
import { layoutOf } from '../../support/shared-packets.ts';
import type { EntryId } from '../../../src/core/shared/layout.ts';

/** Fields of every kind, short and long. */
const LONG: Fields = {
  small: field.number({ from: 0, to: 2 }),
  large: field.number({ from: -500, to: 500, step: 0.001 }),
  pick: field.choice(['a', 'b', 'c', 'd', 'e']),
  is: field.flag(),
  text: field.text(40),
};
const SHORT: Fields = { on: field.flag() };

/** Schemas with all groups, with some, with values alone, and with events alone. */
const SCHEMAS: readonly SchemaDeclaration[] = [
  {
    room: LONG,
    players: { host: SHORT, self: LONG },
    bodies: { host: SHORT, authority: LONG },
    events: { long: LONG, short: SHORT, bare: {} },
  },
  { players: { self: SHORT } },
  { bodies: { authority: LONG } },
  { events: { one: SHORT } },
  {},
];
/** [J4.2] The joints of a level in which some can go, or can be made. */
const JOINTS = [
  { joints: 1 },
  { joints: 300 },
  { made: { count: 3, kinds: 2 } },
  { joints: 7, made: { count: 40, kinds: 1 } },
] as const;

/** Shared state of a random packet, and its schema; nothing in most packets. */
export function randomShared(
  random: Random,
  bodies: number,
  authors: readonly PlainAuthor[],
): {
  readonly schema: SchemaDeclaration;
  readonly counts?: Omit<Counts, 'bodies'>;
  readonly shared: PlainShared;
} | null {
  if (random.chance(0.5)) return null;
  const schema = SCHEMAS[random.below(SCHEMAS.length)];
  if (random.chance(0.6)) return { schema, shared: randomSharedOf(random, schema, { bodies }, authors) };
  const counts = JOINTS[random.below(JOINTS.length)];
  return { schema, counts, shared: randomSharedOf(random, schema, { bodies, ...counts }, authors) };
}

/** Shared state of a random packet of a schema. */
export function randomSharedOf(
  random: Random,
  schema: SchemaDeclaration,
  counts: Counts,
  authors: readonly PlainAuthor[],
): PlainShared {
  if (random.chance(0.3)) return { complete: false, entries: [], events: [] };
  const layout = layoutOf(schema, counts);
  const numbers = Array.from({ length: layout.entries === 0 ? 0 : random.below(5) }, () =>
    random.below(layout.entries),
  );
  const entries = [...new Set(numbers)]
    .sort((a, b) => a - b)
    .map((entry) => ({ entry, values: randomValues(random, layout.groupOf(entry as EntryId).set.places) }));
  const hasEvents = layout.schema.events.length > 0;
  const events = hasEvents
    ? authors.flatMap((author) => randomEvents(random, schema, author)).slice(0, 32)
    : [];
  const complete = entries.length + events.length === 0 || random.chance(0.2);
  return { complete, entries, events };
}

function randomEvents(
  random: Random,
  { events = {} }: SchemaDeclaration,
  author: PlainAuthor,
): PlainShared['events'] {
  const kinds = Object.values(events);
  const made: PlainShared['events'][number][] = [];
  let tick = Math.max(0, author.tick - random.below(1000));
  let number = random.below(3);
  for (let i = random.below(4); i > 0 && tick <= author.tick && number < 8; i--) {
    const kind = random.below(kinds.length);
    const places = Object.values(kinds[kind]).map((of) => ({ field: of }));
    made.push({ slot: author.slot, tick, number, kind, values: randomValues(random, places) });
    if (random.chance(0.5)) number += 1 + random.below(2);
    else {
      tick += 1 + random.below(20);
      number = random.below(3);
    }
  }
  return made;
}

function randomValues(random: Random, places: readonly { readonly field: Fields[string] }[]): PlainValues {
  return places.map(({ field: of }) => {
    const highest = highestOf(of);
    if (of.kind !== 'text') return random.chance(0.2) ? highest : random.below(highest + 1);
    return Array.from({ length: random.below(of.bytes + 1) }, () => random.below(256));
  });
}
