/** Milliseconds: RTO.Initial before the first measurement, and RTO.Min. dcSCTP's; RFC 9260 §16 has 1 s for both. */
const RTO_INITIAL = 500;
const RTO_MIN = 400;
/** Milliseconds: RTO.Max (RFC 9260 §16). */
const RTO_MAX = 60_000;
/** RTO.Alpha and RTO.Beta: the shares by which a measurement moves SRTT and RTTVAR (RFC 9260 §16). */
const RTO_ALPHA = 1 / 8;
const RTO_BETA = 1 / 4;
/**
 * Milliseconds: the least of 4 × RTTVAR, the clock granularity G of RFC 6298 §4. dcSCTP's option `min_rtt_variance`
 * has this value, so that a delayed SACK (200 ms) is in time; dcSCTP scales it down before its use, this model does
 * not.
 */
const MIN_VARIANCE = 220;

/** The retransmission timeout of RFC 9260 §6.3.1, as in TCP (RFC 6298). All times in milliseconds. */
export class RetransmissionTimeout {
  /** SRTT, the smoothed round trip time; 0 before the first measurement. */
  srtt = 0;
  #rttvar = 0;
  #backoff = 1;

  /** The present RTO, backed off. */
  get rto(): number {
    const variance = Math.max(MIN_VARIANCE, 4 * this.#rttvar);
    const rto = this.srtt === 0 ? RTO_INITIAL : Math.max(RTO_MIN, this.srtt + variance);
    return Math.min(RTO_MAX, rto * this.#backoff);
  }

  /** Takes in a measured round trip (C2 and C3). */
  measure(rtt: number): void {
    if (this.srtt === 0) {
      this.srtt = rtt;
      this.#rttvar = rtt / 2;
      return;
    }
    const error = rtt - this.srtt;
    this.srtt += error * RTO_ALPHA;
    this.#rttvar += (Math.abs(error) - this.#rttvar) * RTO_BETA;
  }

  /** T3-rtx has expired: the RTO doubles (§6.3.3 E2). */
  backOff(): void {
    this.#backoff *= 2;
  }

  /** The peer acknowledges again: the doubling ends. */
  endBackoff(): void {
    this.#backoff = 1;
  }
}
