import { PLAYOUT_DELAY_SECONDS, TICK_RATE, TICK_SECONDS, ticksIn } from '../../core/base/constants.ts';
import { MOTION, POSE_STRIDE, STRIDE } from '../../core/base/state.ts';
import { PlayoutClock } from '../../core/link/playout-clock.ts';
import { blendPose, extrapolatePose, posesOf } from '../game/poses.ts';

/** The world in one of the sender's ticks: STRIDE numbers a body. */
export type Frame = { readonly tick: number; readonly motion: Float32Array };

/** Draws frames, however they arrive. Time is in ticks. */
export interface LabPlayback {
  /** A frame has arrived, newer than all before. */
  add(frame: Frame, ownTick: number): void;
  /** Advances by one tick of the receiver, and draws: POSE_STRIDE numbers a body. */
  advance(ownTick: number, out: Float32Array): void;
}

/** Ticks for which a moving body is drawn on along its path when no frame arrives: 100 ms. */
export const EXTRAPOLATED = 6;
/** The most ticks between two frames that are joined by a path. */
export const JUMP_GAP = 18;

/** Draws each frame until the next one arrives. */
export class Latest implements LabPlayback {
  #frame: Frame | null = null;

  add(frame: Frame): void {
    this.#frame = frame;
  }

  advance(_ownTick: number, out: Float32Array): void {
    if (this.#frame !== null) posesOf(this.#frame.motion, out);
  }
}

/**
 * (a) A straight line to the last frame. It starts from the drawn place whenever that frame arrives, and takes
 * as long as lay between the last two frames.
 */
export class LinearPlayback implements LabPlayback {
  #to: Frame | null = null;
  readonly #from: Float32Array;
  readonly #drawn: Float32Array;
  #span = 1;
  #begunAt = 0;

  constructor(bodies: number) {
    this.#from = new Float32Array(bodies * POSE_STRIDE);
    this.#drawn = new Float32Array(bodies * POSE_STRIDE);
  }

