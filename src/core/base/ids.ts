import { MAX_BODIES, MAX_PLAYERS } from './constants.ts';

/**
 * Branded numbers, so that the compiler does not take a slot for a body or a tick. At run time they are plain numbers,
 * also in typed arrays. "None" is -1 everywhere.
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
/** [H6.5] The number of one connection between two peers; of one host, a newer connection has a newer number. */
export type ConnectionId = Branded<'ConnectionId'>;

/** [S1] Whether a body of an id exists, and which: see world/existence.ts. */
export type Existence = Branded<'Existence'>;

/** No slot: no player has authority over the body (it is drawn white). */
export const NO_SLOT = -1 as Slot;
/** No body. */
export const NO_BODY = -1 as BodyId;

/** A slot by its number. @throws RangeError unless it is a whole number, 0 to MAX_PLAYERS - 1. */
export function toSlot(number: number): Slot {
  return checked(number, MAX_PLAYERS, 'A slot') as Slot;
}

/** A body by its number. @throws RangeError unless it is a whole number, 0 to MAX_BODIES - 1. */
export function toBody(number: number): BodyId {
  return checked(number, MAX_BODIES, 'A body') as BodyId;
}

/** A connection by its number. @throws RangeError unless it is a whole number, 0 to 2 ** 31 - 1. */
export function toConnection(number: number): ConnectionId {
  return checked(number, 2 ** 31, 'A connection') as ConnectionId;
}

function checked(number: number, count: number, name: string): number {
  if (Number.isInteger(number) && number >= 0 && number < count) return number;
  throw new RangeError(`${name} is a whole number from 0 to ${count - 1}, not ${number}.`);
}

/** One of a player's two hands. */
export type HandSide = 0 | 1;
export const LEFT: HandSide = 0;
export const RIGHT: HandSide = 1;
export const HAND_SIDES: readonly HandSide[] = [LEFT, RIGHT];

/**
 * How the player with authority holds a body: 0 not, 1 in the left hand, 2 in the right, 3 without a hand: it keeps
 * it [A12]. Stored in a Uint8Array.
 */
export type Hold = 0 | 1 | 2 | 3;
export const NOT_HELD: Hold = 0;
export const KEPT: Hold = 3;

/** True for a hold of one of the two hands. */
export function isInHand(hold: number): boolean {
  return hold !== NOT_HELD && hold !== KEPT;
}

/** The hold that means this hand. */
export function holdOf(side: HandSide): Hold {
  return side === LEFT ? 1 : 2;
}
