import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/**
 * Tells which network a request comes from. Only the proxies that the operator has named are believed: what anybody
 * else says in X-Forwarded-For counts for nothing.
 */
export class Visitors {
  /** Returns whether an address is a named proxy. */
  readonly isProxy: (address: string) => boolean;
  readonly #trust: (address: string, hop: number) => boolean;

  /**
   * @param proxies addresses and networks, as proxy-addr reads them.
   * @throws TypeError if one of them is neither.
   */
  constructor(proxies: readonly string[]) {
    const trust = proxyAddress.compile([...proxies]);
    this.#trust = trust;
    this.isProxy = (address) => trust(address, 0);
  }

  /**
   * Returns the network of a request: that of the nearest address that is not a named proxy, or of the socket if the
   * proxy gives no valid address. An empty text if the socket has been closed.
   */
  networkOf(request: IncomingMessage): string {
    const said = proxyAddress(request, this.#trust);
    return networkOfAddress(isIP(said) === 0 ? request.socket.remoteAddress : said);
  }
}

/**
 * Returns the network of an address: an IPv4 address itself, or the first 48 bits of an IPv6 address, which belong
 * to one site. This machine is one network too, because a proxy may run on it.
 */
export function networkOfAddress(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === '::1' || plain.startsWith('127.')) return 'this machine';
  if (!plain.includes(':')) return plain;
  const [first] = plain.toLowerCase().split('::');
  const groups = [...first.split(':'), '0', '0', '0'].slice(0, 3);
  return groups.map((group) => parseInt(group || '0', 16).toString(16)).join(':');
}
