import type { Vector } from '../core/base/math.ts';
import { vector } from '../core/base/math.ts';
import type { EffectKind } from './effect-kinds.ts';

/**
 * One sound at a time, out of a pool. Its nodes stay; each sound is a new source before them.
 *
 * The place is told by left and right alone: HRTF sets in some 10 ms late, after a knock's beginning, and costs
 * several times as much.
 */
export class EffectVoice {
  kind: EffectKind = 'contact';
  /** Which two bodies touch; see `EffectVoices.play`. */
  pair = -1;
  /** On the context's clock, in seconds. */
  startedAt = -Infinity;
  /** Where it sounds, in the world. */
  readonly place: Vector = vector();
  /** How loud it began, as a factor. */
  peak = 0;
  #endsAt = -Infinity;
  #source: AudioBufferSourceNode | undefined;
  readonly #context: BaseAudioContext;
  readonly #brightness: BiquadFilterNode;
  readonly #gain: GainNode;
  readonly #side: StereoPannerNode;

  constructor(context: BaseAudioContext, output: AudioNode) {
    this.#context = context;
    // No peak at its edge: brighter, and not louder there.
    this.#brightness = new BiquadFilterNode(context, { type: 'lowpass', Q: -3 });
    this.#gain = new GainNode(context, { gain: 0 });
    this.#side = new StereoPannerNode(context);
    this.#brightness.connect(this.#gain).connect(this.#side).connect(output);
  }

  /** How loud it is now, as a factor: each sound falls by about 60 dB on its way. 0 if it sounds no more. */
  get loudness(): number {
    const { currentTime } = this.#context;
    if (currentTime >= this.#endsAt) return 0;
    return this.peak * 0.001 ** ((currentTime - this.startedAt) / (this.#endsAt - this.startedAt));
  }

  /**
   * Sounds, instead of what it still sounds.
   * @param rate how much faster than it was made, and so higher.
   * @param hertz what lies above is dulled.
   */
  start(buffer: AudioBuffer, peak: number, rate: number, hertz: number): void {
    this.stop();
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.playbackRate.value = rate;
    this.#brightness.frequency.value = hertz;
    this.#gain.gain.value = peak;
    source.connect(this.#brightness);
    source.start();
    this.#source = source;
    this.peak = peak;
    this.startedAt = this.#context.currentTime;
    this.#endsAt = this.startedAt + buffer.duration / rate;
  }

  /** @param side -1 is all left, 1 all right. */
  turnTo(side: number): void {
    this.#side.pan.value = side;
  }

  stop(): void {
    this.#source?.stop();
    this.#source = undefined;
    this.#endsAt = -Infinity;
  }

  /** Takes it out of the output. */
  dispose(): void {
    this.stop();
    this.#side.disconnect();
  }
}
