/** Why something that came from another page, or from the broker, was not taken. */
export type Refusal =
  /** A message of the broker has another form than ours, or is too long. */
  | 'malformed'
  /** An offer of a connection that is no line and no call, or of a call where none is taken. */
  | 'other kind'
  /** An offer or an answer for a connection that has one already, or that this page has not asked for. */
  | 'repeated'
  /** It is about a connection that this page does not have. */
  | 'unknown connection'
  /** A line from a page whose id no broker gives. */
  | 'impossible page id'
  | 'too many offers'
  | 'too many candidates'
  /** The browser has too many connections that are not freed yet. */
  | 'too many connections'
  /** PeerJS or the browser could not do what was asked. */
  | 'failed'
  /** A line that made no progress, or a call that waited, was closed for a newer one. */
  | 'gave way'
  | 'too many packets'
  | 'packet too long'
  | 'too many messages'
  | 'message too long'
  /** Bytes came where texts are sent. */
  | 'not a text'
  /** The other page opened a channel that no line has. */
  | 'extra channel'
  /** The other page does not take in what this page sends. */
  | 'does not read'
  /** So much was refused on a line that it was closed. */
  | 'flood';

/** Counts what was refused, by reason. */
export class Refusals {
  readonly #counts: Partial<Record<Refusal, number>> = {};

  count(reason: Refusal): void {
    this.#counts[reason] = (this.#counts[reason] ?? 0) + 1;
  }

  /** @returns a copy; a reason that never occurred is not in it. */
  read(): Readonly<Partial<Record<Refusal, number>>> {
    return { ...this.#counts };
  }
}
