import { MAX_PLAYOUT_DELAY_SECONDS, PLAYOUT_DELAY_SECONDS, ticksIn } from '../base/constants.ts';

/** Seconds in each bucket of the window in which the least delay is searched. */
const BUCKET_SECONDS = 0.25;
/**
 * Buckets in the window: two seconds, enough to see the least delay of a jittery path, short enough for clock drift.
 */
const BUCKETS = 8;
/** Seconds: if the clock is further from its target it jumps; no rate change would catch up. */
const JUMP_SECONDS = 0.5;
/** Seconds: if the clock is further behind for two whole buckets it jumps forward. The receiver has stalled. */
const BEHIND_SECONDS = 2 / 15;
/** Seconds: if every packet is too late for so long, the clock jumps back. The author has stalled. */
const LATE_SECONDS = 1 / 3;
/**
 * Seconds after a start or a jump in which the clock still follows the fastest packet at once: a stall ends in a burst.
 */
const SETTLE_SECONDS = 0.1;
/** The change of rate by which the clock follows otherwise: 2 % cannot be seen in a hand. */
const MAX_RATE_CHANGE = 0.02;
/**
 * The delay grows by this share of a packet's lateness, and by at most MOST_WIDENED seconds: one late packet is no
 * trend.
 */
const WIDEN_SHARE = 0.25;
const MOST_WIDENED = 1 / 60;
/** Ticks by which the delay shrinks in a tick while packets come early: from the greatest delay to 100 ms in 20 s. */
const NARROW_PER_TICK = 0.02;
/** Seconds: the delay shrinks only while every packet of the window came more than this before it was due. */
const NARROW_MARGIN = 0.025;

/**
 * [T2] The playout clock of a jitter buffer with adaptive delay: which moment of one author's time the receiver
 * shows. It lies behind the author's present, as the fastest packets of the last two seconds show it, by `delay`. A
 * late packet widens the delay by a quarter of its lateness, at most by a 60th of a second; the delay shrinks slowly while
 * packets come early. The clock follows its target by a small change of rate, and jumps if it is far off. A *lead* is
 * an author's tick less the receiver's tick in which it arrived. Times are in ticks, the author's and the receiver's
 * own.
 */
export class PlayoutClock {
  /** The author's time that is shown in the receiver's present tick; valid once `running`. */
  position = 0;
  /** True once a packet has arrived. */
  running = false;
  /** Ticks that the fastest packets wait: the least delay to MAX_PLAYOUT_DELAY_SECONDS. */
  delay: number;
  /** How often the clock has jumped since it started. */
  jumps = 0;
  #newest = -1;
  /** The receiver's tick in which a packet last started the clock, or restarted it after a jump. */
  #startedAt = 0;
  /** The receiver's tick since which every packet has been late; -1 if the last was in time. */
  #lateSince = -1;
  /** The delay at that tick: a stall of the author is no reason to widen it. */
  #delayBefore: number;
  readonly #rate: number;
  readonly #least: number;
  /** The greatest lead in each bucket: of its fastest packet. */
  readonly #leads = new Float64Array(BUCKETS).fill(-Infinity);
  #bucket = 0;
  /** The least margin in each bucket: ticks that a packet arrived before it was due. */
  readonly #margins = new Float64Array(BUCKETS).fill(Infinity);

  /**
   * @param rate ticks a second.
   * @param least the least delay in ticks: at least 1; in rooms PLAYOUT_DELAY_SECONDS [T2].
   */
  constructor(rate: number, least: number = ticksIn(PLAYOUT_DELAY_SECONDS, rate)) {
    this.#rate = rate;
    this.#least = least;
    this.delay = least;
    this.#delayBefore = least;
  }

  #ticks(seconds: number): number {
    return ticksIn(seconds, this.#rate);
  }

  /** Forgets everything but `jumps`. The author's next packet starts the clock. */
  restart(): void {
    this.running = false;
    this.delay = this.#least;
    this.#newest = -1;
    this.#leads.fill(-Infinity);
    this.#margins.fill(Infinity);
  }

