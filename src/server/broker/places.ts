/** A socket that has lost its place to a newcomer. */
type Leaver<T> = { readonly network: string; readonly holder: T };
/** The outcome of asking for a place; `leaver` is null if nobody had to give way. */
export type Entry<T> = { readonly entered: boolean; readonly leaver: Leaver<T> | null };

type Limits = { readonly sockets: number; readonly socketsOfNetwork: number; readonly graceMs: number };

/**
 * The broker's places, each held by one socket. If all are taken, a newcomer gets the place of the socket that has
 * made no progress for longest: of the newcomer's own network if that has too many, otherwise of the network that
 * has most. So nobody bars the broker by holding places.
 */
export class Places<T> {
  readonly #limits: Limits;
  /** For each network its sockets and when each made progress, the least recent first. */
  readonly #networks = new Map<string, Map<T, number>>();
  #count = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get networks(): number {
    return this.#networks.size;
  }

  /** Gives a place to a newcomer, unless nobody gives way. */
  enter(network: string, newcomer: T, nowMs: number): Entry<T> {
    const { sockets, socketsOfNetwork, graceMs } = this.#limits;
    const own = this.#networks.get(network);
    const isOwnFull = (own?.size ?? 0) >= socketsOfNetwork;
    const from = isOwnFull ? network : this.#count >= sockets ? this.#largest() : null;
    let leaver: Leaver<T> | null = null;
    if (from !== null) {
      const [oldest] = this.#networks.get(from) ?? [];
      if (oldest === undefined || nowMs - oldest[1] < graceMs) return { entered: false, leaver };
      leaver = { network: from, holder: oldest[0] };
      this.leave(from, leaver.holder);
    }
    const holders = this.#networks.get(network) ?? new Map<T, number>();
    this.#networks.set(network, holders.set(newcomer, nowMs));
    this.#count++;
    return { entered: true, leaver };
  }

  /** A socket has done what pages come for, so others give way before it. Does nothing without a place. */
  progress(network: string, holder: T, nowMs: number): void {
    const holders = this.#networks.get(network);
    if (holders?.delete(holder) === true) holders.set(holder, nowMs);
  }

  /** Frees the place of a socket, if it still has one. */
  leave(network: string, holder: T): void {
    const holders = this.#networks.get(network);
    if (holders?.delete(holder) !== true) return;
    this.#count--;
    if (holders.size === 0) this.#networks.delete(network);
  }

  /** Returns the network with most sockets; of several the one whose oldest socket waits for longest. */
  #largest(): string | null {
    let found: string | null = null;
    let most = 0;
    let since = Infinity;
    for (const [network, holders] of this.#networks) {
      const [first] = holders.values();
      if (holders.size > most || (holders.size === most && first < since)) {
        [found, most, since] = [network, holders.size, first];
      }
    }
    return found;
  }
}
