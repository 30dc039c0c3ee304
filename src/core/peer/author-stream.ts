import { BOUND_ACROSS } from '../base/constants.ts';
import type { BodyId } from '../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../base/ids.ts';
import type { Pose } from '../base/math.ts';
import { composePose, copyPose, lerpPose, pose } from '../base/math.ts';
import { JitterBuffer } from '../link/jitter-buffer.ts';
import { PlayoutClock } from '../link/playout-clock.ts';
import type { AvatarSample, HandSample } from '../wire/avatar.ts';
import { AGE_STEPS, avatarSample, copyAvatar, SQUEEZE_STEPS, VOICE_STEPS } from '../wire/avatar.ts';
import { dequantisePose } from '../wire/quantise.ts';
import type { BodyUpdate } from '../wire/update.ts';
import { bodyUpdate, copyUpdate } from '../wire/update.ts';

/** What one author said in one of its ticks. */
type Batch = {
  hasAvatar: boolean;
  readonly avatar: AvatarSample;
  /** The moment of the avatar, in the author's ticks. */
  time: number;
  readonly updates: BodyUpdate[];
  count: number;
};

/** One author's hands and head as they are shown after the present tick. */
export type ShownAvatar = {
  readonly head: Pose;
  readonly hands: readonly [ShownHand, ShownHand];
  voice: number;
};

export type ShownHand = {
  tracked: boolean;
  readonly pose: Pose;
  grip: number;
  trigger: number;
  pointing: boolean;
  thumbUp: boolean;
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
  /** True once there is an avatar to show. */
  hasAvatar = false;
  readonly #apply: (update: BodyUpdate) => void;
  readonly #buffer = new JitterBuffer<Batch>(batch, clearBatch);
  /** The newest sample of a due tick, and its moment: what it carries is in the hand from now on. */
  readonly #due = avatarSample();
  #dueTime = -1;

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
    this.#dueTime = -1;
    for (const hand of this.shown.hands) hand.carried = NO_BODY;
  }

  /** Takes in a body's state. */
  addUpdate(update: Readonly<BodyUpdate>): void {
    const batch = this.#buffer.at(update.tick, this.#evict);
    // One state a body and tick, or a flood would fill the memory.
    for (let i = 0; i < batch.count; i++) {
      if (batch.updates[i].body === update.body) {
        if (update.tick >= batch.updates[i].tick) copyUpdate(update, batch.updates[i]);
        return;
      }
    }
    if (batch.count === batch.updates.length) batch.updates.push(bodyUpdate());
    copyUpdate(update, batch.updates[batch.count++]);
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
    for (let i = 0; i < evicted.count; i++) this.#apply(evicted.updates[i]);
  };

  readonly #show = (due: Batch): void => {
    this.#evict(due);
    if (!due.hasAvatar || due.time < this.#dueTime) return;
    copyAvatar(due.avatar, this.#due);
    this.#dueTime = due.time;
  };

  /**
   * [T1] Between the samples before and after the moment that is shown, by their stamps. A sample may have been
   * taken before that moment in a tick that is not yet due: its pose counts, what it carries not yet.
   */
  #poseAvatar(): void {
    if (this.#dueTime < 0) return;
    const now = this.clock.position;
    let before: AvatarSample = this.#due;
    let beforeTime = this.#dueTime;
    let after: Batch | null = null;
    for (let tick = Math.floor(now) + 1; after === null && tick <= this.#buffer.newest; tick++) {
      const waiting = this.#buffer.peek(tick);
      if (waiting === null || !waiting.hasAvatar || waiting.time < beforeTime) continue;
      if (waiting.time > now) after = waiting;
      else {
        before = waiting.avatar;
        beforeTime = waiting.time;
      }
    }
    const span = after === null ? 0 : after.time - beforeTime;
    const share = span <= 0 ? 0 : Math.max(0, Math.min(1, (now - beforeTime) / span));
    this.#blend(before, after === null ? before : after.avatar, share);
    // The first is drawn where it is, not on its way from nowhere.
    if (!this.hasAvatar) this.#keepBefore();
    this.hasAvatar = true;
  }

  #blend(before: AvatarSample, after: AvatarSample, share: number): void {
    blendPose(before.head, after.head, share, this.shown.head);
    this.shown.voice = this.#due.voice / VOICE_STEPS;
    for (const side of HAND_SIDES) {
      const hand = this.shown.hands[side];
      blendHand(before.hands[side], after.hands[side], share, hand);
      blendCarried(this.#due.hands[side], before.hands[side], after.hands[side], share, hand);
    }
  }
}

function blendHand(before: HandSample, after: HandSample, share: number, out: ShownHand): void {
  out.tracked = before.tracked;
  if (!before.tracked) return;
  blendPose(before.pose, after.tracked ? after.pose : before.pose, share, out.pose);
  out.grip = before.grip / SQUEEZE_STEPS;
  out.trigger = before.trigger / SQUEEZE_STEPS;
  out.pointing = before.pointing;
  out.thumbUp = before.thumbUp;
}

/** What is carried follows the hand from sample to sample that carries it; what the hand does then is not its way. */
function blendCarried(
  due: HandSample,
  before: HandSample,
  after: HandSample,
  share: number,
  out: ShownHand,
): void {
  out.carried = due.tracked ? due.held : NO_BODY;
  if (out.carried === NO_BODY) return;
  const from = carries(before, out.carried) ? before : due;
  const to = from === before && carries(after, out.carried) ? after : from;
  blendPose(from.pose, to.pose, share, carryingHand);
  blendPose(from.offset, to.offset, share, carriedOffset);
  composePose(carryingHand, carriedOffset, out.carriedPose);
  keepWithin(out.carriedPose);
}

function carries(hand: HandSample, body: BodyId): boolean {
  return hand.tracked && hand.held === body;
}

function blendPose(a: Int32Array, b: Int32Array, share: number, out: Pose): void {
  dequantisePose(a, 0, out);
  if (share > 0) lerpPose(out, dequantisePose(b, 0, blendTo), share, out);
}

/** What a hand at the edge of the world holds must still lie within it [I5]. */
function keepWithin(p: Pose): void {
  const limit = BOUND_ACROSS - 1;
  p.position.x = Math.max(-limit, Math.min(limit, p.position.x));
  p.position.z = Math.max(-limit, Math.min(limit, p.position.z));
  p.position.y = Math.max(0, Math.min(limit - 4, p.position.y));
}

function batch(): Batch {
  return { hasAvatar: false, avatar: avatarSample(), time: 0, updates: [], count: 0 };
}

function clearBatch(b: Batch): void {
  b.hasAvatar = false;
  b.count = 0;
}

function shownHand(): ShownHand {
  return {
    tracked: false,
    pose: pose(),
    grip: 0,
    trigger: 0,
    pointing: false,
    thumbUp: false,
    carried: NO_BODY,
    carriedPose: pose(),
  };
}

const blendTo = pose();
const carryingHand = pose();
const carriedOffset = pose();
