import type { BrokerLimits } from './limits.ts';
import { TokenBuckets } from '../../visitors/token-buckets.ts';

/**
 * Limits OFFERs: each makes a page open a connection, which costs it memory and a place among those that are
 * opening. A client's own share comes first, so one client that asks all the time does not use up the share of its
 * network, nor one network the share of an id.
 */
export class OfferLimits {
  readonly #ofClient: TokenBuckets;
  readonly #ofNetwork: TokenBuckets;
  readonly #ofNetworkInAll: TokenBuckets;
  readonly #toId: TokenBuckets;

  constructor(limits: BrokerLimits) {
    this.#ofClient = new TokenBuckets(limits.offersOfClient);
    this.#ofNetwork = new TokenBuckets(limits.offersOfNetwork);
    this.#ofNetworkInAll = new TokenBuckets(limits.offersOfNetworkInAll);
    this.#toId = new TokenBuckets(limits.offersToId);
  }

  /** Returns whether an OFFER may pass; it counts if it may. */
  allows(network: string, from: string, to: string, nowMs: number): boolean {
    return (
      this.#ofClient.take(`${from} ${to}`, nowMs) &&
      this.#ofNetworkInAll.take(network, nowMs) &&
      this.#ofNetwork.take(`${network} ${to}`, nowMs) &&
      this.#toId.take(to, nowMs)
    );
  }
}
