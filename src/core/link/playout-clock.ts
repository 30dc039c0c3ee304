import { MAX_PLAYOUT_DELAY_TICKS, PLAYOUT_DELAY_TICKS } from '../base/constants.ts';

/** Ticks in one of the buckets over which the least delay is looked for. */
const BUCKET_TICKS = 15;
/** Buckets: two seconds, enough to see the least delay of a jittery path, short enough to follow a clock. */
const BUCKETS = 8;
/** How far the clock may be from where it should be before it jumps: half a second, no rate would catch up. */
const JUMP_TICKS = 30;
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
    if (authorTick <= this.#newest) {
      this.#measureMargin(authorTick);
      return;
    }
    this.#newest = authorTick;
    const lead = authorTick - ownTick;
    if (this.running && Math.abs(authorTick - this.delay - this.position) > JUMP_TICKS + this.delay) {
      this.#leads.fill(-Infinity);
      this.#margins.fill(Infinity);
      this.running = false;
      this.jumps++;
    }
    this.#enterBucket(ownTick);
    this.#leads[this.#bucket] = Math.max(this.#leads[this.#bucket], lead);
    if (!this.running) {
      this.running = true;
      this.position = authorTick - this.delay;
    }
    this.#measureMargin(authorTick);
  }

  /** Every packet counts, overtaken ones most of all; but one from long ago says nothing of the path's jitter. */
  #measureMargin(authorTick: number): void {
    const margin = authorTick - this.position;
    if (!this.running || margin < -JUMP_TICKS) return;
    this.#margins[this.#bucket] = Math.min(this.#margins[this.#bucket], margin);
    if (margin >= 0) return;
    this.delay = Math.min(
      MAX_PLAYOUT_DELAY_TICKS,
      this.delay + Math.min(MOST_WIDENED, -margin * WIDEN_SHARE),
    );
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
    if (off > JUMP_TICKS) {
      this.position = target;
      this.jumps++;
    } else this.position += 1 + Math.max(-MAX_RATE_CHANGE, Math.min(MAX_RATE_CHANGE, off));
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
