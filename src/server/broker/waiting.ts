import { MESSAGE_OVERHEAD } from './limits/limits.ts';

type Limits = {
  readonly waitingBytes: number;
  readonly waitingBytesOfNetwork: number;
  readonly waitingBytesInAll: number;
};

type Message = {
  readonly id: string;
  readonly network: string;
  readonly cost: number;
  readonly until: number;
};

/**
 * Counts the messages that PeerJS keeps for ids that nobody has. A message counts until PeerJS has certainly
 * forgotten it, also if its receiver came in time.
 */
export class Waiting {
  readonly #limits: Limits;
  readonly #keepMs: number;
  readonly #messages: Message[] = [];
  readonly #ofId = new Map<string, number>();
  readonly #ofNetwork = new Map<string, number>();
  #bytes = 0;

  /** @param keepMs milliseconds after which PeerJS has forgotten a message. */
  constructor(limits: Limits, keepMs: number) {
    this.#limits = limits;
    this.#keepMs = keepMs;
  }

  /** Bytes that wait in all. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a message to an id that nobody has. Returns false, and does not count it, if too much waits. */
  add(id: string, network: string, length: number, nowMs: number): boolean {
    this.#forget(nowMs);
    const cost = length + MESSAGE_OVERHEAD;
    const { waitingBytes, waitingBytesOfNetwork, waitingBytesInAll } = this.#limits;
    const fits =
      (this.#ofId.get(id) ?? 0) + cost <= waitingBytes &&
      (this.#ofNetwork.get(network) ?? 0) + cost <= waitingBytesOfNetwork &&
      this.#bytes + cost <= waitingBytesInAll;
    if (!fits) return false;
    this.#messages.push({ id, network, cost, until: nowMs + this.#keepMs });
    this.#count(id, network, cost);
    return true;
  }

  #forget(nowMs: number): void {
    const first = this.#messages.findIndex(({ until }) => until > nowMs);
    const old = this.#messages.splice(0, first === -1 ? this.#messages.length : first);
    for (const { id, network, cost } of old) this.#count(id, network, -cost);
  }

  #count(id: string, network: string, cost: number): void {
    this.#bytes += cost;
    addTo(this.#ofId, id, cost);
    addTo(this.#ofNetwork, network, cost);
  }
}

function addTo(counts: Map<string, number>, key: string, cost: number): void {
  const sum = (counts.get(key) ?? 0) + cost;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
