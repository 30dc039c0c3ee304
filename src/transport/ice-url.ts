/** The address of a STUN or TURN service (RFC 7064, RFC 7065): its scheme, its port, and how to reach it. */
const ICE_URL = /^(stun|turn)s?:(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::(\d{1,5}))?(\?transport=(?:udp|tcp))?$/;
const MAX_PORT = 65_535;

/**
 * Returns which kind of service an address names; null for anything else. Browsers throw on that, and refuse the whole
 * connection, when a page connects.
 */
export function iceKindOf(url: unknown): 'stun' | 'turn' | null {
  const [found, scheme, port = '0', transport] = (typeof url === 'string' ? ICE_URL.exec(url) : null) ?? [];
  if (found === undefined || Number(port) > MAX_PORT) return null;
  if (scheme === 'turn') return 'turn';
  return transport === undefined ? 'stun' : null;
}
