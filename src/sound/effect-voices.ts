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

/** Most sounds at once: nobody can distinguish more, and a phone has to mix them. */
const MAX_VOICES = 24;
/** Most contacts that begin within CONTACT_SECONDS: a falling pile must clatter, not roar. */
const MAX_CONTACTS = 8;
const CONTACT_SECONDS = 0.05;
/** No pair of bodies is known. */
const NO_PAIR = -1;

/** Decibels between the strongest and the weakest sound: the loudness of a contact follows its speed. */
const DYNAMIC_RANGE = 26;
/** Metres: full loudness up to here, then it falls as in the open air. */
const FULL_WITHIN = 1;
/** A peak that nobody hears: 60 dB below full scale. */
const INAUDIBLE = 0.001;

/** How far to one side a sound may be: with headphones, a sound in only one ear is unpleasant. */
const WIDTH = 0.8;
/** Metres from the middle of the head: nearer sounds move to the middle. */
const HEAD_RADIUS = 0.2;

/**
 * Hertz of the cutoff for the weakest sound, and the octaves by which it is higher for the strongest: a hard
 * impact rings.
 */
const DULL = 1500;
const BRIGHTER_OCTAVES = 2.5;
/** Octaves by which the pitch of the strongest is higher. */
const HIGHER_OCTAVES = 0.15;

/** The largest peak of all sounds together: it leaves room for the players' voices. */
const CEILING = 0.8;
/** The largest sum of all sounds before it is limited. */
const HIGHEST = 12;
/** Odd, so that silence is exactly in the middle and stays silence. */
const CURVE_POINTS = 4097;

/** Any number: the sounds vary, but they are the same in each session. */
const SEED = 0x5eed;

/**
 * Plays sounds at their places in the world. If there are too many, the weakest ends. `listen` sets the
 * listener's head.
 */
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
   * Plays a sound.
   * @param at metres, in the world.
   * @param strength 0 to 1; at 0, below 0 or NaN nothing is played.
   * @param pair a different number for each pair of bodies: two contacts of a pair do not begin close to each
   * other.
   */
  play(kind: EffectKind, at: ReadonlyVector, strength: number, pair = NO_PAIR): void {
    if (!(strength > 0)) return;
    const s = Math.min(1, strength);
    const { gain, spread } = EFFECTS[kind];
    const away = distance(at, this.#head.position);
    const peak = gain * 10 ** (((s - 1) * DYNAMIC_RANGE) / 20) * (FULL_WITHIN / Math.max(FULL_WITHIN, away));
    // This also leaves out a place that is NaN.
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

  /** Sets the pose of the player's head in the world; all sounds are heard from there at once. */
  listen(head: ReadonlyPose): void {
    copyPose(head, this.#head);
    for (const voice of this.#voices) if (voice.loudness > 0) voice.turnTo(this.#sideOf(voice.place));
  }

  /** Ends all sounds for ever. */
  dispose(): void {
    for (const voice of this.#voices) voice.dispose();
    this.#ceiling.disconnect();
  }

  /**
   * Returns the contact that a new one must exceed and replace: one of the same pair, or the weakest of too
   * many new ones.
   */
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

  /** Returns -1 for left to 1 for right, relative to the head. */
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

/**
 * Leaves quiet samples unchanged and bends loud ones. A compressor would let the beginning of each knock
 * through.
 */
function ceilingCurve(): Float32Array<ArrayBuffer> {
  const middle = (CURVE_POINTS - 1) / 2;
  return Float32Array.from(
    { length: CURVE_POINTS },
    (_, i) => CEILING * Math.tanh((((i - middle) / middle) * HIGHEST) / CEILING),
  );
}

/** Scratch for `#sideOf`. */
const heard = vector();
