import type { BodyId, HandSide } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import { composePose, copyPose, lerpPose, pose } from '../../base/math.ts';
import { clampHeld } from '../../hands/clamp-held.ts';
import type { HandGesture } from '../../hands/hand-gesture.ts';
import { copyFlags, handGesture } from '../../hands/hand-gesture.ts';
import { JitterBuffer } from '../../link/jitter-buffer.ts';
import { PlayoutClock } from '../../link/playout-clock.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';
import { AGE_STEPS, avatarSample, copyAvatar, SQUEEZE_STEPS, VOICE_STEPS } from '../../wire/avatar/avatar.ts';
import { dequantisePose } from '../../wire/bodies/quantise.ts';
import type { BodyUpdate } from '../../wire/bodies/update.ts';
import { bodyUpdate } from '../../wire/bodies/update.ts';
import { curvePose, REACH } from './avatar-curve.ts';
import type { PackedIndex } from './update-pool.ts';
import { UpdatePool } from './update-pool.ts';

/** An avatar at a moment, in the author's ticks. */
type Moment = { readonly avatar: AvatarSample; time: number };

/** What one author said in one of its ticks. */
type Batch = Moment & {
  hasAvatar: boolean;
  /** Where its updates are: the first `count` are of this batch; an array that shrinks would be garbage. */
  readonly updates: PackedIndex[];
  count: number;
  /** The highest of their bodies, or -1: packets go through them upwards, so that few have to be looked for. */
  highest: number;
};

/** Due samples that are kept: those around the last tick's moment, at twice as many frames as ticks. */
const PAST = 2 * REACH;
/** Ticks between two samples of a curve at the least: nearer ones are of one frame. */
const LEAST_STEP = 0.25;
/** Ticks in a tick beyond which the clock has jumped, and there is no way between the two. */
const MOST_STEP = 2;

/** One author's hands and head as they are shown after the present tick. */
export type ShownAvatar = {
  readonly head: Pose;
  readonly hands: readonly [ShownHand, ShownHand];
  voice: number;
};

export type ShownHand = HandGesture & {
  readonly pose: Pose;
  /** [A9] The body that it reaches for, or NO_BODY. */
  reach: BodyId;
  /** The body that the due sample carries in this hand, and where it is; or NO_BODY. */
  carried: BodyId;
  readonly carriedPose: Pose;
};

/**
 * [T2], [T3] One author's poses on their way from arrival to show: its jitter buffer and its playout clock,
 * which its hands and what they throw share. It knows nothing of who has a body.
 */
