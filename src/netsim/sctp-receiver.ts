import { DueQueue } from './due-queue.ts';

/** Milliseconds for which the SACK of a single packet is delayed (RFC 9260 §6.2; dcSCTP: RTO / 2 if that is less). */
const SACK_DELAY = 200;

/** TSNs from the oldest that is not yet cumulatively acknowledged to the newest, at most. */
export const MAX_TSNS = 1024;

/**
 * The receiving end of an SCTP association, as far as its SACKs depend on it (RFC 9260 §6.2). It has no bytes: it
 * knows when each DATA chunk arrives, or the FORWARD-TSN that skips it (RFC 3758 §3.6). TSNs are counted from 0 and do
 * not wrap. Times in milliseconds. Its a_rwnd is unlimited.
 */
export class SctpReceiver {
  /** For each TSN the time from which the receiver has it, or skips it; Infinity for never. */
  readonly #knownAt = new Float64Array(MAX_TSNS);
  /** Packets under way, each as the highest TSN that it brings or skips. */
  readonly #arrivals = new DueQueue<number>();
  /** All TSNs up to here have come or are skipped (the Cumulative TSN Ack of a SACK). */
  #cumulativeTsn = -1;
  #highestTsn = -1;
  #delayedSackAt = Infinity;

  /** When something happens next here: a packet arrives, or a delayed SACK falls due. Infinity for never. */
  get nextEventAt(): number {
    return Math.min(this.#arrivals.nextDue, this.#delayedSackAt);
  }

  /** A packet with the TSNs `first` to `last` has left; it arrives at this time, Infinity if it is lost. */
  expectData(first: number, last: number, arrivesAt: number): void {
    for (let tsn = first; tsn <= last; tsn++) this.#knownAt[tsn % MAX_TSNS] = arrivesAt;
    if (arrivesAt < Infinity) this.#arrivals.push(arrivesAt, last);
  }

  /** A FORWARD-TSN has left that skips the TSNs `first` to `last`; it arrives at this time, which is finite. */
  expectForwardTsn(first: number, last: number, arrivesAt: number): void {
    for (let tsn = first; tsn <= last; tsn++) {
      const index = tsn % MAX_TSNS;
      this.#knownAt[index] = Math.min(this.#knownAt[index], arrivesAt);
    }
    this.#arrivals.push(arrivesAt, last);
  }

  /** True if the receiver had a TSN, or skipped it, at this time: a SACK written then acknowledges it. */
  hadAt(tsn: number, at: number): boolean {
    return this.#knownAt[tsn % MAX_TSNS] <= at;
  }

  /** Lets the event of `nextEventAt` happen; true if the receiver sends a SACK in answer. */
  handleEvent(): boolean {
    const now = this.nextEventAt;
    if (now === this.#arrivals.nextDue && !this.#arrive(now, this.#arrivals.pop())) return false;
    this.#delayedSackAt = Infinity;
    return true;
  }

  /** A SACK goes at once while there is a gap (§6.7), else for every second packet, or after SACK_DELAY (§6.2). */
  #arrive(now: number, tsn: number): boolean {
    this.#highestTsn = Math.max(this.#highestTsn, tsn);
    while (this.#cumulativeTsn < this.#highestTsn && this.hadAt(this.#cumulativeTsn + 1, now)) {
      this.#cumulativeTsn++;
    }
    const hasGap = this.#cumulativeTsn < this.#highestTsn;
    if (hasGap || this.#delayedSackAt < Infinity) return true;
    this.#delayedSackAt = now + SACK_DELAY;
    return false;
  }
}
