import { MAX_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { addScaled, copyVector, rotateBack, vector } from '../core/base/math.ts';
import { closeAudio, isAudioBlocked, openAudio, resumeAudio } from './audio.ts';
import { Voice } from './voice.ts';
import { checkVolume, gainOf, turnVolume } from './volume.ts';

/** Keeps several voices at once below the maximum; a single voice is hardly changed. */
const LIMITER: DynamicsCompressorOptions = {
  threshold: -15,
  knee: 12,
  ratio: 6,
  attack: 0.003,
  release: 0.25,
};

/**
 * Plays other players' voices at the places of their heads. In every frame, call `place` for each, then
 * `listen`.
 *
 * Web Audio's listener stays at the origin and looks along -z; the voices are moved in its frame, because
 * Firefox can't move a listener smoothly.
 */
export class VoiceSpace {
  readonly #voices: (Voice | undefined)[] = Array.from({ length: MAX_PLAYERS }, () => undefined);
  readonly #places = Array.from({ length: MAX_PLAYERS }, () => vector());
  readonly #placed = new Uint8Array(MAX_PLAYERS);
  readonly #muted = new Uint8Array(MAX_PLAYERS);
  #output: { readonly context: AudioContext; readonly volume: GainNode } | undefined;
  #volume = 1;
  #disposed = false;

  /**
   * True if the browser keeps the page silent until the player touches it or presses a key; the page should
   * tell the player.
   */
  get blocked(): boolean {
    return this.#output !== undefined && isAudioBlocked();
  }

  /**
   * For gestures that the page does not see, for example in a headset. Touches, clicks and keys resume the
   * sound by themselves.
   */
  resume(): void {
    resumeAudio();
  }

  /**
   * Plays the first audio track of a stream in place of the slot's old one. Until it is placed, it sounds
   * from inside the head. It is muted if the slot is muted.
   * @returns false if the stream has no audio track: it comes from outside.
   */
  add(slot: Slot, stream: MediaStream): boolean {
    const track = stream.getAudioTracks().at(0);
    if (track === undefined) return false;
    if (this.#disposed || this.#voices[slot]?.track === track) return true;
    this.remove(slot);
    this.#output ??= openOutput(this.#volume);
    const { context, volume } = this.#output;
    this.#voices[slot] = new Voice(context, track, volume, this.#muted[slot] !== 0);
    return true;
  }

  remove(slot: Slot): void {
    this.#voices[slot]?.stop();
    this.#voices[slot] = undefined;
    this.#placed[slot] = 0;
  }

  /** Mutes a slot here only. It holds for the slot until it is undone, also for later streams. */
  setMuted(slot: Slot, muted: boolean): void {
    this.#muted[slot] = Number(muted);
    this.#voices[slot]?.setMuted(muted);
  }

  /**
   * Sets the volume of all voices.
   * @param volume 0 to 1, as on a slider.
   * @throws RangeError outside of that.
   */
  setVolume(volume: number): void {
    checkVolume(volume);
    this.#volume = volume;
    if (this.#output !== undefined) turnVolume(this.#output.volume, volume);
  }

  /** Sets the position of a player's head, in metres in the world. It takes effect at the next `listen`. */
  place(slot: Slot, position: ReadonlyVector): void {
    copyVector(position, this.#places[slot]);
    this.#placed[slot] = 1;
  }

  /** Sets the pose of this player's head, in the world. */
  listen(head: ReadonlyPose): void {
    // While the context's clock stands, these changes would collect and all run when it starts.
    if (this.#output?.context.state !== 'running') return;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const voice = this.#voices[slot];
      if (voice === undefined || this.#placed[slot] === 0) continue;
      addScaled(this.#places[slot], head.position, -1, heard);
      voice.moveTo(rotateBack(head.rotation, heard, heard));
    }
  }

  /** The loudness of a player's received voice, 0 to 1, also while muted here; 0 without a voice. */
  level(slot: Slot): number {
    return this.#voices[slot]?.level ?? 0;
  }

  /** Ends all voices for ever. */
  dispose(): void {
    for (let slot = 0; slot < MAX_PLAYERS; slot++) this.remove(slot as Slot);
    this.#disposed = true;
    if (this.#output === undefined) return;
    this.#output.volume.disconnect();
    this.#output = undefined;
    closeAudio();
  }
}

function openOutput(volume: number): { readonly context: AudioContext; readonly volume: GainNode } {
  const context = openAudio();
  const node = new GainNode(context, { gain: gainOf(volume) });
  node.connect(new DynamicsCompressorNode(context, LIMITER)).connect(context.destination);
  return { context, volume: node };
}

/** Scratch for `listen`. */
const heard = vector();
