import { DOOR_PREFIX } from '../../../core/room/code.ts';
import type { BrokerLimits } from './limits.ts';
import { TokenBuckets } from '../../visitors/token-buckets.ts';

/** A network may ask again for its last 32 doors at no cost, because friends wait for their host. */
const REMEMBERED_DOORS = 32;
/** Most networks whose doors are remembered; each costs some kilobytes. */
const MOST_NETWORKS = 5000;

/** Limits each network's use of the broker, so that nobody finds rooms by trying codes, or floods the broker. */
export class NetworkLimits {
  readonly #doors: TokenBuckets;
  readonly #upgrades: TokenBuckets;
  readonly #bytes: TokenBuckets;
  readonly #relays: TokenBuckets;
  /** The last doors of each network. */
  readonly #known = new Map<string, Set<string>>();

  constructor(limits: BrokerLimits) {
    this.#doors = new TokenBuckets(limits.doors);
    this.#upgrades = new TokenBuckets(limits.upgrades);
    this.#bytes = new TokenBuckets(limits.bytes);
    this.#relays = new TokenBuckets(limits.relays);
  }

  /**
   * Returns whether a client of this network may use an id: register it or send to it. A door counts against the
   * limit.
   */
  mayUseId(network: string, id: string, nowMs: number): boolean {
    if (!id.startsWith(DOOR_PREFIX)) return true;
    const known = this.#doorsOf(network);
    if (known.has(id)) return true;
    if (!this.#doors.take(network, nowMs)) return false;
    known.add(id);
    for (const oldest of known) if (known.size > REMEMBERED_DOORS) known.delete(oldest);
    return true;
  }

  /** Returns whether this network may open one more socket now. */
  mayUpgrade(network: string, nowMs: number): boolean {
    return this.#upgrades.take(network, nowMs);
  }

  /** Returns whether this network may send one more message to another process's broker now. */
  mayRelay(network: string, nowMs: number): boolean {
    return this.#relays.take(network, nowMs);
  }

  /** Returns whether this network may send a message of so many bytes now. */
  maySend(network: string, bytes: number, nowMs: number): boolean {
    return this.#bytes.take(network, nowMs, bytes);
  }

  #doorsOf(network: string): Set<string> {
    const known = this.#known.get(network) ?? new Set();
    // Moves this network to the end: the one that has asked least recently is forgotten first.
    this.#known.delete(network);
    this.#known.set(network, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_NETWORKS) break;
      this.#known.delete(oldest);
    }
    return known;
  }
}
