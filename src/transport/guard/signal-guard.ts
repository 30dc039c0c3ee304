import type { OfferBudget } from './offer-budget.ts';
import type { Refusal, Refusals } from './refusals.ts';
import type { Signal } from './signals.ts';
import { readSignal } from './signals.ts';

/** Candidates that a page may name for one connection; a machine with many networks has some tens. */
const MOST_CANDIDATES = 100;

/** The guarded page, as far as a guard must know it. */
export type Guarded = {
  /** The connection of this id with a page; null if there is none. The object stays the same while it exists. */
  connection(page: string, connectionId: string): object | null;
  /** True if the browser should make no more connections for others. */
  isExhausted(): boolean;
  /** True if calls are accepted; false if only lines are. */
  readonly takesCalls: boolean;
  readonly budget: OfferBudget;
  readonly refusals: Refusals;
};

/**
 * Decides which messages of the broker reach PeerJS. PeerJS makes a connection for every offer, and keeps every
 * message about a connection that it does not have. So strangers could fill the page's memory, and use up the
 * connections that a browser makes.
 */
export class SignalGuard {
  readonly #guarded: Guarded;
  /** Connections that this page has asked for, and that have no answer yet. */
  readonly #unanswered = new WeakSet<object>();
  readonly #candidates = new WeakMap<object, number>();

  constructor(guarded: Guarded) {
    this.#guarded = guarded;
  }

  /** This page has asked for this connection, so one answer to it is taken. */
  asked(connection: object): void {
    this.#unanswered.add(connection);
  }

  /**
   * Takes what the broker has brought. Never throws.
   * @returns what PeerJS may read; null if it is refused, which is counted.
   * @param nowMs milliseconds.
   */
  take(value: unknown, nowMs: number): Signal | null {
    const signal = readSignal(value);
    const refusal = typeof signal === 'string' ? signal : this.#refusalOf(signal, nowMs);
    if (refusal !== null) this.#guarded.refusals.count(refusal);
    return refusal === null && typeof signal !== 'string' ? signal : null;
  }

  #refusalOf(signal: Signal, nowMs: number): Refusal | null {
    switch (signal.type) {
      case 'OFFER':
        return this.#refusalOfOffer(signal, nowMs);
      case 'ANSWER': {
        const connection = this.#guarded.connection(signal.src, signal.payload.connectionId);
        if (connection === null) return 'unknown connection';
        return this.#unanswered.delete(connection) ? null : 'repeated';
      }
      case 'CANDIDATE': {
        const connection = this.#guarded.connection(signal.src, signal.payload.connectionId);
        if (connection === null) return 'unknown connection';
        const before = this.#candidates.get(connection) ?? 0;
        this.#candidates.set(connection, before + 1);
        return before < MOST_CANDIDATES ? null : 'too many candidates';
      }
      default:
        return null;
    }
  }

  #refusalOfOffer({ src, payload }: Extract<Signal, { type: 'OFFER' }>, nowMs: number): Refusal | null {
    const { takesCalls, budget } = this.#guarded;
    if (payload.type === 'media' && !takesCalls) return 'other kind';
    if (this.#guarded.connection(src, payload.connectionId) !== null) return 'repeated';
    if (this.#guarded.isExhausted()) return 'too many connections';
    return budget.take(src, nowMs) ? null : 'too many offers';
  }
}
