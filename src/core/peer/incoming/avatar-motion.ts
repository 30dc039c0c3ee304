import type { BodyId, HandSide } from '../../base/ids.ts';
import { NO_BODY } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';
import { avatarSample, copyAvatar } from '../../wire/avatar/avatar.ts';
import type { PoseWindow } from './avatar-curve.ts';
import { curvePose, poseWindow, SIDE_SAMPLES, WINDOW_SAMPLES } from './avatar-curve.ts';
import type { BatchBuffer, TimedAvatar } from './batches.ts';

/** Due samples that are kept: those around the moment of the last tick, at twice as many frames as ticks. */
const KEPT_SAMPLES = 2 * SIDE_SAMPLES;
/** Seconds between two samples of a curve at the least: nearer ones are from the same frame of the author's display. */
const LEAST_STEP = 1 / 240;

/**
 * [T1] The motion of one author's head and hands. It keeps the newest due samples, lines them up with those that still
 * wait around a moment, and poses head and hands on the curves through them, by the stamps of the samples. A waiting
 * sample counts for where a hand is, but not yet for what it does and carries.
 */
export class AvatarMotion {
  /** A ring of the newest due samples, in the order of their times. */
  readonly #kept: readonly TimedAvatar[] = Array.from({ length: KEPT_SAMPLES }, () => ({
    avatar: avatarSample(),
    time: 0,
  }));
  #keptCount = 0;
  /** The samples around the moment, as in a PoseWindow. */
  readonly #around = new Array<Readonly<TimedAvatar> | null>(WINDOW_SAMPLES).fill(null);
  /** Their times, the moment, and the poses of the head or hand that is posed. */
  readonly #window: PoseWindow;
  /** LEAST_STEP in ticks. */
  readonly #leastStep: number;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#window = poseWindow(rate);
    this.#leastStep = LEAST_STEP * rate;
  }

  /** Forgets all samples. */
  reset(): void {
    this.#keptCount = 0;
  }

  /** True once a sample was due. */
  get hasSample(): boolean {
    return this.#keptCount > 0;
  }

  /** The newest due sample, which says what the hands do and carry; meaningless before the first. */
  get newest(): Readonly<TimedAvatar> {
    return this.#kept[(this.#keptCount - 1) % KEPT_SAMPLES];
  }

  /**
   * Copies a sample that is due. A sample that is older than the newest comes too late; one of the same frame replaces
   * the newest.
   */
  readonly add = (due: Readonly<TimedAvatar>): void => {
    const last = this.#keptCount === 0 ? null : this.newest;
    if (last !== null && due.time < last.time) return;
    if (last === null || due.time >= last.time + this.#leastStep) this.#keptCount++;
    const into = this.#kept[(this.#keptCount - 1) % KEPT_SAMPLES];
    copyAvatar(due.avatar, into.avatar);
    into.time = due.time;
  };

  /**
   * Sets the moment of the poses below, in ticks of the author. There must be a due sample.
   * @param position of the playout clock: ticks after it may still wait.
   * @returns the newest sample before the moment, or the oldest of all if there is none.
   */
  moveTo(moment: number, position: number, waiting: BatchBuffer): Readonly<AvatarSample> {
    this.#window.moment = moment;
    this.#around.fill(null);
    for (let i = Math.max(0, this.#keptCount - KEPT_SAMPLES); i < this.#keptCount; i++) {
      this.#lineUp(this.#kept[i % KEPT_SAMPLES]);
    }
    const first = Math.floor(position) + 1;
    for (let tick = first; this.#around[WINDOW_SAMPLES - 1] === null && tick <= waiting.newest; tick++) {
      const sample = waiting.waitingAvatar(tick);
      if (sample !== null) this.#lineUp(sample);
    }
    const { times } = this.#window;
    for (let i = 0; i < times.length; i++) {
      const sample = this.#around[i];
      if (sample !== null) times[i] = sample.time;
    }
    return (this.#around[SIDE_SAMPLES - 1] ?? this.newest).avatar;
  }

  /** Puts the next sample, in the order of ticks, where it belongs around the moment. */
  #lineUp(sample: Readonly<TimedAvatar>): void {
    const around = this.#around;
    const before = around[SIDE_SAMPLES - 1];
    let end = SIDE_SAMPLES;
    while (end < around.length && around[end] !== null) end++;
    const last = around[end - 1];
    const isNewFrame = last === null || sample.time >= last.time + this.#leastStep;
    if (before === null || (end === SIDE_SAMPLES && sample.time <= this.#window.moment)) {
      // A loop: Array.copyWithin is many times slower for so few.
      if (isNewFrame) for (let i = 1; i < SIDE_SAMPLES; i++) around[i - 1] = around[i];
      // If two samples are from one frame, the newer counts.
      if (last === null || sample.time >= last.time) around[SIDE_SAMPLES - 1] = sample;
    } else if (isNewFrame && end < around.length) around[end] = sample;
  }

  /** The moment of the poses, in ticks of the author: that of the last sample if none after it has come. */
  get moment(): number {
    const { times, moment } = this.#window;
    if (this.#around[SIDE_SAMPLES - 1] === null) return moment;
    return this.#around[SIDE_SAMPLES] === null
      ? times[SIDE_SAMPLES - 1]
      : Math.max(moment, times[SIDE_SAMPLES - 1]);
  }

  /** Poses the head at the moment. */
  poseHead(out: Pose): void {
    const { poses } = this.#window;
    for (let i = 0; i < poses.length; i++) poses[i] = this.#around[i]?.avatar.head ?? null;
    curvePose(this.#window, out);
  }

  /**
   * Poses a hand at the moment.
   * @param carried the curve goes only through samples whose hand carries this body; NO_BODY: through all of them.
   */
  poseHand(side: HandSide, carried: BodyId, out: Pose): void {
    this.#poseOfHand(side, 'pose', carried, out);
  }

  /** Poses a carried body relative to the hand at the moment, by the samples whose hand carries it. */
  poseOffset(side: HandSide, carried: BodyId, out: Pose): void {
    this.#poseOfHand(side, 'offset', carried, out);
  }

  #poseOfHand(side: HandSide, part: 'pose' | 'offset', carried: BodyId, out: Pose): void {
    const { poses } = this.#window;
    for (let i = 0; i < poses.length; i++) {
      const hand = this.#around[i]?.avatar.hands[side] ?? null;
      const counts = hand !== null && hand.tracked && (carried === NO_BODY || hand.held === carried);
      poses[i] = !counts ? null : part === 'pose' ? hand.pose : hand.offset;
    }
    curvePose(this.#window, out);
  }
}

/** True if a sample's hand is tracked and holds the body. */
export function carries(hand: Readonly<HandSample>, body: BodyId): boolean {
  return hand.tracked && hand.held === body;
}
