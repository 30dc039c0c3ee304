/** Characters of a page's id at the broker, at most; our pages' ids have 36. */
export const MAX_ID_LENGTH = 64;

/** Letters and digits, with single spaces, dashes and underscores between them: what PeerJS allows. */
const SOUND = /^[A-Za-z0-9]+(?:[ _-][A-Za-z0-9]+)*$/;

/**
 * True for an id that a page may have at the broker. A page chooses its own id, and the broker vouches only that it is
 * its own: so it is checked wherever it comes in, before it can get into a roster.
 */
export function isPageId(id: string): boolean {
  return id.length <= MAX_ID_LENGTH && SOUND.test(id);
}
