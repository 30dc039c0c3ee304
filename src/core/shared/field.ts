import { bitsFor } from '../base/bits.ts';

/** [V1.1] A number from `from` to `to`, in whole steps from `from` on. */
export type NumberField = {
  readonly kind: 'number';
  readonly from: number;
  readonly to: number;
  readonly step: number;
  /** The value before anybody has written one. */
  readonly initial: number;
};
/** One of some words; the first before anybody has written one. */
export type ChoiceField<Choice extends string = string> = {
  readonly kind: 'choice';
  readonly choices: readonly Choice[];
};
/** Yes or no; no before anybody has written it. */
export type FlagField = { readonly kind: 'flag' };
/** A text of at most so many bytes of UTF-8; empty before anybody has written one. */
export type TextField = { readonly kind: 'text'; readonly bytes: number };
/** A value as a schema declares it. */
export type Field = NumberField | ChoiceField | FlagField | TextField;

/** The fields of an entry or an event, by name. */
export type Fields = { readonly [name: string]: Field };

/** The type of a field's value. */
export type ValueOf<F extends Field> = F extends NumberField
  ? number
  : F extends ChoiceField<infer Choice>
    ? Choice
    : F extends FlagField
      ? boolean
      : string;
/** The values of some fields, by name. */
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };
/** A value of any field. */
export type FieldValue = number | string | boolean;

/** Makes fields for a schema. Their faults are found when the schema is declared. */
export const field = {
  /**
   * A number in steps. `set` refuses one out of the range as `bounds`.
   * @param range `step` is 1, and `initial` is `from`, if they are not given.
   */
  number(range: {
    readonly from: number;
    readonly to: number;
    readonly step?: number;
    readonly initial?: number;
  }): NumberField {
    const { from, to, step = 1, initial = from } = range;
    return { kind: 'number', from, to, step, initial };
  },
  /** One of these words; the first is the initial one. */
  choice<const Choice extends string>(choices: readonly Choice[]): ChoiceField<Choice> {
    return { kind: 'choice', choices };
  },
  /** Yes or no. */
  flag(): FlagField {
    return { kind: 'flag' };
  },
  /** A short text. @param bytes of UTF-8, at most. What is written is cut after the last character that fits. */
  text(bytes: number): TextField {
    return { kind: 'text', bytes };
  },
} as const;

/** Bytes of a text that share a word. */
export const WORD_BYTES = 4;

/** The greatest number that stands for a value: of steps, of choices, of a flag, of bytes of a text. */
export function highestOf(of: Field): number {
  switch (of.kind) {
    case 'number':
      return Math.round((of.to - of.from) / of.step);
    case 'choice':
      return of.choices.length - 1;
    case 'flag':
      return 1;
    case 'text':
      return of.bytes;
  }
}

/** The 32-bit words that hold a value: its number, and for a text its bytes. */
export function wordsFor(of: Field): number {
  return of.kind === 'text' ? 1 + Math.ceil(of.bytes / WORD_BYTES) : 1;
}

/** The most bits of a value on the wire. */
export function mostBitsOf(of: Field): number {
  return bitsFor(highestOf(of)) + (of.kind === 'text' ? 8 * of.bytes : 0);
}
