import { bitsFor } from '../base/bits.ts';
import { decodeText, encodeText } from '../base/text.ts';
import type { Field, Fields, FieldValue } from './field.ts';
import { highestOf, WORD_BYTES, wordsFor } from './field.ts';

/** A field, its place among the words of an entry, and the greatest number that stands for its value. */
export type FieldPlace = {
  readonly name: string;
  readonly field: Field;
  readonly at: number;
  readonly highest: number;
};

/**
 * Fields whose values are stored and sent together, as 32-bit words. Each value has a word for its number. For a text
 * that is its length, and its bytes follow, four to a word, the lowest first. Bytes that a text does not have are 0.
 */
export class FieldSet {
  readonly places: readonly FieldPlace[];
  /** Words of one set of values. */
  readonly words: number;
  /** The words of the initial values. */
  readonly initial: Int32Array;
  readonly #byName: ReadonlyMap<string, FieldPlace>;

  /** @param fields without a fault. */
  constructor(fields: Fields) {
    let words = 0;
    this.places = Object.entries(fields).map(([name, of]) => {
      const at = words;
      words += wordsFor(of);
      return { name, field: of, at, highest: highestOf(of) };
    });
    this.words = words;
    this.#byName = new Map(this.places.map((place) => [place.name, place]));
    this.initial = new Int32Array(words);
    for (const { field, at } of this.places)
      if (field.kind === 'number') this.initial[at] = numberOf(field, field.initial);
  }

  /** All that must be alike at both ends, in plain lists. */
  get declared(): readonly (readonly unknown[])[] {
    return this.places.map(({ name, field }) => [
      name,
      Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  }

  /** True if these are all words of possible values, from a file. */
  allows(words: Int32Array): boolean {
    if (words.length !== this.words) return false;
    return this.places.every(({ field, at, highest }) => {
      if (words[at] < 0 || words[at] > highest) return false;
      if (field.kind !== 'text') return true;
      const room = (wordsFor(field) - 1) * WORD_BYTES;
      for (let i = words[at]; i < room; i++) if (byteAt(words, at + 1, i) !== 0) return false;
      return true;
    });
  }

  /** The bits of values on the wire. @param from where they begin in `words`. */
  bitsOf(words: Int32Array, from: number): number {
    let bits = 0;
    for (const { field, at, highest } of this.places)
      bits += bitsFor(highest) + (field.kind === 'text' ? 8 * words[from + at] : 0);
    return bits;
  }

  /** A field by its name; undefined if there is none. */
  find(name: string): FieldPlace | undefined {
    return this.#byName.get(name);
  }
}

/** The number that stands for a value; NaN if the field can't have it. */
function numberOf(field: Field, value: FieldValue): number {
  switch (field.kind) {
    case 'number': {
      const steps = typeof value === 'number' ? Math.round((value - field.from) / field.step) : Number.NaN;
      return steps >= 0 && steps <= highestOf(field) ? steps : Number.NaN;
    }
    case 'choice': {
      const index = field.choices.findIndex((choice) => choice === value);
      return index < 0 ? Number.NaN : index;
    }
    case 'flag':
      return typeof value === 'boolean' ? Number(value) : Number.NaN;
    case 'text':
      return Number.NaN;
  }
}

/**
 * Writes a value to the words of its set. A number is rounded to its step, a text cut to its bytes.
 * @param from where the set begins in `words`.
 * @returns false, and nothing is changed, if the field can't have the value.
 */
export function putValue(
  { field, at }: FieldPlace,
  value: FieldValue,
  words: Int32Array,
  from: number,
): boolean {
  const first = from + at;
  if (field.kind !== 'text') {
    const number = numberOf(field, value);
    if (Number.isNaN(number)) return false;
    words[first] = number;
    return true;
  }
  if (typeof value !== 'string') return false;
  const bytes = encodeText(value, field.bytes);
  words.fill(0, first, first + wordsFor(field));
  words[first] = bytes.length;
  for (const [i, byte] of bytes.entries()) putByte(words, first + 1, i, byte);
  return true;
}

/** Reads a value from the words of its set, which begins at `from`. A text is decoded anew in each call. */
export function valueAt({ field, at }: FieldPlace, words: Int32Array, from: number): FieldValue {
  const number = words[from + at];
  switch (field.kind) {
    case 'number':
      return number === highestOf(field) ? field.to : field.from + steps(number, field.step);
    case 'choice':
      return field.choices[number];
    case 'flag':
      return number === 1;
    case 'text':
      return decodeText(Uint8Array.from({ length: number }, (_, i) => byteAt(words, from + at + 1, i)));
  }
}

/** `count` steps, without the rounding error of the product: 7 steps of 0.1 are 0.7. */
function steps(count: number, step: number): number {
  const inOne = Math.round(1 / step);
  return inOne > 1 && 1 / inOne === step ? count / inOne : count * step;
}

/** One of the bytes that begin at a word. */
export function byteAt(words: Int32Array, first: number, index: number): number {
  return (words[first + Math.floor(index / WORD_BYTES)] >>> (8 * (index % WORD_BYTES))) & 0xff;
}

/** Adds a byte to a word in which its place is 0. */
export function putByte(words: Int32Array, first: number, index: number, byte: number): void {
  words[first + Math.floor(index / WORD_BYTES)] |= byte << (8 * (index % WORD_BYTES));
}
