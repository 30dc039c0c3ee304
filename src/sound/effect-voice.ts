import type { Vector } from '../core/base/math.ts';
import { vector } from '../core/base/math.ts';
import type { EffectKind } from './effect-kinds.ts';

/**
 * One sound at a time, out of a pool. Its nodes stay; each sound is a new source before them. Only left and
 * right tell the place: HRTF sets in about 10 ms late, after a knock's beginning, and costs several times as
 * much.
 */
export class EffectVoice {
  kind: EffectKind = 'contact';
  /** The two touching bodies; see `EffectVoices.play`. */
  pair = -1;
  /** On the context's clock, in seconds. */
  startedAt = -Infinity;
  /** The place of the sound, in the world. */
  readonly place: Vector = vector();
  /** Its loudness at the start, as a factor. */
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

  /** Its loudness now, as a factor: each sound falls by about 60 dB over its length. 0 if it sounds no more. */
  get loudness(): number {
    const { currentTime } = this.#context;
    if (currentTime >= this.#endsAt) return 0;
    return this.peak * 0.001 ** ((currentTime - this.startedAt) / (this.#endsAt - this.startedAt));
  }

  /**
   * Plays a sound instead of the current one.
   * @param rate the factor on speed and pitch.
   * @param hertz frequencies above this are dulled.
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

  /** Disconnects it from the output. */
  dispose(): void {
    this.stop();
    this.#side.disconnect();
  }
}
