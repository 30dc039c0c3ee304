import type { Fields, ValuesOf } from './field.ts';

/** [V1.1] Declares the values that players share besides bodies, who writes them, and the events. Each part may be left out. */
export type SchemaDeclaration = {
  /** Values of the room; the host writes them. */
  readonly room?: Fields;
  /** Values of each body. */
  readonly bodies?: {
    /** The host writes these. */
    readonly host?: Fields;
    /** The player that has the body writes these; the host, if nobody has it. */
    readonly authority?: Fields;
  };
  /** Values of each player. */
  readonly players?: {
    /** The host writes these. */
    readonly host?: Fields;
    /** The player itself writes these. */
    readonly self?: Fields;
  };
  /** The values of each kind of event. Everybody may emit all of them. */
  readonly events?: { readonly [name: string]: Fields };
};

/** No values. */
type None = Record<never, never>;
/** The fields that an object has under a name. */
type At<Parts, Name extends string> = Parts extends { readonly [Each in Name]: infer F extends Fields }
  ? F
  : None;
/** The fields of the room. */
export type RoomFields<D extends SchemaDeclaration> = At<D, 'room'>;
/** The fields of a body, whoever writes them. */
export type BodyFields<D extends SchemaDeclaration> = At<D['bodies'], 'host'> & At<D['bodies'], 'authority'>;
/** The fields of a player, whoever writes them. */
export type PlayerFields<D extends SchemaDeclaration> = At<D['players'], 'host'> & At<D['players'], 'self'>;
/** The kinds of events, by name. */
export type EventFields<D extends SchemaDeclaration> = D extends {
  readonly events: infer E extends { readonly [name: string]: Fields };
}
  ? E
  : None;
/** The values of an event of this name. */
export type EventValues<
  D extends SchemaDeclaration,
  Name extends keyof EventFields<D>,
> = EventFields<D>[Name] extends Fields ? ValuesOf<EventFields<D>[Name]> : never;
