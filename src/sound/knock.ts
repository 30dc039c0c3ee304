import type { Random } from '../core/base/random.ts';

/** One way in which a struck thing rings: hertz, how much of it, and seconds in which it falls by 60 dB. */
type Mode = readonly [hertz: number, amount: number, seconds: number];

/** What a sound is made of: a few modes that ring out, and the noise of the blow. */
export type Knock = {
  readonly modes: readonly Mode[];
  /** How much noise there is, against the modes; and the seconds in which it falls by 60 dB. */
  readonly noise: number;
  readonly noiseSeconds: number;
  /** Seconds in which it sets in: a blow in a millisecond, a breath of air in far more. */
  readonly attack: number;
};

/** How far the modes of two takes of a knock lie apart, as a share: two blows are never the same. */
const MODE_SPREAD = 0.03;
/** Seconds at the end over which what is left is taken to nothing. */
const FADE = 0.01;
/** In so many time constants an exponential falls by 60 dB. */
const TIME_CONSTANTS = Math.log(1000);

/** Seconds until nothing of it is left. */
export function lengthOf({ modes, noiseSeconds, attack }: Knock): number {
  return attack + Math.max(noiseSeconds, ...modes.map(([, , seconds]) => seconds));
}

/** One take of a knock, with a peak of 1; `random` sets it apart from others. */
export function renderKnock(knock: Knock, sampleRate: number, random: Random): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.ceil(lengthOf(knock) * sampleRate));
  for (const mode of knock.modes) addMode(samples, mode, sampleRate, random);
  let noise = knock.noise;
  const decay = Math.exp(-TIME_CONSTANTS / (knock.noiseSeconds * sampleRate));
  for (let i = 0; i < samples.length; i++, noise *= decay) samples[i] += noise * random.between(-1, 1);
  shape(samples, knock.attack * sampleRate, FADE * sampleRate);
  return samples;
}

/** A sine that dies away, as a number that turns and shrinks: two sines a mode instead of one a sample. */
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

/** Sets in and ends without a crackle, with a peak of 1. */
function shape(samples: Float32Array, attack: number, fade: number): void {
  let peak = 0;
  for (let i = 0; i < samples.length; i++) {
    samples[i] *= rise(i / attack) * rise((samples.length - 1 - i) / fade);
    peak = Math.max(peak, Math.abs(samples[i]));
  }
  for (let i = 0; i < samples.length; i++) samples[i] /= peak;
}

/** From 0 to 1, with neither a corner at the beginning nor one at the end. */
function rise(share: number): number {
  return share >= 1 ? 1 : (1 - Math.cos(Math.PI * share)) / 2;
}
