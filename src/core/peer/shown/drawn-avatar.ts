import { HAND_SIDES, NO_BODY } from '../../base/ids.ts';
import type { Pose } from '../../base/math.ts';
import { copyPose, lerpPose, pose } from '../../base/math.ts';
import type { AvatarMotion } from '../incoming/avatar-motion.ts';
import type { BatchBuffer } from '../incoming/batches.ts';
import type { ShownAvatar } from './shown-avatar.ts';

/** Ticks of the author in one tick beyond which its clock has jumped: there is no path between the two moments. */
const MOST_STEP = 2;

/** [T5] Head and hands of another player as they are drawn between the last two ticks. */
export class DrawnAvatar {
  /** In the frame that was drawn last. */
  readonly head: Pose = pose();
  readonly hands: readonly [Pose, Pose] = [pose(), pose()];
  /** After the tick before. */
  readonly before: { readonly head: Pose; readonly hands: readonly [Pose, Pose] } = {
    head: pose(),
    hands: [pose(), pose()],
  };

  /** Keeps what is shown as the start of the next tick's path. */
  keepBefore(shown: Readonly<ShownAvatar>): void {
    copyPose(shown.head, this.before.head);
    for (const side of HAND_SIDES) copyPose(shown.hands[side].pose, this.before.hands[side]);
  }

  /** Poses head and hands on the straight line from the tick before, alpha 0, to this one, alpha 1. */
  drawStraight(shown: Readonly<ShownAvatar>, alpha: number): void {
    lerpPose(this.before.head, shown.head, alpha, this.head);
    for (const side of HAND_SIDES)
      lerpPose(this.before.hands[side], shown.hands[side].pose, alpha, this.hands[side]);
  }

  /**
   * Poses the head and the tracked hands on the curve through their samples, since a straight line would cut the bends
   * of the path. Nothing changes where the author's clock has jumped.
   * @param from the position of the playout clock in the tick before, and `to` in this one, in ticks of the author.
   * @returns the moment of the poses in ticks of the author; NaN if nothing changes.
   */
  drawCurved(motion: AvatarMotion, waiting: BatchBuffer, from: number, to: number, alpha: number): number {
    const step = to - from;
    if (!motion.hasSample || step < 0 || step > MOST_STEP) return NaN;
    const { hands } = motion.moveTo(from + step * alpha, to, waiting);
    motion.poseHead(this.head);
    for (const side of HAND_SIDES) {
      if (hands[side].tracked) motion.poseHand(side, NO_BODY, this.hands[side]);
    }
    return motion.moment;
  }
}
