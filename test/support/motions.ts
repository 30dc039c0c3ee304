import { generateMotion, SAMPLE_SEED } from '../../src/hand-motion/generate.ts';
import type { MotionTrack } from '../../src/hand-motion/track.ts';
import { readRecordedMotion } from '../../src/tools/motion/recorded.ts';

/** A minute of fast play by name: generated, and recorded as well where the recording lies beside the project. */
export const MOTIONS: readonly (readonly [name: string, motion: MotionTrack])[] = [
  ['generated', generateMotion(SAMPLE_SEED)],
  ...recorded(),
];

function recorded(): [string, MotionTrack][] {
  const motion = readRecordedMotion();
  return motion === null ? [] : [['recorded', motion]];
}
