import type { BodyId } from '../../../src/core/base/ids.ts';
import { fromAxisAngle, pose, setVector, vector } from '../../../src/core/base/math.ts';
import type { EffectKind } from '../../../src/sound/effect-kinds.ts';
import { EffectVoices } from '../../../src/sound/effect-voices.ts';
import { Effects } from '../../../src/sound/effects.ts';
import { tapSpeakers } from '../../support/pages/speakers.ts';

/** A page that renders effects faster than they sound, and plays them, and measures both. */

const SAMPLE_RATE = 48_000;
/** Samples in which an audio context works. */
const QUANTUM = 128;
/** A sample that nobody hears: 66 dB below full scale. */
const SILENT = 0.0005;

/** Something to do at a time. */
export type Step = {
  readonly seconds: number;
  readonly kind?: EffectKind;
  /** Metres, in the world. */
  readonly place?: readonly [number, number, number];
  readonly strength?: number;
  readonly pair?: number;
  /** Radians by which the head turns to the left before. */
  readonly turn?: number;
};

export type Heard = {
  readonly peak: number;
  /** Root of the mean square, left and right. */
  readonly left: number;
  readonly right: number;
  /** Seconds at which the last sample can be heard. */
  readonly last: number;
  /** Share of the energy in steps from sample to sample: the higher, the brighter. */
  readonly brightness: number;
  /** Sources that began: how many, the most that sounded at once, and the pitch of each. */
  readonly started: number;
  readonly atOnce: number;
  readonly rates: readonly number[];
};

type Source = { readonly node: AudioBufferSourceNode; readonly from: number; to: number };
const sources = watchSources();

const effects = new Effects();
/** Samples, the most that can be had: 0.7 s at 48 kHz. */
const EAR_WINDOW = 32768;
tapSpeakers(EAR_WINDOW);
const samples = new Float32Array(EAR_WINDOW);

const page = {
  effects,

  /** The sound that comes out if these steps are done, in their order, in this many seconds. */
  async render(steps: readonly Step[], seconds = 0.5): Promise<Heard> {
    const context = new OfflineAudioContext(2, seconds * SAMPLE_RATE, SAMPLE_RATE);
    const voices = new EffectVoices(context, context.destination);
    sources.length = 0;
    for (const [at, due] of groupByTime(steps)) {
      if (at === 0) due.forEach((step) => take(voices, step));
      else
        void context.suspend(at).then(() => {
          due.forEach((step) => take(voices, step));
          return context.resume();
        });
    }
    return judge(await context.startRendering());
  },

  /** Milliseconds that a page is held up by making what it needs to sound. */
  preparing(): number {
    const context = new OfflineAudioContext(2, QUANTUM, SAMPLE_RATE);
    const before = performance.now();
    new EffectVoices(context, context.destination).dispose();
    return performance.now() - before;
  },

  /** Metres to the right and a speed; and the two that meet. */
  hit(x: number, speed: number, a = 3, b = -1): void {
    effects.contact(a as BodyId, b as BodyId, vector(x, 1, 0), speed);
  },

  /** The state of the context that the effects go to; undefined if there is none. */
  get state(): AudioContextState | undefined {
    return (window.ears?.[0].context as AudioContext | undefined)?.state;
  },

  /** The peaks of what went to the speakers in the last 0.7 s, left and right. */
  get output(): { left: number; right: number } {
    const [left, right] = (window.ears ?? []).map((ear) => {
      ear.getFloatTimeDomainData(samples);
      return samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
    });
    return { left, right };
  },
};

export type EffectsPage = typeof page;

declare global {
  interface Window {
    effectsPage?: EffectsPage;
  }
}

window.effectsPage = page;

/** Whoever evaluates something in a page counts as a player who touches it; so `?untouched` tells by itself. */
if (location.search === '?untouched') {
  setInterval(() => {
    page.hit(0, 4);
    effects.listen(pose());
    console.log(page.state ?? 'none');
  }, 50);
}

function take(voices: EffectVoices, step: Step): void {
  if (step.turn !== undefined) {
    const head = pose();
    fromAxisAngle(vector(0, 1, 0), step.turn, head.rotation);
    voices.listen(head);
  }
  if (step.kind !== undefined)
    voices.play(step.kind, setVector(vector(), ...(step.place ?? [0, 0, 0])), step.strength ?? 1, step.pair);
}

/** By the start of the quantum that they fall in. */
function groupByTime(steps: readonly Step[]): Map<number, Step[]> {
  const groups = new Map<number, Step[]>();
  for (const step of steps) {
    const at = (Math.floor((step.seconds * SAMPLE_RATE) / QUANTUM) * QUANTUM) / SAMPLE_RATE;
    groups.set(at, [...(groups.get(at) ?? []), step]);
  }
  return groups;
}

function judge(buffer: AudioBuffer): Heard {
  const [left, right] = [0, 1].map((side) => buffer.getChannelData(side));
  let [peak, last, change] = [0, 0, 0];
  for (let i = 0; i < buffer.length; i++) {
    const loudest = Math.max(Math.abs(left[i]), Math.abs(right[i]));
    peak = Math.max(peak, loudest);
    if (loudest > SILENT) last = i / SAMPLE_RATE;
    if (i > 0) change += (left[i] - left[i - 1]) ** 2;
  }
  const energy = (side: Float32Array): number => side.reduce((sum, sample) => sum + sample * sample, 0);
  const rms = (side: Float32Array): number => Math.sqrt(energy(side) / side.length);
  const atOnce = Math.max(
    0,
    ...sources.map(({ from }) => sources.filter((s) => s.from <= from && from < s.to).length),
  );
  const brightness = change / energy(left);
  const rates = sources.map(({ node }) => node.playbackRate.value);
  const [ofLeft, ofRight, started] = [rms(left), rms(right), sources.length];
  return { peak, left: ofLeft, right: ofRight, last, brightness, started, atOnce, rates };
}

/** Takes down when each source begins, and when it is over or is stopped. */
function watchSources(): Source[] {
  const seen: Source[] = [];
  const { prototype } = AudioBufferSourceNode;
  const begin = prototype.start;
  const end = prototype.stop;
  prototype.start = function (this: AudioBufferSourceNode) {
    const from = this.context.currentTime;
    seen.push({ node: this, from, to: from + (this.buffer?.duration ?? 0) / this.playbackRate.value });
    begin.call(this);
  };
  prototype.stop = function (this: AudioBufferSourceNode) {
    const source = seen.find(({ node }) => node === this);
    if (source !== undefined) source.to = Math.min(source.to, this.context.currentTime);
    end.call(this);
  };
  return seen;
}
