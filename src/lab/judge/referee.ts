import { TICK_MS, TICK_RATE } from '../../core/base/constants.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { Hand } from '../game/hand.ts';
import { handDistance } from '../game/hand.ts';
import { apart } from '../game/poses.ts';

/** Metres in a tick below which a hand, or a cube, is still; and the ticks for which it must have been still. */
const STILL_HAND = 0.002;
const STILL_CUBE = 0.0006;
const STILL_TICKS = 6;
/** Metres that a hand, and then a cube, must move to count as moving. */
const BEGUN_HAND = 0.004;
const BEGUN_CUBE = 0.02;
/** Ticks after which the cube's answer is no longer awaited. */
const GIVEN_UP = 3 * TICK_RATE;
/**
 * Metres by which the third difference of the drawn path must exceed 0 for a jump: 6 cm, about 13,000 m/s³.
 * Bodies that are pushed, fall, or are hit by a hand of 3 m/s stay below.
 */
const JUMP = 0.06;
/** Ticks between two jumps of a body that both count. */
const JUMP_PAUSE = 6;
/** Metres in a tick from which a body counts as moving: 5 cm a second. */
const MOVES = 0.05 / TICK_RATE;

export type Judgement = {
  /** Milliseconds, one value for each start of the hand. */
  readonly delays: readonly number[];
  /** Metres, one value for each moving body and tick. */
  readonly errors: Spread;
  readonly jumps: number;
  readonly ticks: number;
};

/**
 * Judges the picture of one player. It belongs to no model and knows none: it sees the player's hand, the drawn
 * poses, and the poses on the simulating machines.
 */
export class LabReferee {
  readonly #own: number;
  readonly #total = tally();
  #recent = tally();
  #recentJumps = 0;
  readonly #drawn: Way;
  readonly #true: Way;
  #ticks = 0;
  #hand: Hand | null = null;
  /** The place where the hand stopped, and the ticks for which it and its cube have stood. */
  #stood: Hand | null = null;
  #handStill = 0;
  #cubeStill = 0;
  /** The tick in which the hand started to move, -1 if nothing is awaited; and the cube's place at that tick. */
  #begunAt = -1;
  readonly #cube = new Float32Array(3);

  /** @param own the player's cube. */
  constructor(bodies: number, own: number) {
    this.#own = own * POSE_STRIDE;
    this.#drawn = new Way(bodies);
    this.#true = new Way(bodies);
  }

