/** dBFS of a voice at the limit of silence, and of very loud speech. */
const QUIET_DB = -60;
const LOUD_DB = -15;

/**
 * Seconds in which a level goes two thirds of the remaining way: fast up when a syllable starts, slowly down.
 */
const ATTACK_SECONDS = 0.03;
const RELEASE_SECONDS = 0.2;

/**
 * Returns the loudness of samples: their RMS, with -60 dBFS as 0 and -15 dBFS as 1, linear in decibels as
 * ears hear.
 * @param samples of about 50 ms, -1 to 1; an empty array is silence.
 */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  if (!(sum > 0)) return 0;
  const decibels = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

/**
 * Returns the next level of a meter that rises fast and falls slowly.
 * @param shown the level that the meter has shown.
 * @param level the present level.
 * @param seconds since the meter showed `shown`.
 */
export function easeLevel(shown: number, level: number, seconds: number): number {
  const ease = level > shown ? ATTACK_SECONDS : RELEASE_SECONDS;
  return level + (shown - level) * Math.exp(-seconds / ease);
}
