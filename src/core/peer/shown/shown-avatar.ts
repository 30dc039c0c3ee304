import type { BodyId, HandSide } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import { composePose, pose } from '../../base/math.ts';
import type { HandGesture } from '../../hands/hand-gesture.ts';
import { copyFlags, handGesture } from '../../hands/hand-gesture.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';
import { SQUEEZE_STEPS, VOICE_STEPS } from '../../wire/avatar/avatar.ts';
import { dequantisePose } from '../../wire/bodies/quantise.ts';
import type { AvatarMotion } from '../incoming/avatar-motion.ts';
import { carries } from '../incoming/avatar-motion.ts';

/** One hand of another player as it is shown after the present tick. */
export type ShownHand = HandGesture & {
  readonly pose: Pose;
  /** [A9] The body that it reaches for, or NO_BODY. */
  reach: BodyId;
  /** The body that the newest due sample carries in this hand, or NO_BODY. */
  carried: BodyId;
  /** The pose of the carried body in the world, as its hand has it; it may be outside the bounds of held bodies. */
  readonly carriedPose: Pose;
};

/** Head and hands of another player as they are shown after the present tick. */
export class ShownAvatar {
  readonly head: Pose = pose();
  readonly hands: readonly [ShownHand, ShownHand] = [shownHand(), shownHand()];
  /** Loudness, 0 to 1. */
  voice = 0;
  readonly #carryingHand = pose();
  readonly #offset = pose();

  /** Lets go of all carried bodies. */
  dropAll(): void {
    for (const hand of this.hands) hand.carried = NO_BODY;
  }

  /**
   * Shows the avatar at the moment to which its motion was moved.
   * @param before the newest sample before that moment.
   */
  show(motion: AvatarMotion, before: Readonly<AvatarSample>): void {
    motion.poseHead(this.head);
    this.voice = motion.newest.avatar.voice / VOICE_STEPS;
    for (const side of HAND_SIDES) {
      this.#showHand(motion, before.hands[side], side);
      this.#showCarried(motion, before.hands[side], side);
    }
  }

  #showHand(motion: AvatarMotion, sample: Readonly<HandSample>, side: HandSide): void {
    const out = this.hands[side];
    out.tracked = sample.tracked;
    if (!sample.tracked) return;
    motion.poseHand(side, NO_BODY, out.pose);
    out.grip = sample.grip / SQUEEZE_STEPS;
    out.trigger = sample.trigger / SQUEEZE_STEPS;
    copyFlags(sample, out);
    out.reach = sample.reach;
  }

  /**
   * A carried body follows the curve through the samples that carry it. Once the hand has let go of it, the hand's
   * further path is not the body's: the body stays where the newest due sample has it.
   */
  #showCarried(motion: AvatarMotion, sample: Readonly<HandSample>, side: HandSide): void {
    const out = this.hands[side];
    const newest = motion.newest.avatar.hands[side];
    out.carried = newest.tracked ? newest.held : NO_BODY;
    if (out.carried === NO_BODY) return;
    if (carries(sample, out.carried)) {
      motion.poseHand(side, out.carried, this.#carryingHand);
      motion.poseOffset(side, out.carried, this.#offset);
    } else {
      dequantisePose(newest.pose, 0, this.#carryingHand);
      dequantisePose(newest.offset, 0, this.#offset);
    }
    composePose(this.#carryingHand, this.#offset, out.carriedPose);
  }
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