  /** One tick: the hand that the model got, and the poses after it. */
  observe(hand: Hand, drawn: Float32Array, truth: Float32Array): void {
    this.#ticks++;
    this.#total.ticks++;
    this.#recent.ticks++;
    this.#watchHand(hand);
    this.#drawn.add(drawn);
    this.#true.add(truth);
    this.#watchCube(drawn);
    for (let body = 0, at = 0; at < drawn.length; body++, at += POSE_STRIDE) {
      if (!this.#drawn.moves(body) && !this.#true.moves(body)) continue;
      const error = apart(drawn, at, truth, at);
      this.#total.errors.add(error);
      this.#recent.errors.add(error);
    }
  }

  #watchHand(hand: Hand): void {
    const moved = this.#hand === null ? 0 : handDistance(hand, this.#hand);
    this.#hand = hand;
    if (moved < STILL_HAND) {
      this.#handStill++;
      if (this.#handStill === STILL_TICKS) this.#stood = hand;
      return;
    }
    const from = this.#stood;
    this.#handStill = 0;
    if (from === null || handDistance(hand, from) < BEGUN_HAND) return;
    this.#stood = null;
    if (this.#cubeStill >= STILL_TICKS && this.#drawn.count > 0) {
      this.#begunAt = this.#ticks;
      this.#cube.set(this.#drawn.last.subarray(this.#own, this.#own + 3));
    }
  }

  #watchCube(drawn: Float32Array): void {
    this.#cubeStill = this.#drawn.stepOf(this.#own) < STILL_CUBE ? this.#cubeStill + 1 : 0;
    if (this.#begunAt < 0) return;
    if (apart(drawn, this.#own, this.#cube, 0) > BEGUN_CUBE) {
      const delay = (this.#ticks - this.#begunAt + 1) * TICK_MS;
      this.#total.delays.push(delay);
      this.#recent.delays.push(delay);
      this.#begunAt = -1;
    } else if (this.#ticks - this.#begunAt > GIVEN_UP) this.#begunAt = -1;
  }

  /** All measures since the beginning. */
  get judgement(): Judgement {
    return { ...this.#total, jumps: this.#jumps };
  }

  /** The measures since the last call. */
  takeRecent(): Judgement {
    const recent = { ...this.#recent, jumps: Math.max(0, this.#jumps - this.#recentJumps) };
    this.#recentJumps = this.#jumps;
    this.#recent = tally();
    return recent;
  }

  /** The jumps that were drawn, less those that the bodies made on the simulating machines. */
  get #jumps(): number {
    return Math.max(0, this.#drawn.jumps - this.#true.jumps);
  }
}

/** Sums from the beginning, or since a moment. */
type Tally = { readonly delays: number[]; readonly errors: Spread; ticks: number };

function tally(): Tally {
  return { delays: [], errors: new Spread(), ticks: 0 };
}

/** Metres in one class of the histogram, and the number of classes. Larger errors fall into the last. */
const CLASS = 0.002;
const CLASSES = 4000;

/** A histogram of errors, in memory that does not grow. */
class Spread {
  count = 0;
  worst = 0;
  #sum = 0;
  readonly #classes = new Uint32Array(CLASSES);

  add(error: number): void {
    this.count++;
    this.#sum += error;
    this.worst = Math.max(this.worst, error);
    this.#classes[Math.min(CLASSES - 1, Math.floor(error / CLASS))]++;
  }

  /** The mean error; NaN if there are no errors. */
  get mean(): number {
    return this.count === 0 ? NaN : this.#sum / this.count;
  }

  /** The error below which this share lies, to the width of a class. */
  below(share: number): number {
    if (this.count === 0) return NaN;
    let seen = 0;
    let at = 0;
    while (at < CLASSES - 1 && seen + this.#classes[at] < share * this.count) seen += this.#classes[at++];
    return Math.min(this.worst, (at + 0.5) * CLASS);
  }
}

/** The last poses of all bodies, and their number of jumps. */
class Way {
  /** The poses of the last four ticks, the newest first. */
  readonly #poses: Float32Array[];
  readonly #jumpedAt: Int32Array;
  jumps = 0;
  count = 0;

  constructor(bodies: number) {
    this.#poses = Array.from({ length: 4 }, () => new Float32Array(bodies * POSE_STRIDE));
    this.#jumpedAt = new Int32Array(bodies).fill(-JUMP_PAUSE);
  }

  get last(): Float32Array {
    return this.#poses[0];
  }

  add(poses: Float32Array): void {
    const oldest = this.#poses.pop();
    if (oldest === undefined) return;
    oldest.set(poses);
    this.#poses.unshift(oldest);
    this.count++;
    if (this.count < 4) return;
    for (let body = 0, at = 0; at < poses.length; body++, at += POSE_STRIDE) {
      if (this.count - this.#jumpedAt[body] < JUMP_PAUSE || this.#jerk(at) < JUMP) continue;
      this.#jumpedAt[body] = this.count;
      this.jumps++;
    }
  }

  /** Metres that the body at `at` moved in the last tick. */
  stepOf(at: number): number {
    return this.count < 2 ? 0 : apart(this.#poses[0], at, this.#poses[1], at);
  }

  moves(body: number): boolean {
    return this.stepOf(body * POSE_STRIDE) > MOVES;
  }

  #jerk(at: number): number {
    const [a, b, c, d] = this.#poses;
    let squares = 0;
    for (let i = at; i < at + 3; i++) squares += (a[i] - 3 * b[i] + 3 * c[i] - d[i]) ** 2;
    return Math.sqrt(squares);
  }
}
