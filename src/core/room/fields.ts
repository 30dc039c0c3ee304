import { DEDICATED_SLOT, MAX_ROOM_PLAYERS } from '../base/constants.ts';
import type { Slot } from '../base/ids.ts';

/**
 * Characters in the longest message that is read. A roster of eight people with keys is mostly under 3,000; a
 * welcome with the longest names, ids and lineage that are believed, and a dedicated host, has 17,405.
 */
export const MAX_MESSAGE_LENGTH = 18_432;

/** A message, or a part of one, that nobody has checked. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads JSON that anybody may have written. Never throws.
 * @param most characters that are read at most; a longer text is refused unread.
 * @returns null if the text is longer, or no JSON object.
 */
export function parseFields(text: string, most = MAX_MESSAGE_LENGTH): Fields | null {
  if (text.length > most) return null;
  try {
    return asFields(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns null unless it is an object. */
export function asFields(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** @returns null unless it is a whole number, `low` to `high`. */
export function whole(value: unknown, low: number, high: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/** @returns null unless it is a text of at most `most` characters. */
export function string(value: unknown, most: number): string | null {
  return typeof value === 'string' && value.length <= most ? value : null;
}

/**
 * @returns null unless it is a text of at most `most` letters, digits, spaces, dots, dashes and underscores. JSON and
 * addresses escape none of these, so a text that fits when it is read also fits when it is written.
 */
export function plainText(value: unknown, most: number): string | null {
  const text = string(value, most);
  return text === null || /[^A-Za-z0-9 ._-]/.test(text) ? null : text;
}

/** @returns null unless it is one of `values`. */
export function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | null {
  return values.find((known) => known === value) ?? null;
}

/** Reads one of the first slots, whose colours people choose: 0 to MAX_ROOM_PLAYERS − 1; null if it is none. */
export function readColour(value: unknown): Slot | null {
  return whole(value, 0, MAX_ROOM_PLAYERS - 1) as Slot | null;
}

/** Reads the slot of a person or of a dedicated host; null if it is none. */
export function readSlot(value: unknown): Slot | null {
  return whole(value, 0, DEDICATED_SLOT) as Slot | null;
}
