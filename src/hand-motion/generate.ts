import type { Pose } from '../core/base/math.ts';
import { pose } from '../core/base/math.ts';
import { Random } from '../core/base/random.ts';
import { FrameClock } from './frame-clock.ts';
import type { PlayerHabits } from './habits.ts';
import { FAST_PLAY } from './habits.ts';
import { HandMovement } from './hand-movement.ts';
import { HeadMovement } from './head-movement.ts';
import { MotionTrack, ROW } from './track.ts';
import { Tracking } from './tracking.ts';

/** The seed of the minute that tests and benches play: drawn once, and not one that the generator was tuned on. */
export const SAMPLE_SEED = 3178697312;
/** Seconds of motion, as many as were recorded. */
const MINUTE = 60;
/** More frames a second than a display of 90 Hz has. */
const MOST_FRAMES = 100;

/**
 * Motion of a player's head and hands in fast play, as a headset of 90 Hz tracks it: swings, sudden stops,
 * recoils, tremor, errors of tracking, and uneven frame times. Every engine gives the same bits for a seed.
 * @param seed a whole number.
 * @param seconds that the motion takes, at least 1.
 */
export function generateMotion(seed: number, seconds = MINUTE): MotionTrack {
  const random = new Random(seed);
  const clock = new FrameClock(random.fork());
  const parts = partsOf(FAST_PLAY, random);
  const rows = new Float32Array(Math.ceil(seconds * MOST_FRAMES) * ROW);
  const at = pose();
  let end = 0;
  for (;;) {
    const { moment, stamp } = clock.next();
    if (stamp >= seconds) return new MotionTrack(rows.slice(0, end));
    rows[end++] = stamp;
    for (const part of parts) {
      const { position: p, rotation: q } = part(moment, at);
      rows.set([p.x, p.y, p.z, q.x, q.y, q.z, q.w], end);
      end += 7;
    }
  }
}

/** A part's tracked pose at a moment in seconds, later than the one before. */
type TrackedPart = (moment: number, out: Pose) => Pose;

function partsOf(
  { head, left, right, headTracking, handTracking }: PlayerHabits,
  random: Random,
): TrackedPart[] {
  const devices = [
    { movement: new HeadMovement(head, random.fork()), tracking: new Tracking(headTracking, random.fork()) },
    ...[left, right].map((habits) => ({
      movement: new HandMovement(habits, random.fork()),
      tracking: new Tracking(handTracking, random.fork()),
    })),
  ];
  return devices.map(
    ({ movement, tracking }) =>
      (moment, out) =>
        tracking.track(moment, movement.at(moment, out)),
  );
}
