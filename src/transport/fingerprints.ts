/**
 * Returns the DTLS fingerprints in a session description (RFC 8122), sorted; null if there is none. A new certificate is
 * made for each connection, so no other connection has the same.
 */
export function fingerprintsIn(sdp: string | null | undefined): string | null {
  const found = Array.from(
    (sdp ?? '').matchAll(/^a=fingerprint:(\S+ [0-9A-Fa-f:]+)\s*$/gm),
    ([, one]) => one,
  );
  return found.length === 0 ? null : [...new Set(found.map((one) => one.toUpperCase()))].sort().join(',');
}
