import type { Random } from '../base/random.ts';

declare const brand: unique symbol;
/** The five letters that friends tell each other to meet. They lead to the present host of a room. */
export type RoomCode = string & { readonly [brand]: 'RoomCode' };

/** Letters that are hard to mistake for each other, written or read aloud in a noisy room. */
export const ROOM_CODE_LETTERS = 'ACDEFGHJKMNPQRTUVWXY';
/** Letters in a code. It makes 3.2 million rooms: few letters to remember, and too many codes to guess one. */
export const ROOM_CODE_LENGTH = 5;

/** The id of every room's door begins with this, so that it can't be mistaken for another program's at a shared broker. */
export const DOOR_PREFIX = 'handover-';

const CODE = new RegExp(`^[${ROOM_CODE_LETTERS}]{${ROOM_CODE_LENGTH}}$`);

/** @returns a code drawn from `random`, each with the same chance. */
export function randomRoomCode(random: Random): RoomCode {
  return Array.from(
    { length: ROOM_CODE_LENGTH },
    () => ROOM_CODE_LETTERS[random.below(ROOM_CODE_LETTERS.length)],
  ).join('') as RoomCode;
}

/** Reads a code as a person types it, in small letters or with spaces and dashes; null if it is no code. */
export function readRoomCode(text: string): RoomCode | null {
  const letters = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return CODE.test(letters) ? (letters as RoomCode) : null;
}
