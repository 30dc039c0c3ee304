import { isIP } from 'node:net';

/** Candidates of the other end at most, in its description and again beside it: a page has some ten. */
export const MOST_CANDIDATES = 40;

/**
 * True for a candidate (RFC 8839) with an address in numbers. The library would look a name up, one thread for each; a
 * stranger could send hundreds. A browser that hides its address behind a name is found by its own checks.
 */
export function hasAddress(candidate: string): boolean {
  return isIP(candidate.split(' ')[4] ?? '') !== 0;
}

/** A session description without the candidates that have names, and with no more than are taken. */
export function withoutNames(sdp: string): string {
  let candidates = 0;
  return sdp
    .split('\r\n')
    .filter(
      (line) => !line.startsWith('a=candidate:') || (hasAddress(line) && candidates++ < MOST_CANDIDATES),
    )
    .join('\r\n');
}
