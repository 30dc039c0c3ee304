import { TICK_MS, TICK_RATE } from '../../core/base/constants.ts';
import { quaternion } from '../../core/base/math.ts';
import { POSE_STRIDE } from '../../core/base/state.ts';
import type { Hand } from '../game/hand.ts';
import { handDistance } from '../game/hand.ts';
import { apart, rotationAt } from '../game/poses.ts';
import { ContestedBodies } from './contested.ts';
import { DrawnPath } from './drawn-path.ts';
import type { JudgedBodies } from './push-response.ts';
import { PushResponse } from './push-response.ts';
import { Spread } from './spread.ts';

/** Metres in a tick below which a hand, or a cube, is still; and the ticks for which it must have been still. */
const STILL_HAND = 0.002;
const STILL_CUBE = 0.0006;
const STILL_TICKS = 6;
/** Metres that a hand, and then a cube, must move to count as moving. */
const BEGUN_HAND = 0.004;
const BEGUN_CUBE = 0.02;
/** Ticks after which the cube's answer is no longer awaited. */
const GIVEN_UP = 3 * TICK_RATE;
/** Widths of a class of errors: metres, and degrees. */
const METRES = 0.002;
const DEGREES = 0.1;

export type Judgement = {
  /** Milliseconds, one value for each start of the hand. */
  readonly delays: readonly number[];
  /** Milliseconds, one value for each cube at rest that the hand has met and that answered. */
  readonly pushes: readonly number[];
  /** Metres, one value for each moving body and tick; of these, the bodies that two players have just touched. */
  readonly errors: Spread;
  readonly contested: Spread;
  /** Degrees between the drawn and the true rotation of each moving body. */
  readonly turns: Spread;
  /** Metres between the places of a moving body on two players' screens at the same moment. */
  readonly screens: Spread;
  readonly jumps: number;
  readonly ticks: number;
};

/**
 * Judges the picture of one player. It belongs to no model and knows none: it sees the player's hand, the drawn
 * poses, another player's drawn poses, and the truth. The truth of a body at a moment is where the machine that decides
 * about it has it at the viewer's present.
 */
export class LabReferee {
  readonly #own: number;
  readonly #total = tally();
  #recent = tally();
  #recentJumps = 0;
  readonly #drawn: DrawnPath;
  readonly #true: DrawnPath;
  readonly #other: DrawnPath;
  readonly #seen: DrawnPath;
  readonly #push: PushResponse;
  readonly #contested: ContestedBodies;
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
  constructor(bodies: JudgedBodies, own: number) {
    const count = bodies.halves.length;
    this.#own = own * POSE_STRIDE;
    this.#drawn = new DrawnPath(count);
    this.#true = new DrawnPath(count);
    this.#other = new DrawnPath(count);
    this.#seen = new DrawnPath(count);
    this.#push = new PushResponse(bodies, own);
    this.#contested = new ContestedBodies(bodies);
  }

  /** One moment on two screens: the viewer's, and another player's. */
  compare(drawn: Float32Array, other: Float32Array): void {
    this.#seen.add(drawn);
    this.#other.add(other);
    for (let body = 0, at = 0; at < drawn.length; body++, at += POSE_STRIDE) {
      if (!this.#seen.moves(body) && !this.#other.moves(body)) continue;
      this.#add('screens', apart(drawn, at, other, at));
    }
  }

  #add(what: 'errors' | 'contested' | 'turns' | 'screens', error: number): void {
    this.#total[what].add(error);
    this.#recent[what].add(error);
  }

  /** One tick: the hand that the model got, the poses that the viewer saw after it, and the truth of that moment. */
  observe(hand: Hand, drawn: Float32Array, truth: Float32Array): void {
    this.#ticks++;
    this.#total.ticks++;
    this.#recent.ticks++;
    this.#watchHand(hand);
    this.#drawn.add(drawn);
    this.#true.add(truth);
    this.#watchCube(drawn);
    this.#push.observe(hand, drawn, truth, (ms) => {
      this.#total.pushes.push(ms);
      this.#recent.pushes.push(ms);
    });
    this.#contested.observe(truth);
    for (let body = 0, at = 0; at < drawn.length; body++, at += POSE_STRIDE) {
      if (!this.#drawn.moves(body) && !this.#true.moves(body)) continue;
      const error = apart(drawn, at, truth, at);
      this.#add('errors', error);
      if (this.#contested.has(body)) this.#add('contested', error);
      const angle = turnBetween(drawn, truth, at + 3);
      this.#add('turns', (angle * 180) / Math.PI);
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
type Tally = Omit<Judgement, 'jumps' | 'ticks' | 'delays' | 'pushes'> & {
  readonly delays: number[];
  readonly pushes: number[];
  ticks: number;
};

function tally(): Tally {
  return {
    delays: [],
    pushes: [],
    errors: new Spread(METRES),
    contested: new Spread(METRES),
    turns: new Spread(DEGREES),
    screens: new Spread(METRES),
    ticks: 0,
  };
}

const one = quaternion();
const other = quaternion();

/** Radians between two rotations at the same place; exact also for small angles, where the arc cosine is not. */
function turnBetween(a: Float32Array, b: Float32Array, at: number): number {
  rotationAt(a, at, one);
  rotationAt(b, at, other);
  const [minus, plus] = [-1, 1].map((sign) =>
    Math.hypot(
      one.x + sign * other.x,
      one.y + sign * other.y,
      one.z + sign * other.z,
      one.w + sign * other.w,
    ),
  );
  return 4 * Math.asin(Math.min(1, Math.min(minus, plus) / 2));
}
