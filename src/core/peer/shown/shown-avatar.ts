import { BOUND_ACROSS } from '../../base/constants.ts';
import type { BodyId, HandSide } from '../../base/ids.ts';
import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import { composePose, pose } from '../../base/math.ts';
import type { AvatarSample, HandSample } from '../../wire/avatar/avatar.ts';
import { SQUEEZE_STEPS, VOICE_STEPS } from '../../wire/avatar/avatar.ts';
import { dequantisePose } from '../../wire/bodies/quantise.ts';
import type { AvatarMotion } from '../incoming/avatar-motion.ts';
import { carries } from '../incoming/avatar-motion.ts';

/** One hand of another player as it is shown after the present tick. */
export type ShownHand = {
  /** False: the other fields are those of the last tick in which it was tracked. */
  tracked: boolean;
  readonly pose: Pose;
  /** 0 to 1. */
  grip: number;
  /** 0 to 1. */
  trigger: number;
  pointing: boolean;
  thumbUp: boolean;
  /** [A9] The body that it reaches for, or NO_BODY. */
  reach: BodyId;
  /** The body that the newest due sample carries in this hand, or NO_BODY. */
  carried: BodyId;
  /** The pose of the carried body in the world. */
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
    out.pointing = sample.pointing;
    out.thumbUp = sample.thumbUp;
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
    keepWithin(out.carriedPose);
  }
}

/** Keeps a body that a hand at the edge of the world holds inside the world [I5]. */
function keepWithin(p: Pose): void {
  const limit = BOUND_ACROSS - 1;
  p.position.x = Math.max(-limit, Math.min(limit, p.position.x));
  p.position.z = Math.max(-limit, Math.min(limit, p.position.z));
  p.position.y = Math.max(0, Math.min(limit - 4, p.position.y));
}

function shownHand(): ShownHand {
  return {
    tracked: false,
    pose: pose(),
    grip: 0,
    trigger: 0,
    pointing: false,
    thumbUp: false,
    reach: NO_BODY,
    carried: NO_BODY,
    carriedPose: pose(),
  };
}
