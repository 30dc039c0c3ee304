import type { Variable } from './variables.ts';

/** The server was started in a wrong way; the message is one sentence for the person who started it. */
export class SetupError extends Error {}

/** Reads the text of a setting; empty if it is not set. */
export type Read = (name: Variable) => string;

export function readSwitch(name: Variable, text: string): boolean {
  if (text === 'on') return true;
  if (text === '' || text === 'off') return false;
  throw new SetupError(`${name} is on or off, not "${text}".`);
}

/** @returns the fallback for an empty text; null for what is no number from 1 to `most`. */
export function readCount(text: string, fallback: number, most: number): number | null {
  if (text === '') return fallback;
  return /^[1-9]\d{0,3}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** Returns two settings that only make sense together; null if both are empty. */
export function readPair(read: Read, one: Variable, other: Variable): [string, string] | null {
  const values: [string, string] = [read(one), read(other)];
  if (values[0] === '' && values[1] === '') return null;
  if (values.includes('')) {
    const [set, missing] = values[0] === '' ? [other, one] : [one, other];
    throw new SetupError(`${set} is set, but ${missing} is not; they go together.`);
  }
  return values;
}
