/** Fields of an object that came from outside. */
export type Fields<Key extends string> = Readonly<Record<Key, unknown>>;

/** Characters of a foreign key that a sentence quotes, at most. */
const MOST_QUOTED = 40;

/** The value of a key that a foreign object has itself; undefined if it has none. */
export function ownOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Fields<string>)[key]
    : undefined;
}

/** The `kind` of a foreign object; undefined if it has none. */
export function kindOf(value: unknown): unknown {
  return ownOf(value, 'kind');
}

/** A foreign text in a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text);
}
