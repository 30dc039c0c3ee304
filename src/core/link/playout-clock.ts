import { MAX_PLAYOUT_DELAY_TICKS, PLAYOUT_DELAY_TICKS } from '../base/constants.ts';

/** Ticks in one of the buckets over which the least delay is looked for. */
const BUCKET_TICKS = 15;
/** Buckets: two seconds, enough to see the least delay of a jittery path, short enough to follow a clock. */
const BUCKETS = 8;
/** How far the clock may be from where it should be before it jumps: half a second, no rate would catch up. */
const JUMP_TICKS = 30;
/** How far it may be behind for two buckets in a row before it jumps forward: the receiver stalled for a moment. */
const BEHIND_TICKS = 8;
/** Ticks for which every packet came too late, after which it jumps too: the author stalled for a moment. */
const LATE_TICKS = 20;
/** Ticks after a start or a jump in which it still follows the fastest packet at once: a stall ends in a burst. */
const SETTLE_TICKS = 6;
/** The rate change by which it follows otherwise: 2 % can't be seen in a hand. */
const MAX_RATE_CHANGE = 0.02;
/** Share of a packet's lateness by which it widens the delay, and the most in ticks: one stray is no trend. */
const WIDEN_SHARE = 0.25;
const MOST_WIDENED = 1;
/** Ticks by which the delay narrows per tick once packets come early: from the most to 100 ms in 20 s. */
const NARROW_PER_TICK = 0.02;
/** Ticks that the earliest-needed packet must have in hand before the delay narrows. */
const NARROW_MARGIN = 1.5;

/**
 * [T2] Where in one author's time a receiver plays: behind the newest by the playout delay. The delay is
 * counted from the packets that came fastest; it widens by as much as packets come too late, and narrows
 * slowly. Time is in ticks, the author's and the receiver's own.
 */
export class PlayoutClock {
  /** The author's time that is shown in the present tick; valid once `running`. */
  position = 0;
  running = false;
  /** Ticks that the fastest packets wait. */
  delay = PLAYOUT_DELAY_TICKS;
  /** Times that the clock jumped after it had started. */
  jumps = 0;
  #newest = -1;
  /** The receiver's ticks: when it started or jumped, and since when no packet was in time (-1: the last was). */
  #startedAt = 0;
  #lateSince = -1;
  /** The delay before that: a stall is no reason to widen it. */
  #delayBefore = PLAYOUT_DELAY_TICKS;
  /** Greatest lead (author's tick - own tick) in each bucket: of the fastest packets. */
  readonly #leads = new Float64Array(BUCKETS).fill(-Infinity);
  #bucket = 0;
  /** The least time in hand of a packet in the running two seconds. */
  readonly #margins = new Float64Array(BUCKETS).fill(Infinity);

  /** Forgets everything: the author's next packet starts the clock. */
  restart(): void {
    this.running = false;
    this.delay = PLAYOUT_DELAY_TICKS;
    this.#newest = -1;
    this.#leads.fill(-Infinity);
    this.#margins.fill(Infinity);
  }

  /** Notes that the author's `authorTick` arrived at the receiver's `ownTick`. */
  arrive(authorTick: number, ownTick: number): void {
    // Said again, by a host that has heard nothing newer of a silent guest: it says nothing of the path.
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
    const settles = ownTick - this.#startedAt < SETTLE_TICKS;
    if (settles) this.position = Math.max(this.position, authorTick - this.delay);
    this.#measureMargin(authorTick, ownTick);
  }

  /** True if the clock is too far off to be led back; `margin` is the time that a new packet has in hand. */
  #isAstray(margin: number, ownTick: number): boolean {
    if (margin >= 0) this.#lateSince = -1;
    else if (this.#lateSince < 0) {
      this.#lateSince = ownTick;
      this.#delayBefore = this.delay;
    }
    const stalled = this.#lateSince >= 0 && ownTick - this.#lateSince >= LATE_TICKS;
    return stalled || Math.abs(margin - this.delay) > JUMP_TICKS + this.delay;
  }

  /** Every packet counts, overtaken ones most of all; but one from long ago says nothing of the path's jitter. */
  #measureMargin(authorTick: number, ownTick: number): void {
    const margin = authorTick - this.position;
    if (!this.running || margin < -JUMP_TICKS) return;
    this.#margins[this.#bucket] = Math.min(this.#margins[this.#bucket], margin);
    // Against the fastest, not against the position, which only follows: else it would count again and again.
    const late = maximum(this.#leads) - (authorTick - ownTick) - this.delay;
    if (late <= 0) return;
    this.delay = Math.min(MAX_PLAYOUT_DELAY_TICKS, this.delay + Math.min(MOST_WIDENED, late * WIDEN_SHARE));
  }

  /** Moves on by one tick of the receiver; call once a tick. */
  advance(ownTick: number): void {
    this.#enterBucket(ownTick);
    if (!this.running) return;
    const least = minimum(this.#margins);
    if (least > NARROW_MARGIN && least < Infinity && this.delay > PLAYOUT_DELAY_TICKS) {
      this.delay = Math.max(PLAYOUT_DELAY_TICKS, this.delay - NARROW_PER_TICK);
    }
    const lead = maximum(this.#leads);
    const target = lead > -Infinity ? lead + ownTick - this.delay : this.position + 1;
    const off = target - (this.position + 1);
    const steadyOff = off - (lead - this.#steadyLead());
    if (off > JUMP_TICKS || steadyOff > BEHIND_TICKS) {
      this.position = target;
      this.jumps++;
    } else this.position += 1 + Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, off));
  }

  /** The lead that both of the last two whole buckets had: one burst raises that of one of them alone. */
  #steadyLead(): number {
    const [last, before] = [this.#bucket + BUCKETS - 1, this.#bucket + BUCKETS - 2];
    return Math.min(this.#leads[last % BUCKETS], this.#leads[before % BUCKETS]);
  }

  #enterBucket(ownTick: number): void {
    const bucket = Math.floor(ownTick / BUCKET_TICKS) % BUCKETS;
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
