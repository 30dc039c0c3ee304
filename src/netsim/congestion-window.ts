/** Bytes of an SCTP packet below DTLS, the MTU of dcSCTP (kMaxSafeMTUSize). Here it also stands for the PMDCS. */
export const MTU = 1191;
/** Bytes: the initial cwnd. dcSCTP's; RFC 9260 §7.2.1 has min(4 × PMDCS, max(2 × PMDCS, 4404)). */
const INITIAL_CWND = 10 * MTU;
/** Bytes: the least ssthresh after a loss (RFC 9260 §7.2.3). */
const MIN_SSTHRESH = 4 * MTU;

/**
 * The congestion window of RFC 9260 §7.2: cwnd, ssthresh and partial_bytes_acked, in bytes. As in dcSCTP, and unlike
 * the RFC, cwnd counts as fully utilised when the flightsize is within one MTU of it; and partial_bytes_acked is
 * neither capped at cwnd while cwnd is not utilised, nor reset once all is acknowledged.
 */
export class CongestionWindow {
  cwnd = INITIAL_CWND;
  #ssthresh = Infinity;
  #partialBytesAcked = 0;

  /**
   * A SACK has advanced the Cumulative TSN Ack Point.
   * @param flightsize bytes outstanding before the SACK.
   * @param bytesAcked bytes that it newly acknowledges, those of gap ack blocks included.
   */
  grow(flightsize: number, bytesAcked: number, inFastRecovery: boolean): void {
    const isFullyUtilised = flightsize + MTU >= this.cwnd;
    if (this.cwnd <= this.#ssthresh) {
      // Slow start (§7.2.1), L = 1.
      if (isFullyUtilised && !inFastRecovery) this.cwnd += Math.min(bytesAcked, MTU);
      return;
    }
    // Congestion avoidance (§7.2.2): an MTU for each cwnd of bytes.
    this.#partialBytesAcked += bytesAcked;
    if (!isFullyUtilised || this.#partialBytesAcked < this.cwnd) return;
    this.#partialBytesAcked -= this.cwnd;
    this.cwnd += MTU;
  }

  /** Gap reports have shown a loss: cwnd is halved (§7.2.3, §7.2.4). */
  onLoss(): void {
    this.#lowerThreshold();
    this.cwnd = this.#ssthresh;
  }

  /** T3-rtx has expired: cwnd is one MTU (§6.3.3 E1, §7.2.3). */
  onTimeout(): void {
    this.#lowerThreshold();
    this.cwnd = MTU;
  }

  #lowerThreshold(): void {
    this.#ssthresh = Math.max(this.cwnd / 2, MIN_SSTHRESH);
    this.#partialBytesAcked = 0;
  }
}
