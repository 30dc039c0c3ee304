import type { ByteCoder } from './bytes.ts';

/** Words of an entry or an event, at most: of the longest that a schema allows. */
const MOST_WORDS = 512;

/** Codes the words of the values of an entry or an event; returns them. */
export function codeWords(c: ByteCoder, words: Int32Array): Int32Array {
  const count = c.u16(words.length, MOST_WORDS);
  const coded = new Int32Array(count);
  for (let i = 0; i < count; i++) coded[i] = c.u32((words[i] ?? 0) >>> 0) | 0;
  return coded;
}

/** Codes the hash of a schema, which is empty without one; returns it. */
export function codeSchemaHash(c: ByteCoder, hash: string): string {
  const length = c.u8(hash.length, MOST_DIGITS);
  let coded = '';
  for (let i = 0; i < length; i++) coded += String.fromCharCode(c.u8(hash.charCodeAt(i) || 0));
  return coded;
}

/** Hexadecimal digits of a schema's hash. */
const MOST_DIGITS = 20;