export class AuthorStream {
  readonly clock = new PlayoutClock();
  readonly shown: ShownAvatar = { head: pose(), hands: [shownHand(), shownHand()], voice: 0 };
  /** The poses of the tick before, for drawing between the two. */
  readonly before: { readonly head: Pose; readonly hands: readonly [Pose, Pose] } = {
    head: pose(),
    hands: [pose(), pose()],
  };
  /** Where head and hands are between the two, as drawBetween has it. */
  readonly drawn: { readonly head: Pose; readonly hands: readonly [Pose, Pose] } = {
    head: pose(),
    hands: [pose(), pose()],
  };
  /** True once there is an avatar to show. */
  hasAvatar = false;
  readonly #apply: (update: BodyUpdate) => void;
  readonly #buffer = new JitterBuffer<Batch>(batch, (b) => this.#clear(b));
  /** The updates of all batches. */
  readonly #pool = new UpdatePool();
  readonly #dueUpdate = bodyUpdate();
  /** The newest samples of due ticks: what the last of them carries is in the hand from now on. */
  readonly #past: readonly Moment[] = Array.from({ length: PAST }, () => ({
    avatar: avatarSample(),
    time: 0,
  }));
  #pastCount = 0;
  /** The clock's position in the tick before. */
  #lastPosition = 0;
  /** The moment that is posed, in the author's ticks, and the samples around it: REACH before it and REACH after it, where there are as many. */
  #moment = 0;
  readonly #row = new Array<Moment | null>(2 * REACH).fill(null);

  /** @param apply gets the states that are due. */
  constructor(apply: (update: BodyUpdate) => void) {
    this.#apply = apply;
  }

  /** Forgets everything of this author. */
  restart(): void {
    this.clock.restart();
    this.hasAvatar = false;
    this.drop();
  }

  /** Drops what waits and what is carried: the scene begins anew. The clock goes on. */
  drop(): void {
    this.#buffer.reset();
    this.#pastCount = 0;
    for (const hand of this.shown.hands) hand.carried = NO_BODY;
  }

  /** Takes in a body's state. */
  addUpdate(update: Readonly<BodyUpdate>): void {
    const batch = this.#buffer.at(update.tick, this.#evict);
    const { updates } = batch;
    // One state a body and tick, or a flood would fill the memory.
    for (let i = 0; i < batch.count && update.body <= batch.highest; i++) {
      if (this.#pool.bodyIn(updates[i]) !== update.body) continue;
      this.#pool.keepNewer(updates[i], update);
      return;
    }
    batch.highest = Math.max(batch.highest, update.body);
    updates[batch.count++] = this.#pool.take(update);
  }

  /** Takes in an avatar of the author's tick. */
  addAvatar(tick: number, sample: Readonly<AvatarSample>): void {
    const batch = this.#buffer.at(tick, this.#evict);
    batch.hasAvatar = true;
    batch.time = tick - sample.age / AGE_STEPS;
    copyAvatar(sample, batch.avatar);
  }

  /**
   * Moves on by one tick: hands out the states that are due, oldest first, and poses the avatar.
   */
  advance(ownTick: number): void {
    this.#keepBefore();
    this.#lastPosition = this.clock.position;
    this.clock.advance(ownTick);
    if (!this.clock.running) return;
    this.#buffer.drain(this.clock.position, this.#show);
    this.#poseAvatar();
  }

  #keepBefore(): void {
    copyPose(this.shown.head, this.before.head);
    for (const side of HAND_SIDES) copyPose(this.shown.hands[side].pose, this.before.hands[side]);
  }

  /** What has to make room before it is due is applied at once: it was acked, and won't be sent again. */
  readonly #evict = (evicted: Batch): void => {
    for (let i = 0; i < evicted.count; i++) {
      this.#pool.read(evicted.updates[i], this.#dueUpdate);
      this.#apply(this.#dueUpdate);
    }
    this.#giveBack(evicted);
  };

  #clear(b: Batch): void {
    b.hasAvatar = false;
    this.#giveBack(b);
  }

  #giveBack(b: Batch): void {
    for (let i = 0; i < b.count; i++) this.#pool.giveBack(b.updates[i]);
    b.count = 0;
    b.highest = -1;
  }

  readonly #show = (due: Batch): void => {
    this.#evict(due);
    if (!due.hasAvatar) return;
    const last = this.#pastCount === 0 ? null : this.#due;
    if (last !== null && due.time < last.time) return;
    if (last === null || due.time >= last.time + LEAST_STEP) this.#pastCount++;
    copyAvatar(due.avatar, this.#due.avatar);
    this.#due.time = due.time;
  };

  get #due(): Moment {
    return this.#past[(this.#pastCount - 1) % PAST];
  }

  /**
   * [T1] Along the samples around the moment that is shown, by their stamps. A sample may have been taken before
   * that moment in a tick that is not yet due: its pose counts, what it carries not yet.
   */
  #poseAvatar(): void {
    if (this.#pastCount === 0) return;
    const { shown } = this;
    this.#moment = this.clock.position;
    const before = this.#lineUp().avatar;
    this.#curveHead(shown.head);
    shown.voice = this.#due.avatar.voice / VOICE_STEPS;
    for (const side of HAND_SIDES) {
      this.#poseHand(before.hands[side], side);
      this.#poseCarried(before.hands[side], side);
    }
    // The first is drawn where it is, not on its way from nowhere.
    if (!this.hasAvatar) this.#keepBefore();
    this.hasAvatar = true;
  }

  /**
   * [T5] Poses what is drawn between the tick before, alpha 0, and this one, alpha 1: a straight line between the
   * two would cut the bends of the way.
   */
  drawBetween(alpha: number): void {
    const { before, shown, drawn } = this;
    lerpPose(before.head, shown.head, alpha, drawn.head);
    for (const side of HAND_SIDES)
      lerpPose(before.hands[side], shown.hands[side].pose, alpha, drawn.hands[side]);
    const step = this.clock.position - this.#lastPosition;
    if (this.#pastCount === 0 || step < 0 || step > MOST_STEP) return;
    this.#moment = this.#lastPosition + step * alpha;
    const { hands } = this.#lineUp().avatar;
    this.#curveHead(drawn.head);
    for (const side of HAND_SIDES) {
      if (hands[side].tracked) this.#curveHand(side, 'pose', NO_BODY, drawn.hands[side]);
    }
  }

  /** Finds the samples around the moment. @returns the one before it, or the oldest. */
  #lineUp(): Moment {
    this.#row.fill(null);
    for (let i = Math.max(0, this.#pastCount - PAST); i < this.#pastCount; i++) {
      this.#add(this.#past[i % PAST]);
    }
    const first = Math.floor(this.clock.position) + 1;
    for (let tick = first; this.#row[2 * REACH - 1] === null && tick <= this.#buffer.newest; tick++) {
      const waiting = this.#buffer.peek(tick);
      if (waiting !== null && waiting.hasAvatar) this.#add(waiting);
    }
    for (let i = 0; i < times.length; i++) {
      const sample = this.#row[i];
      if (sample !== null) times[i] = sample.time;
    }
    return this.#row[REACH - 1] ?? this.#due;
  }

  #add(sample: Moment): void {
    const row = this.#row;
    const before = row[REACH - 1];
    let end = REACH;
    while (end < row.length && row[end] !== null) end++;
    const last = row[end - 1];
    const isFrame = last === null || sample.time >= last.time + LEAST_STEP;
    if (before === null || (end === REACH && sample.time <= this.#moment)) {
      if (isFrame) row.copyWithin(0, 1, REACH);
      // Of two of one frame the newer counts.
      if (last === null || sample.time >= last.time) row[REACH - 1] = sample;
    } else if (isFrame && end < row.length) row[end] = sample;
  }

  #poseHand(sample: HandSample, side: HandSide): void {
    const out = this.shown.hands[side];
    out.tracked = sample.tracked;
    if (!sample.tracked) return;
    this.#curveHand(side, 'pose', NO_BODY, out.pose);
    out.grip = sample.grip / SQUEEZE_STEPS;
    out.trigger = sample.trigger / SQUEEZE_STEPS;
    copyFlags(sample, out);
    out.reach = sample.reach;
  }

  /** What is carried follows the hand through samples that carry it; what the hand does then is not its way. */
  #poseCarried(sample: HandSample, side: HandSide): void {
    const out = this.shown.hands[side];
    const due = this.#due.avatar.hands[side];
    out.carried = due.tracked ? due.held : NO_BODY;
    if (out.carried === NO_BODY) return;
    if (carries(sample, out.carried)) {
      this.#curveHand(side, 'pose', out.carried, carryingHand);
      this.#curveHand(side, 'offset', out.carried, carriedOffset);
    } else {
      dequantisePose(due.pose, 0, carryingHand);
      dequantisePose(due.offset, 0, carriedOffset);
    }
    composePose(carryingHand, carriedOffset, out.carriedPose);
    clampHeld(out.carriedPose);
  }

  #curveHead(out: Pose): void {
    for (let i = 0; i < row.length; i++) row[i] = this.#row[i]?.avatar.head ?? null;
    curvePose(row, times, this.#moment, out);
  }

  /** @param body the curve goes only through samples that carry it; NO_BODY: through all. */
  #curveHand(side: HandSide, what: 'pose' | 'offset', body: BodyId, out: Pose): void {
    for (let i = 0; i < row.length; i++) {
      const hand = this.#row[i]?.avatar.hands[side] ?? null;
      const counts = hand !== null && hand.tracked && (body === NO_BODY || hand.held === body);
      row[i] = counts ? hand[what] : null;
    }
    curvePose(row, times, this.#moment, out);
  }
}

function carries(hand: HandSample, body: BodyId): boolean {
  return hand.tracked && hand.held === body;
}

function batch(): Batch {
  return { hasAvatar: false, avatar: avatarSample(), time: 0, updates: [], count: 0, highest: -1 };
}

function shownHand(): ShownHand {
  return {
    ...handGesture(),
    pose: pose(),
    reach: NO_BODY,
    carried: NO_BODY,
    carriedPose: pose(),
  };
}

const row = new Array<Int32Array | null>(2 * REACH).fill(null);
const times = new Float64Array(2 * REACH);
const carryingHand = pose();
const carriedOffset = pose();
