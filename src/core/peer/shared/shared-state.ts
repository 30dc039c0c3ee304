import type { BodyId, Slot } from '../../base/ids.ts';
import type { Field, FieldValue, ValueOf } from '../../shared/field.ts';
import type { FieldPlace, FieldSet } from '../../shared/field-set.ts';
import { putValue, valueAt } from '../../shared/field-set.ts';
import type { EntryGroup, EntryId } from '../../shared/layout.ts';
import { entryOf } from '../../shared/layout.ts';
import type {
  BodyFields,
  EventFields,
  EventValues,
  PlayerFields,
  RoomFields,
  SchemaDeclaration,
} from '../../shared/declaration.ts';
import type { Scope } from '../../shared/schema.ts';
import type { PeerState } from '../peer-state.ts';
import type { GivenEvent, SharedWorld } from './shared-world.ts';
import type { EmitRefusal, WriteRefusal } from './shared-writes.ts';
import { refusalOf } from './shared-writes.ts';

/** The type of the value with a name. */
type ValueAt<F, Name extends keyof F> = F[Name] extends Field ? ValueOf<F[Name]> : never;

/** [E1] An event that was given out: `name` tells which one, and so the type of its values. */
export type SharedEvent<D extends SchemaDeclaration> = {
  [Name in keyof EventFields<D>]: {
    readonly name: Name;
    /** The player that emitted it. */
    readonly author: Slot;
    /** The tick to which it belongs, in its author's count. */
    readonly tick: number;
    readonly values: EventValues<D, Name>;
  };
}[keyof EventFields<D>];

/** The two acts of a peer that a SharedState asks for. @internal */
export type SharedSink = {
  write(entry: EntryId, words: Int32Array): void;
  emit(kind: number, words: Int32Array): EmitRefusal | null;
};

/** [V1.1] The values of one scope. */
class ScopeValues {
  readonly #peer: PeerState;
  readonly #shared: SharedWorld;
  readonly #scope: Scope;
  readonly #groups: readonly EntryGroup[];
  readonly #sink: SharedSink;
  readonly #count: number;

  constructor(peer: PeerState, shared: SharedWorld, scope: Scope, sink: SharedSink) {
    this.#peer = peer;
    this.#shared = shared;
    this.#sink = sink;
    this.#scope = scope;
    this.#groups = shared.layout.groups.filter((group) => group.scope === scope);
    this.#count = this.#groups[0]?.count ?? 0;
  }

