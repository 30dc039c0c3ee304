import type { IncomingMessage } from 'node:http';
import { DOOR_PREFIX } from '../core/room/code.ts';

/**
 * Doors of rooms that one network may ask for: so many at once, and another one in so many milliseconds. In a day
 * these are 2,980 of 3.2 million codes, a chance of one in a thousand to come upon a given room; and a school whose
 * pupils all start rooms at once gets along.
 */
export const DOORS_AT_ONCE = 100;
export const ANOTHER_DOOR_MS = 30_000;
/** Doors that are asked for again and again cost nothing: friends wait for their host. */
const REMEMBERED_DOORS = 32;
/** Sockets that one network may have: a host needs two, so these are rooms for a whole school. */
const MOST_SOCKETS = 400;
/** Networks that are remembered, some kilobytes each. */
const MOST_NETWORKS = 5000;

type Network = { left: number; at: number; sockets: number; readonly doors: Set<string> };

/** What each network may ask of the broker, so that nobody finds rooms by trying codes, or takes all its places. */
export class Networks {
  readonly #networks = new Map<string, Network>();

  /** Whether a client of this network may ask for an id, or answer at it. Null: a network that is not limited. */
  mayAsk(network: string | null, id: string, nowMs: number): boolean {
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

  /** Takes note of a socket that opens; false if there are too many. */
  opens(network: string | null, nowMs: number): boolean {
    if (network === null) return true;
    const known = this.#of(network, nowMs);
    if (known.sockets >= MOST_SOCKETS) return false;
    known.sockets++;
    return true;
  }

  closes(network: string | null): void {
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
    // The one that has asked last is forgotten last.
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
 * The network that a request comes from: an IPv4 address, or the 48 bits of an IPv6 address that one site has. Null
 * for this machine itself, and where a proxy does not say.
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
