import type { Slot } from '../../base/ids.ts';
import { NO_SLOT } from '../../base/ids.ts';
import type { Level } from '../level.ts';
import type { Making } from './joint.ts';

const NO_MAKING: Making = { perPlayer: 0, slots: 0, kinds: [] };

/** The limits of making joints in a level. */
export function makingOf({ making = NO_MAKING }: Level): Making {
  return making;
}

/** Numbers of joints that are set aside for making: those after the level's own. */
export function madeIn(level: Level): number {
  const { perPlayer, slots } = makingOf(level);
  return perPlayer * slots;
}

/** The player that may make a joint of this number; NO_SLOT for the level's own. */
export function makerOf(level: Level, joint: number): Slot {
  const made = joint - level.joints.length;
  return made < 0 ? NO_SLOT : (Math.floor(made / makingOf(level).perPlayer) as Slot);
}
