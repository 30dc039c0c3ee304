import type { IncomingMessage } from 'node:http';
import { DOOR_PREFIX } from '../../core/room/code.ts';

/**
 * Limits on the rooms' doors that one network may ask for: so many at once, and one more after each so many
 * milliseconds. That makes 2,980 of 3.2 million codes in a day, a chance of one in a thousand to find a given
 * room. It is enough for a school where all pupils start rooms at once.
 */
export const DOORS_AT_ONCE = 100;
export const ANOTHER_DOOR_MS = 30_000;
/** A network may ask again for its last 32 doors at no cost, because friends wait for their host. */
const REMEMBERED_DOORS = 32;
/** Most sockets of one network: a host needs two, so it is enough for the rooms of a whole school. */
const MOST_SOCKETS = 400;
/** Most networks that are remembered; each costs some kilobytes. */
const MOST_NETWORKS = 5000;

type Network = { left: number; at: number; sockets: number; readonly doors: Set<string> };

/**
 * Limits each network's use of the broker, so that nobody finds rooms by trying codes, or takes all of the
 * broker's places.
 */
export class NetworkLimits {
  readonly #networks = new Map<string, Network>();

  /**
   * Returns whether a client of this network may use an id: register it or send to it. A door counts against
   * the limit.
   * @param network null for a network without limits.
   */
  mayUseId(network: string | null, id: string, nowMs: number): boolean {
    if (network === null || !id.startsWith(DOOR_PREFIX)) return true;
    const known = this.#of(network, nowMs);
    if (known.doors.has(id)) return true;
    known.left = Math.min(DOORS_AT_ONCE, known.left + (nowMs - known.at) / ANOTHER_DOOR_MS);
    known.at = nowMs;
    if (known.left < 1) return false;
    known.left--;
    known.doors.add(id);
    for (const oldest of known.doors) if (known.doors.size > REMEMBERED_DOORS) known.doors.delete(oldest);
    return true;
  }

  /** Counts a new socket. Returns false if the network has too many; the socket is not counted then. */
  openSocket(network: string | null, nowMs: number): boolean {
    if (network === null) return true;
    const known = this.#of(network, nowMs);
    if (known.sockets >= MOST_SOCKETS) return false;
    known.sockets++;
    return true;
  }

  /** Counts the end of a socket that `openSocket` has counted. */
  closeSocket(network: string | null): void {
    const known = network === null ? undefined : this.#networks.get(network);
    if (known !== undefined) known.sockets = Math.max(0, known.sockets - 1);
  }

  #of(network: string, nowMs: number): Network {
    const known = this.#networks.get(network) ?? {
      left: DOORS_AT_ONCE,
      at: nowMs,
      sockets: 0,
      doors: new Set(),
    };
    // Moves this network to the end: the network that has asked least recently is forgotten first.
    this.#networks.delete(network);
    this.#networks.set(network, known);
    for (const oldest of this.#networks.keys()) {
      if (this.#networks.size <= MOST_NETWORKS) break;
      this.#networks.delete(oldest);
    }
    return known;
  }
}

/**
 * Returns the network of a request: an IPv4 address, or the first 48 bits of an IPv6 address, which belong to
 * one site. Null for this machine itself, and if the proxy does not name the client.
 */
export function networkOf(request: IncomingMessage, trustProxy: boolean): string | null {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '');
  const said = trustProxy ? forwarded.split(',').at(-1)?.trim() : request.socket.remoteAddress;
  const address = (said ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (address === '' || address === '::1' || address.startsWith('127.')) return null;
  if (!address.includes(':')) return address;
  const [first] = address.toLowerCase().split('::');
  const groups = [...first.split(':'), '0', '0', '0'].slice(0, 3);
  return groups.map((group) => parseInt(group || '0', 16).toString(16)).join(':');
}
