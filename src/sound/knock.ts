import type { Random } from '../core/base/random.ts';

/** One mode of vibration: hertz, its amplitude, and the seconds in which it falls by 60 dB. */
type Mode = readonly [hertz: number, amount: number, seconds: number];

/** The parts of a sound: a few decaying modes, and the noise of the impact. */
export type Knock = {
  readonly modes: readonly Mode[];
  /** The amplitude of the noise relative to the modes, and the seconds in which it falls by 60 dB. */
  readonly noise: number;
  readonly noiseSeconds: number;
  /** Seconds until full loudness: a millisecond for an impact, far more for a breath of air. */
  readonly attack: number;
};

/** How much the modes of two versions of a knock differ, as a fraction: no two impacts are equal. */
const MODE_SPREAD = 0.03;
/** Seconds at the end in which the rest is faded out. */
const FADE = 0.01;
/** An exponential falls by 60 dB in so many time constants. */
const TIME_CONSTANTS = Math.log(1000);

/** Returns the length of a knock in seconds, until it is silent. */
export function lengthOf({ modes, noiseSeconds, attack }: Knock): number {
  return attack + Math.max(noiseSeconds, ...modes.map(([, , seconds]) => seconds));
}

/**
 * Renders one version of a knock, with a peak of 1.
 * @param random makes the versions differ.
 */
export function renderKnock(knock: Knock, sampleRate: number, random: Random): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil(lengthOf(knock) * sampleRate));
  for (const mode of knock.modes) addMode(samples, mode, sampleRate, random);
  let noise = knock.noise;
  const decay = Math.exp(-TIME_CONSTANTS / (knock.noiseSeconds * sampleRate));
  for (let i = 0; i < samples.length; i++, noise *= decay) samples[i] += noise * random.between(-1, 1);
  shape(samples, knock.attack * sampleRate, FADE * sampleRate);
  return samples;
}

/**
 * Adds a decaying sine as a complex number that rotates and shrinks: two sine calls per mode instead of one
 * per sample.
 */
function addMode(samples: Float32Array, mode: Mode, sampleRate: number, random: Random): void {
  const [hertz, amount, seconds] = mode;
  const turn = (2 * Math.PI * hertz * random.between(1 - MODE_SPREAD, 1 + MODE_SPREAD)) / sampleRate;
  const decay = Math.exp(-TIME_CONSTANTS / (seconds * sampleRate));
  const [cos, sin] = [decay * Math.cos(turn), decay * Math.sin(turn)];
  let [x, y] = [amount, 0];
  for (let i = 0; i < samples.length; i++) {
    samples[i] += y;
    const turned = x * cos - y * sin;
    y = x * sin + y * cos;
    x = turned;
  }
}

/** Fades the sound in and out, so that it does not crackle, and scales it to a peak of 1. */
function shape(samples: Float32Array, attack: number, fade: number): void {
  let peak = 0;
  for (let i = 0; i < samples.length; i++) {
    samples[i] *= rise(i / attack) * rise((samples.length - 1 - i) / fade);
    peak = Math.max(peak, Math.abs(samples[i]));
  }
  for (let i = 0; i < samples.length; i++) samples[i] /= peak;
}

/** A curve from 0 to 1 with a slope of 0 at both ends. */
function rise(share: number): number {
  return share >= 1 ? 1 : (1 - Math.cos(Math.PI * share)) / 2;
}
