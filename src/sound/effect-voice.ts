import type { Vector } from '../core/base/math.ts';
import { vector } from '../core/base/math.ts';
import type { EffectKind } from './effect-kinds.ts';

/**
 * Plays one sound at a time; a pool contains several of these. Its nodes are kept; each sound is a new source
 * in front of them.
 *
 * Only left and right show the place: HRTF starts some 10 ms late, after the beginning of a knock, and costs
 * several times as much.
 */
export class EffectVoice {
  kind: EffectKind = 'contact';
  /** The number of the pair of bodies that touch; see `EffectVoices.play`. */
  pair = -1;
  /** On the context's clock, in seconds. */
  startedAt = -Infinity;
  /** The sound's place in the world. */
  readonly place: Vector = vector();
  /** The factor of its loudness at the start. */
  peak = 0;
  #endsAt = -Infinity;
  #source: AudioBufferSourceNode | undefined;
  readonly #context: BaseAudioContext;
  readonly #brightness: BiquadFilterNode;
  readonly #gain: GainNode;
  readonly #side: StereoPannerNode;

  constructor(context: BaseAudioContext, output: AudioNode) {
    this.#context = context;
    // The filter has no resonance at its cutoff: sounds get brighter, but no frequency gets louder.
    this.#brightness = new BiquadFilterNode(context, { type: 'lowpass', Q: -3 });
    this.#gain = new GainNode(context, { gain: 0 });
    this.#side = new StereoPannerNode(context);
    this.#brightness.connect(this.#gain).connect(this.#side).connect(output);
  }

  /**
   * The present factor of its loudness: each sound falls by about 60 dB during its time. 0 if it has ended.
   */
  get loudness(): number {
    const { currentTime } = this.#context;
    if (currentTime >= this.#endsAt) return 0;
    return this.peak * 0.001 ** ((currentTime - this.startedAt) / (this.#endsAt - this.startedAt));
  }

  /**
   * Plays a sound in place of the present one.
   * @param rate playback speed, and so the pitch; 1 is unchanged.
   * @param hertz cutoff: higher frequencies are damped.
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

  /** @param side -1 is left, 1 is right. */
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
