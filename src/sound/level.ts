/** dBFS of a voice that is just not there, and of one that is as loud as speech gets. */
const QUIET_DB = -60;
const LOUD_DB = -15;

/** Seconds in which a level comes some two thirds nearer: up at once, as a syllable starts; down as it fades. */
const ATTACK_SECONDS = 0.03;
const RELEASE_SECONDS = 0.2;

/**
 * How loud samples are: their RMS from -60 to -15 dBFS as 0 to 1, evenly in decibels, as ears hear.
 * @param samples of some 50 ms, -1 to 1; none are silence.
 */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  if (!(sum > 0)) return 0;
  const decibels = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

/** A level that was `shown`, `seconds` later, when it is `level` by now: a meter that rises fast and falls slowly. */
export function easeLevel(shown: number, level: number, seconds: number): number {
  const ease = level > shown ? ATTACK_SECONDS : RELEASE_SECONDS;
  return level + (shown - level) * Math.exp(-seconds / ease);
}