  get(index: number, name: string): FieldValue {
    if (!this.#has(index)) throw new RangeError(`There is no ${this.#scope} ${index}.`);
    const group = this.#groupWith(name);
    const { layout, store } = this.#shared;
    const place = placeIn(group.set, name);
    // [V4.3] A guest that despawns a body keeps the values until the host has agreed.
    const isGone = this.#scope === 'body' && !this.#peer.bodies.exists(index as BodyId);
    return isGone
      ? valueAt(place, group.set.initial, 0)
      : valueAt(place, store.words, layout.wordOf(entryOf(group, index)));
  }

  set(index: number, name: string, value: FieldValue): WriteRefusal | null {
    const group = this.#groupWith(name);
    if (!this.#has(index)) return group.scope === 'body' ? 'no body' : 'no player';
    const { layout, store } = this.#shared;
    const entry = entryOf(group, index);
    const refusal = refusalOf(this.#peer, this.#shared, entry);
    if (refusal !== null) return refusal;
    const at = layout.wordOf(entry);
    const words = store.words.slice(at, at + group.set.words);
    if (!putValue(placeIn(group.set, name), value, words, 0)) return 'bounds';
    if (!store.has(entry, words, 0)) this.#sink.write(entry, words);
    return null;
  }

  #has(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.#count;
  }

  #groupWith(name: string): EntryGroup {
    for (const group of this.#groups) if (group.set.find(name) !== undefined) return group;
    throw new Error(`The schema has no value “${name}” here.`);
  }
}

function placeIn(set: FieldSet, name: string): FieldPlace {
  const place = set.find(name);
  if (place === undefined) throw new Error(`The schema has no value “${name}” here.`);
  return place;
}

/** [V1] The values of the room. Types follow from the schema. @template F its fields. */
export type RoomValues<F> = {
  /** The present value. A text is decoded anew in each call. */
  get<Name extends keyof F & string>(name: Name): ValueAt<F, Name>;
  /** Writes a value, at once for this peer. @returns why not; null if it is written. */
  set<Name extends keyof F & string>(name: Name, value: ValueAt<F, Name>): WriteRefusal | null;
};

/** [V1] The values of all bodies, or of all players. Types follow from the schema. @template F their fields. */
export type ThingValues<Id extends number, F> = {
  /**
   * The present value. A text is decoded anew in each call.
   * @throws RangeError if there is no such id.
   */
  get<Name extends keyof F & string>(id: Id, name: Name): ValueAt<F, Name>;
  /** Writes a value, at once for this peer. @returns why not; null if it is written. */
  set<Name extends keyof F & string>(id: Id, name: Name, value: ValueAt<F, Name>): WriteRefusal | null;
};

/**
 * [V], [E] The shared state and the events of a peer, with the types of its schema. `Peer.shared` makes it; all that it
 * makes for one peer have the same values.
 * @template D what the schema declares.
 */
export class SharedState<D extends SchemaDeclaration> {
  /** The values of the room. */
  readonly room: RoomValues<RoomFields<D>>;
  /** The values of bodies, by id. An id without a body has initial values. */
  readonly bodies: ThingValues<BodyId, BodyFields<D>>;
  /** The values of players, by slot. A slot without a player has initial values. */
  readonly players: ThingValues<Slot, PlayerFields<D>>;
  readonly #shared: SharedWorld;
  readonly #sink: SharedSink;

  /** @internal */
  constructor(peer: PeerState, shared: SharedWorld, sink: SharedSink) {
    const values = (scope: Scope): ScopeValues => new ScopeValues(peer, shared, scope, sink);
    const [room, bodies, players] = [values('room'), values('body'), values('player')];
    // Values are looked up by name; that their types are the schema's is known here alone.
    this.room = {
      get: (name) => room.get(0, name),
      set: (name, value) => room.set(0, name, value),
    } as typeof this.room;
    this.bodies = {
      get: (body, name) => bodies.get(body, name),
      set: (body, name, value) => bodies.set(body, name, value),
    } as typeof this.bodies;
    this.players = {
      get: (slot, name) => players.get(slot, name),
      set: (slot, name, value) => players.set(slot, name, value),
    } as typeof this.players;
    this.#shared = shared;
    this.#sink = sink;
  }

  /**
   * [E1] Emits an event in the next tick: this peer gives it out in that tick, all others with the poses of that tick.
   * @returns why not; null if it does.
   */
  emit<Name extends keyof EventFields<D> & string>(
    name: Name,
    values: EventValues<D, Name>,
  ): EmitRefusal | null {
    const { events } = this.#shared.layout.schema;
    const kind = events.findIndex((event) => event.name === name);
    if (kind < 0) throw new Error(`The schema has no event “${name}”.`);
    const { set } = events[kind];
    const words = Int32Array.from(set.initial);
    const given: Readonly<Record<string, FieldValue | undefined>> = values;
    for (const place of set.places) {
      const value = given[place.name];
      if (value === undefined || !putValue(place, value, words, 0)) return 'bounds';
    }
    return this.#sink.emit(kind, words);
  }

  /** [E1.2] The events of the present tick, those of each author in order. The list is empty after the next tick. */
  events(): readonly SharedEvent<D>[] {
    const { given } = this.#shared;
    return given.length === 0 ? NONE : given.map((event) => this.#read(event));
  }

  #read({ author, tick, kind, words }: GivenEvent): SharedEvent<D> {
    const { name, set } = this.#shared.layout.schema.events[kind];
    const values = Object.fromEntries(set.places.map((place) => [place.name, valueAt(place, words, 0)]));
    return { name, author, tick, values } as SharedEvent<D>;
  }
}

const NONE: readonly never[] = [];
