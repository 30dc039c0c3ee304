import { sha256 } from '../base/sha256.ts';
import type { SchemaDeclaration } from './declaration.ts';
import type { Fields } from './field.ts';
import { FieldSet } from './field-set.ts';
import { faultsOfSchema } from './schema-faults.ts';

/** A kind of event. */
export type EventKindOf = { readonly name: string; readonly set: FieldSet };

/** The writer of an entry [V2]; of a joint, who simulates its ends. */
export type Writer = 'host' | 'authority' | 'self' | 'simulator';
/** The kinds of things that have values. */
export type Scope = 'joint' | 'room' | 'body' | 'player';
/** The values of a scope that one writer writes: they travel together. */
export type SchemaGroup = { readonly scope: Scope; readonly writer: Writer; readonly set: FieldSet };

/** 80 bits: nobody finds another schema with the same hash by chance. */
const HASH_DIGITS = 20;

/**
 * [V1] A schema without faults; `sharedSchema` makes it. All peers of a room have the same.
 * @template D what was declared: the types of values follow from it.
 */
export class SharedSchema<D extends SchemaDeclaration = SchemaDeclaration> {
  readonly declaration: D;
  /** [V1.3] Hexadecimal digits; schemas with another name, order, range or writer anywhere have another hash. */
  readonly hash: string;
  /** The groups that have fields, in the order in which they travel. @internal */
  readonly groups: readonly SchemaGroup[];
  /** The kinds of events, in the order in which they were declared. @internal */
  readonly events: readonly EventKindOf[];

  /** @throws RangeError with a sentence for each fault, a line each. @internal */
  constructor(declaration: D) {
    const faults = faultsOfSchema(declaration);
    if (faults.length > 0) throw new RangeError(faults.join('\n'));
    const { room, bodies, players, events } = declaration;
    this.declaration = declaration;
    this.groups = [
      group('room', 'host', room),
      group('player', 'host', players?.host),
      group('player', 'self', players?.self),
      group('body', 'host', bodies?.host),
      group('body', 'authority', bodies?.authority),
    ].filter(({ set }) => set.places.length > 0);
    this.events = Object.entries(events ?? {}).map(([name, fields]) => ({ name, set: new FieldSet(fields) }));
    const plain = [
      this.groups.map(({ scope, writer, set }) => [scope, writer, set.declared]),
      this.events.map(({ name, set }) => [name, set.declared]),
    ];
    this.hash = sha256(JSON.stringify(plain)).slice(0, HASH_DIGITS);
  }
}

/** True for a text that can be a schema's hash. */
export function isSchemaHash(text: string): boolean {
  return text.length === HASH_DIGITS && /^[0-9a-f]*$/.test(text);
}

/**
 * Declares what the players of a room share. Every peer of the room is given the same.
 * @throws RangeError with a sentence for each fault [V1.2], a line each.
 */
export function sharedSchema<const D extends SchemaDeclaration>(declaration: D): SharedSchema<D> {
  return new SharedSchema(declaration);
}

/** [J4.2] Whether a joint of the level is gone. No schema declares it. */
export const JOINT_GROUP: SchemaGroup = group('joint', 'simulator', { isGone: { kind: 'flag' } });
/** The schema of peers that have none. */
export const NO_SCHEMA = new SharedSchema({});

function group(scope: Scope, writer: Writer, fields: Fields = {}): SchemaGroup {
  return { scope, writer, set: new FieldSet(fields) };
}
