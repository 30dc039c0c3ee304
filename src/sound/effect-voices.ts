import type { Pose, ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import {
  addScaled,
  copyPose,
  copyVector,
  distance,
  length,
  pose,
  rotateBack,
  vector,
} from '../core/base/math.ts';
import { Random } from '../core/base/random.ts';
import type { EffectKind } from './effect-kinds.ts';
import { EFFECTS } from './effect-kinds.ts';
import { EffectVoice } from './effect-voice.ts';
import { renderKnock } from './knock.ts';

/** Sounds at once: more can't be told apart, and a phone has to mix them. */
const MAX_VOICES = 24;
/** Contacts that begin within CONTACT_SECONDS: a falling pile is a clatter, not a roar. */
const MAX_CONTACTS = 8;
const CONTACT_SECONDS = 0.05;
/** No two bodies that could be told apart. */
const NO_PAIR = -1;

/** Decibels between the strongest and the faintest: so the loudness of a contact goes with its speed. */
const DYNAMIC_RANGE = 26;
/** Metres up to which a sound has its full loudness; beyond, it thins as in the open air. */
const FULL_WITHIN = 1;
/** A peak that nobody hears: 60 dB below full scale. */
const INAUDIBLE = 0.001;

/** The most that a sound is to one side: with headphones, all of it in one ear is unpleasant. */
const WIDTH = 0.8;
/** Metres from between the ears within which a sound comes to have no side. */
const HEAD_RADIUS = 0.2;

/** Hertz above which the faintest is dulled, and octaves by which the strongest is brighter: a hard blow rings. */
const DULL = 1500;
const BRIGHTER_OCTAVES = 2.5;
/** Octaves by which the strongest is higher. */
const HIGHER_OCTAVES = 0.15;

/** What all sounds together stay below, as a peak: room for the voices of players is left. */
const CEILING = 0.8;
/** What all of them may come to before the ceiling. */
const HIGHEST = 12;
/** Odd, so that silence is in the middle, and stays silence. */
const CURVE_POINTS = 4097;

/** Any number will do: the sounds vary, and are the same each time. */
const SEED = 0x5eed;

/** Plays sounds where they happen; of too many the weakest gives way. The listener's head is where `listen` says. */
export class EffectVoices {
  readonly #context: BaseAudioContext;
  readonly #voices: readonly EffectVoice[];
  readonly #takes: Readonly<Record<EffectKind, readonly AudioBuffer[]>>;
  readonly #ceiling: WaveShaperNode;
  readonly #head: Pose = pose();
  readonly #random = new Random(SEED);

  constructor(context: BaseAudioContext, output: AudioNode) {
    this.#context = context;
    const random = new Random(SEED);
    this.#takes = mapKinds((kind) => renderTakes(kind, context.sampleRate, random));
    const before = new GainNode(context, { gain: 1 / HIGHEST });
    this.#ceiling = new WaveShaperNode(context, { curve: ceilingCurve() });
    before.connect(this.#ceiling).connect(output);
    this.#voices = Array.from({ length: MAX_VOICES }, () => new EffectVoice(context, before));
  }

  /**
   * @param at metres, in the world.
   * @param strength 0 to 1; what is 0, less or no number is silent.
   * @param pair a number of its own for any two bodies: two contacts of a pair don't begin close to each other.
   */
  play(kind: EffectKind, at: ReadonlyVector, strength: number, pair = NO_PAIR): void {
    if (!(strength > 0)) return;
    const s = Math.min(1, strength);
    const { gain, spread } = EFFECTS[kind];
    const away = distance(at, this.#head.position);
    const peak = gain * 10 ** (((s - 1) * DYNAMIC_RANGE) / 20) * (FULL_WITHIN / Math.max(FULL_WITHIN, away));
    // Neither is a place that is no number heard.
    if (!(peak > INAUDIBLE)) return;
    const rival = kind === 'contact' ? this.#rivalOf(pair) : undefined;
    const voice = rival ?? this.#weakest();
    if ((rival?.peak ?? voice.loudness) >= peak) return;
    const takes = this.#takes[kind];
    const rate = this.#random.between(1 - spread, 1 + spread) * 2 ** (s * HIGHER_OCTAVES);
    const hertz = DULL * 2 ** (s * BRIGHTER_OCTAVES);
    voice.start(takes[this.#random.below(takes.length)], peak, rate, hertz);
    voice.kind = kind;
    voice.pair = pair;
    copyVector(at, voice.place);
    voice.turnTo(this.#sideOf(at));
  }

  /** Where the own head is, in the world: what sounds is heard from there at once. */
  listen(head: ReadonlyPose): void {
    copyPose(head, this.#head);
    for (const voice of this.#voices) if (voice.loudness > 0) voice.turnTo(this.#sideOf(voice.place));
  }

  /** Ends all sounds, for good. */
  dispose(): void {
    for (const voice of this.#voices) voice.dispose();
    this.#ceiling.disconnect();
  }

  /** The contact that a new one must beat, and replaces: of the same pair, or of too many that have just begun. */
  #rivalOf(pair: number): EffectVoice | undefined {
    const since = this.#context.currentTime - CONTACT_SECONDS;
    let count = 0;
    let weakest: EffectVoice | undefined;
    for (const voice of this.#voices) {
      if (voice.kind !== 'contact' || voice.startedAt <= since) continue;
      if (pair !== NO_PAIR && voice.pair === pair) return voice;
      count++;
      if (weakest === undefined || voice.peak < weakest.peak) weakest = voice;
    }
    return count < MAX_CONTACTS ? undefined : weakest;
  }

  #weakest(): EffectVoice {
    let weakest = this.#voices[0];
    for (const voice of this.#voices) if (voice.loudness < weakest.loudness) weakest = voice;
    return weakest;
  }

  /** From -1, left, to 1, right, as the head is turned. */
  #sideOf(at: ReadonlyVector): number {
    const { position, rotation } = this.#head;
    rotateBack(rotation, addScaled(at, position, -1, heard), heard);
    return (WIDTH * heard.x) / Math.max(HEAD_RADIUS, length(heard));
  }
}

function mapKinds<T>(make: (kind: EffectKind) => T): Record<EffectKind, T> {
  const kinds = Object.keys(EFFECTS) as EffectKind[];
  return Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<EffectKind, T>;
}

function renderTakes(kind: EffectKind, sampleRate: number, random: Random): AudioBuffer[] {
  const { knock, takes } = EFFECTS[kind];
  return Array.from({ length: takes }, () => {
    const samples = renderKnock(knock, sampleRate, random);
    const buffer = new AudioBuffer({ length: samples.length, sampleRate });
    buffer.copyToChannel(samples, 0);
    return buffer;
  });
}

/** Leaves the quiet as it is and bends the loud; a compressor would let the beginning of each knock through. */
function ceilingCurve(): Float32Array<ArrayBuffer> {
  const middle = (CURVE_POINTS - 1) / 2;
  return Float32Array.from(
    { length: CURVE_POINTS },
    (_, i) => CEILING * Math.tanh((((i - middle) / middle) * HIGHEST) / CEILING),
  );
}

/** Scratch for `#sideOf`. */
const heard = vector();
