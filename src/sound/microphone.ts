import { closeAudio, openAudio } from './audio.ts';
import { Meter } from './meter.ts';

/**
 * Why there is no microphone. `refused`: the player or the system does not allow it. `missing`: there is
 * none. `busy`: another program uses it. `insecure`: the page did not come by https, so browsers give it
 * none. `failed`: another reason.
 */
export type MicrophoneFailure = 'refused' | 'missing' | 'busy' | 'insecure' | 'failed';

export type MicrophoneAnswer =
  | { readonly kind: 'open'; readonly microphone: Microphone }
  | { readonly kind: 'none'; readonly reason: MicrophoneFailure };

/**
 * Asks the player for the microphone; the answer takes as long as the player needs. Call it from a button,
 * before a headset is entered, and while no other microphone is open: on iOS a second one silences the first.
 * Never rejects.
 * @param onEnded called when it was unplugged or the permission was withdrawn; it has been stopped then. Not
 * called for `stop`.
 */
export async function openMicrophone(onEnded: () => void): Promise<MicrophoneAnswer> {
  if (!window.isSecureContext) return { kind: 'none', reason: 'insecure' };
  let stream: MediaStream | undefined;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    });
    return { kind: 'open', microphone: new Microphone(stream, onEnded) };
  } catch (error) {
    stream?.getTracks().forEach((track) => track.stop());
    return { kind: 'none', reason: failureOf(error) };
  }
}

function failureOf(error: unknown): MicrophoneFailure {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused';
    case 'NotFoundError':
      return 'missing';
    // Firefox uses the latter for a device that another program uses.
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    default:
      return 'failed';
  }
}

/** The player's own voice; `openMicrophone` creates it. */
export class Microphone {
  /** The stream for other players; silent while muted. */
  readonly stream: MediaStream;
  readonly #track: MediaStreamTrack;
  readonly #source: MediaStreamAudioSourceNode;
  readonly #meter: Meter;
  #stopped = false;

  constructor(stream: MediaStream, onEnded: () => void) {
    this.stream = stream;
    this.#track = stream.getAudioTracks()[0];
    this.#source = openAudio().createMediaStreamSource(stream);
    this.#meter = new Meter(this.#source);
    this.#track.addEventListener('ended', () => {
      this.stop();
      onEnded();
    });
  }

  /** True if others hear silence. */
  get muted(): boolean {
    return !this.#track.enabled;
  }

  set muted(muted: boolean) {
    this.#track.enabled = !muted;
  }

  /** The loudness of the player's voice, 0 to 1; 0 while muted or stopped. Cheap enough for every tick. */
  get level(): number {
    return this.muted || this.#stopped ? this.#meter.reset() : this.#meter.level;
  }

  /** Gives the microphone back; the browser's recording sign disappears. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const track of this.stream.getTracks()) track.stop();
    this.#source.disconnect();
    closeAudio();
  }
}
