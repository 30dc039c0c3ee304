import type { ByteCoder } from './bytes.ts';
import { codeSchemaHash, codeWords } from './shared-words.ts';

/** [V4.4] The values of a saved world that are not the initial ones. */
export type SavedShared = {
  /** The hash of the schema. */
  readonly schema: string;
  readonly entries: readonly SavedEntry[];
};

/** The values of an entry: its number by the schema, and its words. */
export type SavedEntry = { readonly entry: number; readonly words: Int32Array };

/** Codes the values of a saved world; returns them. */
export function codeSavedShared(c: ByteCoder, { schema, entries }: SavedShared): SavedShared {
  const hash = codeSchemaHash(c, schema);
  const count = c.u16(entries.length);
  const coded: SavedEntry[] = [];
  for (let i = 0; i < count && !c.failed; i++) {
    const entry = c.u16(entries[i]?.entry ?? 0);
    coded.push({ entry, words: codeWords(c, entries[i]?.words ?? NO_WORDS) });
  }
  return { schema: hash, entries: coded };
}

/** True if two worlds have the same values. */
export function isSameShared(a: SavedShared | undefined, b: SavedShared | undefined): boolean {
  if (a === undefined || b === undefined) return (a ?? b)?.entries.length === 0 || a === b;
  if (a.schema !== b.schema || a.entries.length !== b.entries.length) return false;
  return a.entries.every(({ entry, words }, i) => {
    const other = b.entries[i];
    if (entry !== other.entry || words.length !== other.words.length) return false;
    return words.every((word, at) => word === other.words[at]);
  });
}

const NO_WORDS = new Int32Array(0);
