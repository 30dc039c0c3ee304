import type { ReadonlyVector } from '../core/base/math.ts';
import { Meter } from './meter.ts';

/**
 * Metres up to which a voice has its full loudness; and its fall beyond: 1.5 / (1.5 + 0.4 (d - 1.5)). That is
 * -10 dB at 10 m, where air would give -17 dB, so that a whole room can talk.
 */
const FULL_WITHIN = 1.5;
const ROLLOFF = 0.4;

/** Seconds that smooth the steps between frames, and muting. */
const MOVE_SECONDS = 0.03;
const MUTE_SECONDS = 0.01;

/** One other player's voice, from the received track to the common output. */
export class Voice {
  readonly track: MediaStreamTrack;
  readonly #element: HTMLAudioElement;
  readonly #source: MediaStreamAudioSourceNode;
  readonly #meter: Meter;
  readonly #gain: GainNode;
  readonly #panner: PannerNode;
  #placed = false;

  constructor(context: AudioContext, track: MediaStreamTrack, output: AudioNode, muted: boolean) {
    this.track = track;
    // Only this one track: other tracks of the peer are neither decoded nor played.
    const stream = new MediaStream([track]);
    this.#element = pulling(stream);
    this.#source = context.createMediaStreamSource(stream);
    this.#meter = new Meter(this.#source);
    // One channel, whatever the sender's microphone has: otherwise the place would not decide the side.
    this.#gain = new GainNode(context, {
      gain: muted ? 0 : 1,
      channelCount: 1,
      channelCountMode: 'explicit',
    });
    // HRTF distinguishes front and back, above and below; equal power does not, and is hardly cheaper.
    this.#panner = new PannerNode(context, {
      panningModel: 'HRTF',
      distanceModel: 'inverse',
      refDistance: FULL_WITHIN,
      rolloffFactor: ROLLOFF,
    });
    this.#source.connect(this.#gain).connect(this.#panner).connect(output);
  }

  /** The received loudness, 0 to 1, also while muted here. */
  get level(): number {
    return this.#meter.level;
  }

  setMuted(muted: boolean): void {
    this.#gain.gain.setTargetAtTime(muted ? 0 : 1, this.#gain.context.currentTime, MUTE_SECONDS);
  }

  /** Moves the voice. Metres in the frame of the head: x to the right, y up, -z forward. */
  moveTo({ x, y, z }: ReadonlyVector): void {
    const { positionX, positionY, positionZ, context } = this.#panner;
    // The first place applies at once; the voice does not move there from inside the head.
    const seconds = this.#placed ? MOVE_SECONDS : 0;
    this.#placed = true;
    positionX.setTargetAtTime(x, context.currentTime, seconds);
    positionY.setTargetAtTime(y, context.currentTime, seconds);
    positionZ.setTargetAtTime(z, context.currentTime, seconds);
  }

  stop(): void {
    this.#source.disconnect();
    this.#gain.disconnect();
    this.#panner.disconnect();
    this.#element.srcObject = null;
  }
}

/**
 * Chromium gives a received track to Web Audio only while a media element plays it too: here, a silent one.
 */
function pulling(stream: MediaStream): HTMLAudioElement {
  const element = new Audio();
  element.muted = true;
  element.srcObject = stream;
  // It rejects if the voice is removed before it has begun.
  element.play().catch(() => undefined);
  return element;
}