  add(frame: Frame, ownTick: number): void {
    if (this.#to === null) posesOf(frame.motion, this.#drawn);
    else this.#span = frame.tick - this.#to.tick;
    this.#from.set(this.#drawn);
    this.#to = frame;
    this.#begunAt = ownTick;
  }

  advance(ownTick: number, out: Float32Array): void {
    if (this.#to === null) return;
    const share = Math.min(1, (ownTick - this.#begunAt + 1) / this.#span);
    for (let at = 0, m = 0; at < out.length; at += POSE_STRIDE, m += STRIDE) {
      blendPose(this.#from, at, this.#to.motion, m, share, this.#drawn, at);
    }
    out.set(this.#drawn);
  }
}

/** The most of the ticks between two cached frames: two of them hold 100 ms at most. */
const CACHED_EVERY = 3;
/** Ticks by which the newest frame may be further ahead than the cache before time runs faster, and by how much. */
const AHEAD = 3;
const RATE_CHANGE = 0.008;

/**
 * (b) Constant speed towards the next frame, by the times at which frames were sent. Two frames are cached. When
 * none is left, it continues at the sent velocity for at most 100 ms, then stands. It jumps between frames that
 * lie further apart than JUMP_GAP.
 */
export class ConstantSpeedPlayback implements LabPlayback {
  #target: Frame | null = null;
  #next: Frame | null = null;
  /** The least ticks between two cached frames. */
  readonly #every: number;
  /**
   * The start of the path to the target (STRIDE numbers a body, only poses count), and the sender's time there.
   */
  readonly #from: Float32Array;
  #fromTime = 0;
  #time = 0;
  readonly #drawn: Float32Array;

  /** @param sendEvery ticks between two frames. */
  constructor(bodies: number, sendEvery: number) {
    this.#every = Math.min(CACHED_EVERY, sendEvery);
    this.#from = new Float32Array(bodies * STRIDE);
    this.#drawn = new Float32Array(bodies * POSE_STRIDE);
  }

  add(frame: Frame): void {
    if (this.#target === null) {
      this.#jumpTo(frame);
      // Two frames are cached before anything moves.
      this.#time = frame.tick - 2 * this.#every;
      this.#fromTime = this.#time;
      return;
    }
    const last = this.#next ?? this.#target;
    if (frame.tick - last.tick >= this.#every || frame.tick - this.#time < this.#every) this.#next = frame;
  }

  advance(_ownTick: number, out: Float32Array): void {
    let target = this.#target;
    if (target === null) return;
    const ahead = (this.#next ?? target).tick - this.#time;
    const before = this.#time;
    this.#time += 1 + (ahead > 2 * this.#every + AHEAD ? RATE_CHANGE : 0);
    if (this.#next !== null && this.#time >= target.tick) {
      this.#turnTo(this.#next, before);
      target = this.#next;
      this.#next = null;
    }
    if (this.#time < target.tick) {
      const share = (this.#time - this.#fromTime) / (target.tick - this.#fromTime);
      blendAll(this.#from, target.motion, share, this.#drawn);
    } else {
      this.#time = Math.min(this.#time, target.tick + EXTRAPOLATED);
      extrapolateAll(target.motion, this.#time - target.tick, this.#drawn);
    }
    out.set(this.#drawn);
  }

  #turnTo(next: Frame, before: number): void {
    const target = this.#target;
    if (target === null || next.tick - target.tick > JUMP_GAP) {
      this.#jumpTo(next);
      return;
    }
    this.#target = next;
    if (before <= target.tick) {
      this.#from.set(target.motion);
      this.#fromTime = target.tick;
      return;
    }
    // It continued without a frame, so it starts from the drawn place.
    for (let at = 0, body = 0; at < this.#drawn.length; at += POSE_STRIDE, body++) {
      this.#from.set(this.#drawn.subarray(at, at + POSE_STRIDE), body * STRIDE);
    }
    this.#fromTime = before;
  }

  #jumpTo(frame: Frame): void {
    this.#target = frame;
    this.#from.set(frame.motion);
    this.#fromTime = frame.tick;
    this.#time = frame.tick;
  }
}

/** Frames that the source caches. */
const CACHE = 2;
/** The share by which time runs faster while the cache is full: as FishNet's transforms catch up. */
const CATCHES_UP = 0.05;

/**
 * (c) Constant speed from frame to frame, as FishNet's transforms move: the way between two frames takes as long as lay
 * between them when they were sent. Two frames are cached; a third one replaces the older. While the cache is full,
 * time runs a little faster; when it is empty, bodies go straight on for 100 ms. Only arrivals set the clock: after a
 * gap, the path to the next frame begins when that frame arrives, where the body is drawn then.
 */
export class CachedPlayback implements LabPlayback {
  #last: Frame | null = null;
  #target: Frame | null = null;
  #cache: Frame[] = [];
  readonly #from: Float32Array;
  readonly #drawn: Float32Array;
  /** Ticks since the path to the target began, and ticks that it takes. */
  #gone = 0;
  #span = 1;

  constructor(bodies: number) {
    this.#from = new Float32Array(bodies * STRIDE);
    this.#drawn = new Float32Array(bodies * POSE_STRIDE);
  }

  add(frame: Frame): void {
    if (this.#last === null) {
      this.#last = frame;
      posesOf(frame.motion, this.#drawn);
      return;
    }
    this.#cache.push(frame);
    if (this.#cache.length > CACHE) this.#cache.shift();
  }

  advance(_ownTick: number, out: Float32Array): void {
    if (this.#last === null) return;
    this.#gone += this.#cache.length >= CACHE ? 1 + CATCHES_UP : 1;
    if (this.#target === null || this.#gone > this.#span) this.#turnToNext();
    if (this.#target === null) {
      if (this.#gone <= EXTRAPOLATED) extrapolateAll(this.#last.motion, this.#gone, this.#drawn);
    } else blendAll(this.#from, this.#target.motion, this.#gone / this.#span, this.#drawn);
    out.set(this.#drawn);
  }

  #turnToNext(): void {
    const arrives = this.#target !== null;
    if (this.#target !== null) {
      this.#gone -= this.#span;
      this.#last = this.#target;
    }
    this.#target = this.#cache.shift() ?? null;
    if (this.#target === null || this.#last === null) return;
    const span = this.#target.tick - this.#last.tick;
    if (arrives) this.#from.set(this.#last.motion);
    else {
      for (let at = 0, body = 0; at < this.#drawn.length; at += POSE_STRIDE, body++)
        this.#from.set(this.#drawn.subarray(at, at + POSE_STRIDE), body * STRIDE);
    }
    const isFar = span > JUMP_GAP;
    // The path begins now. Time beyond the last target counts for it, but at most one tick: after a gap it was a wait.
    this.#gone = isFar ? span : Math.min(1, this.#gone);
    this.#span = span;
  }
}

/** [T2] The least playout delay in ticks. */
const PLAYOUT_DELAY = ticksIn(PLAYOUT_DELAY_SECONDS, TICK_RATE);
/** The most frames that wait: two seconds at full rate. */
const WAITING = 128;

/**
 * (d) A Hermite curve through the frames with their velocities, behind a buffer of 100 ms that widens when
 * frames arrive late: Handover's own playout clock.
 */
export class HermitePlayback implements LabPlayback {
  readonly #frames: Frame[] = [];
  readonly #clock: PlayoutClock;

  /** @param sendEvery ticks between two frames: the buffer holds two of them, and 100 ms at most. */
  constructor(sendEvery = PLAYOUT_DELAY / 2) {
    this.#clock = new PlayoutClock(TICK_RATE, Math.min(PLAYOUT_DELAY, 2 * sendEvery));
  }

  add(frame: Frame, ownTick: number): void {
    this.#frames.push(frame);
    if (this.#frames.length > WAITING) this.#frames.shift();
    this.#clock.arrive(frame.tick, ownTick);
  }

  advance(ownTick: number, out: Float32Array): void {
    this.#clock.advance(ownTick);
    const frames = this.#frames;
    if (frames.length === 0) return;
    const { position } = this.#clock;
    while (frames.length > 1 && frames[1].tick <= position) frames.shift();
    const [from, to] = frames;
    if (position <= from.tick) posesOf(from.motion, out);
    else if (frames.length === 1) {
      extrapolateAll(from.motion, Math.min(EXTRAPOLATED, position - from.tick), out);
    } else hermiteAll(from, to, position, out);
  }

  /** The drawn tick of the sender. */
  get position(): number {
    return this.#clock.position;
  }
}

function blendAll(from: Float32Array, to: Float32Array, share: number, out: Float32Array): void {
  for (let at = 0, m = 0; at < out.length; at += POSE_STRIDE, m += STRIDE) {
    blendPose(from, m, to, m, share, out, at);
  }
}

function extrapolateAll(from: Float32Array, ticks: number, out: Float32Array): void {
  for (let at = 0, m = 0; at < out.length; at += POSE_STRIDE, m += STRIDE) {
    extrapolatePose(from, m, ticks * TICK_SECONDS, out, at);
  }
}

function hermiteAll(from: Frame, to: Frame, position: number, out: Float32Array): void {
  const span = to.tick - from.tick;
  const t = (position - from.tick) / span;
  const seconds = span * TICK_SECONDS;
  const [a, b] = [from.motion, to.motion];
  const rises = t * t * (3 - 2 * t);
  const leaves = t * (1 - t) * (1 - t) * seconds;
  const arrives = t * t * (t - 1) * seconds;
  for (let at = 0, m = 0; at < out.length; at += POSE_STRIDE, m += STRIDE) {
    blendPose(a, m, b, m, t, out, at);
    for (let i = 0; i < 3; i++) {
      const v = m + MOTION.linear + i;
      out[at + i] = a[m + i] + (b[m + i] - a[m + i]) * rises + a[v] * leaves + b[v] * arrives;
    }
  }
}
