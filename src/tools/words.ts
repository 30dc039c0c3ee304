import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/** The reader of every command line. */

/** A fault in the command line; the message is for the person who typed it. */
export class UsageError extends Error {}

type Config<Options> = { readonly args: string[]; readonly options: Options; readonly strict: true };

/**
 * The options among the words of a command line.
 * @param help the text that lists them.
 * @throws UsageError with one sentence.
 */
export function readWords<const Options extends NonNullable<ParseArgsConfig['options']>>(
  words: readonly string[],
  options: Options,
  help = '--help',
): ReturnType<typeof parseArgs<Config<Options>>>['values'] {
  try {
    return parseArgs<Config<Options>>({ args: [...words], options, strict: true }).values;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${text.split(/\. |\n/)[0]}. See ${help}.`);
  }
}

/** @throws UsageError with one sentence. */
export function readNumber(name: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new UsageError(`--${name} is a number from ${low} to ${high}, not "${text}".`);
}

/** @throws UsageError with one sentence. */
export function readWhole(name: string, text: string, low: number, high: number): number {
  const value = readNumber(name, text, low, high);
  if (Number.isInteger(value)) return value;
  throw new UsageError(`--${name} is a whole number, not "${text}".`);
}
