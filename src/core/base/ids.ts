/**
 * Branded numbers, so that a slot is never taken for a body or a tick. They cost nothing at run time.
 * In typed arrays they are stored as they are; "none" is -1 everywhere.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** Index of a body in the world, 0 to count - 1. */
export type BodyId = Branded<'BodyId'>;
/** A player's number in the room, 0 to MAX_PLAYERS - 1. */
export type Slot = Branded<'Slot'>;
/** One physics step of one peer, counted from 0 by that peer alone. */
export type Tick = Branded<'Tick'>;
/** A wrapping 16-bit counter: of packets, of ownership, of authority. */
export type Sequence = Branded<'Sequence'>;
/** The number of one connection between two peers; a newer connection has a newer number. */
export type ConnectionId = Branded<'ConnectionId'>;

/** No slot: a body under no player's authority (drawn white). */
export const NO_SLOT = -1 as Slot;
/** No body. */
export const NO_BODY = -1 as BodyId;

/** A player's two hands. */
export type HandSide = 0 | 1;
export const LEFT: HandSide = 0;
export const RIGHT: HandSide = 1;
export const HAND_SIDES: readonly HandSide[] = [LEFT, RIGHT];

/** Which hand of the player in authority holds a body. Stored in a Uint8Array. */
export type Hold = 0 | 1 | 2;
export const NOT_HELD: Hold = 0;

/** The hold of one hand. */
export function holdOf(side: HandSide): Hold {
  return side === LEFT ? 1 : 2;
}
