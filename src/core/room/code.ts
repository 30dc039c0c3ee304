import type { Random } from '../base/random.ts';

declare const brand: unique symbol;
/** What friends tell each other to meet: five letters. It leads to the present host of a room. */
export type RoomCode = string & { readonly [brand]: 'RoomCode' };

/** No two of these are taken for each other, written or read aloud in a noisy room, as far as letters allow. */
export const ROOM_CODE_LETTERS = 'ACDEFGHJKMNPQRTUVWXY';
/** 3.2 million rooms: few enough letters to remember, too many codes to come upon by chance. */
export const ROOM_CODE_LENGTH = 5;

/** What the ids of rooms' doors at a broker begin with, so that they can't be mistaken for others' at a shared one. */
export const DOOR_PREFIX = 'handover-';

const CODE = new RegExp(`^[${ROOM_CODE_LETTERS}]{${ROOM_CODE_LENGTH}}$`);

export function randomRoomCode(random: Random): RoomCode {
  return Array.from(
    { length: ROOM_CODE_LENGTH },
    () => ROOM_CODE_LETTERS[random.below(ROOM_CODE_LETTERS.length)],
  ).join('') as RoomCode;
}

/** Reads a code as a person types it, in small letters or with spaces and dashes; null if it is none. */
export function readRoomCode(text: string): RoomCode | null {
  const letters = text.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return CODE.test(letters) ? (letters as RoomCode) : null;
}
