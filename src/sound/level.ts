/** dBFS of a barely audible voice, and of the loudest speech. */
const QUIET_DB = -60;
const LOUD_DB = -15;

/**
 * Seconds in which a level covers about two thirds of its way: up at once, as a syllable starts; down as it
 * fades.
 */
const ATTACK_SECONDS = 0.03;
const RELEASE_SECONDS = 0.2;

/**
 * The loudness of samples: their RMS from -60 to -15 dBFS as 0 to 1, evenly in decibels, as ears hear.
 * @param samples about 50 ms of them, -1 to 1; none are silence.
 */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  if (!(sum > 0)) return 0;
  const decibels = 10 * Math.log10(sum / samples.length);
  return Math.min(1, Math.max(0, (decibels - QUIET_DB) / (LOUD_DB - QUIET_DB)));
}

/** The shown level `seconds` later, when the true one is `level`: a meter that rises fast and falls slowly. */
export function easeLevel(shown: number, level: number, seconds: number): number {
  const ease = level > shown ? ATTACK_SECONDS : RELEASE_SECONDS;
  return level + (shown - level) * Math.exp(-seconds / ease);
}