  /** Takes in that a packet with the author's tick `authorTick` arrived in the receiver's tick `ownTick`. */
  arrive(authorTick: number, ownTick: number): void {
    // A host repeats the tick of a silent guest; the repetition does not measure the path.
    if (authorTick === this.#newest) return;
    if (authorTick < this.#newest) {
      this.#measureMargin(authorTick, ownTick);
      return;
    }
    this.#newest = authorTick;
    const lead = authorTick - ownTick;
    if (this.running && this.#isAstray(authorTick - this.position, ownTick)) {
      this.#leads.fill(-Infinity);
      this.#margins.fill(Infinity);
      this.running = false;
      this.jumps++;
      if (this.#lateSince >= 0) this.delay = this.#delayBefore;
    }
    this.#enterBucket(ownTick);
    this.#leads[this.#bucket] = Math.max(this.#leads[this.#bucket], lead);
    if (!this.running) {
      this.running = true;
      this.position = authorTick - this.delay;
      this.#startedAt = ownTick;
      this.#lateSince = -1;
    }
    const settles = ownTick - this.#startedAt < this.#ticks(SETTLE_SECONDS);
    if (settles) this.position = Math.max(this.position, authorTick - this.delay);
    this.#measureMargin(authorTick, ownTick);
  }

  /** True if the clock is too far off to be corrected by its rate; `margin` is in ticks, of the newest packet. */
  #isAstray(margin: number, ownTick: number): boolean {
    if (margin >= 0) this.#lateSince = -1;
    else if (this.#lateSince < 0) {
      this.#lateSince = ownTick;
      this.#delayBefore = this.delay;
    }
    const stalled = this.#lateSince >= 0 && ownTick - this.#lateSince >= this.#ticks(LATE_SECONDS);
    return stalled || Math.abs(margin - this.delay) > this.#ticks(JUMP_SECONDS) + this.delay;
  }

  /**
   * Every packet counts, and overtaken ones show the jitter best. A packet that is JUMP_SECONDS late or more does not:
   * its delay has another cause than jitter.
   */
  #measureMargin(authorTick: number, ownTick: number): void {
    const margin = authorTick - this.position;
    if (!this.running || margin < -this.#ticks(JUMP_SECONDS)) return;
    this.#margins[this.#bucket] = Math.min(this.#margins[this.#bucket], margin);
    // The lateness is measured from the fastest packets. Measured from `position`, which follows slowly, the same
    // lateness would widen the delay again with every packet.
    const late = maximum(this.#leads) - (authorTick - ownTick) - this.delay;
    if (late <= 0) return;
    this.delay = Math.min(
      this.#ticks(MAX_PLAYOUT_DELAY_SECONDS),
      this.delay + Math.min(MOST_WIDENED * this.#rate, late * WIDEN_SHARE),
    );
  }

  /** Advances by one tick of the receiver; call it once in each. */
  advance(ownTick: number): void {
    this.#enterBucket(ownTick);
    if (!this.running) return;
    const least = minimum(this.#margins);
    if (least > NARROW_MARGIN * this.#rate && least < Infinity && this.delay > this.#least) {
      this.delay = Math.max(this.#least, this.delay - NARROW_PER_TICK);
    }
    const lead = maximum(this.#leads);
    const target = lead > -Infinity ? lead + ownTick - this.delay : this.position + 1;
    const off = target - (this.position + 1);
    const steadyOff = off - (lead - this.#steadyLead());
    if (off > this.#ticks(JUMP_SECONDS) || steadyOff > this.#ticks(BEHIND_SECONDS)) {
      this.position = target;
      this.jumps++;
    } else this.position += 1 + Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, off));
  }

  /** The lesser lead of the last two whole buckets. A single burst can raise the lead of only one of them. */
  #steadyLead(): number {
    const [last, before] = [this.#bucket + BUCKETS - 1, this.#bucket + BUCKETS - 2];
    return Math.min(this.#leads[last % BUCKETS], this.#leads[before % BUCKETS]);
  }

  #enterBucket(ownTick: number): void {
    const bucket = Math.floor(ownTick / this.#ticks(BUCKET_SECONDS)) % BUCKETS;
    if (bucket === this.#bucket) return;
    this.#bucket = bucket;
    this.#leads[bucket] = -Infinity;
    this.#margins[bucket] = Infinity;
  }
}

function minimum(values: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] < least) least = values[i];
  return least;
}

function maximum(values: Float64Array): number {
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i] > most) most = values[i];
  return most;
}
