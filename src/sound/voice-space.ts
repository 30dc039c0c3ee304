import { MAX_PLAYERS } from '../core/base/constants.ts';
import type { Slot } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { addScaled, copyVector, rotateBack, vector } from '../core/base/math.ts';
import { closeAudio, isAudioBlocked, openAudio, resumeAudio } from './audio.ts';
import { Voice } from './voice.ts';
import { checkVolume, gainOf, turnVolume } from './volume.ts';

/** Several voices at once stay clear of the ceiling; a single one hardly touches it. */
const LIMITER: DynamicsCompressorOptions = {
  threshold: -15,
  knee: 12,
  ratio: 6,
  attack: 0.003,
  release: 0.25,
};

/**
 * Plays other players' voices from where their heads are. Every frame: `place` each, then `listen`.
 *
 * The listener of Web Audio stays where it is, at the origin, looking along -z, and the voices are moved in its
 * frame: Firefox can't move a listener smoothly.
 */
export class VoiceSpace {
  readonly #voices: (Voice | undefined)[] = Array.from({ length: MAX_PLAYERS }, () => undefined);
  readonly #places = Array.from({ length: MAX_PLAYERS }, () => vector());
  readonly #placed = new Uint8Array(MAX_PLAYERS);
  readonly #muted = new Uint8Array(MAX_PLAYERS);
  #output: { readonly context: AudioContext; readonly volume: GainNode } | undefined;
  #volume = 1;
  #disposed = false;

  /** The browser keeps silent until the player touches the page or presses a key: say so. */
  get blocked(): boolean {
    return this.#output !== undefined && isAudioBlocked();
  }

  /** For gestures that the page itself does not see, as in a headset; touches, clicks and keys do it by themselves. */
  resume(): void {
    resumeAudio();
  }

  /**
   * Plays the first audio track of a stream, instead of what the slot had; until it is placed, from within the
   * head. It is as muted as the slot is.
   * @returns false if the stream carries no sound: it comes from outside.
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

  /** Not to hear somebody, oneself. It holds for the slot until it is undone, whatever calls come and end. */
  setMuted(slot: Slot, muted: boolean): void {
    this.#muted[slot] = Number(muted);
    this.#voices[slot]?.setMuted(muted);
  }

  /**
   * The volume of all voices.
   * @param volume 0 to 1, as on a slider.
   * @throws RangeError outside of that.
   */
  setVolume(volume: number): void {
    checkVolume(volume);
    this.#volume = volume;
    if (this.#output !== undefined) turnVolume(this.#output.volume, volume);
  }

  /** Where a player's head is, in metres in the world. Takes effect at the next `listen`. */
  place(slot: Slot, position: ReadonlyVector): void {
    copyVector(position, this.#places[slot]);
    this.#placed[slot] = 1;
  }

  /** Where the own head is, in the world. */
  listen(head: ReadonlyPose): void {
    // A clock that stands would gather these changes and work them all off when it starts.
    if (this.#output?.context.state !== 'running') return;
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const voice = this.#voices[slot];
      if (voice === undefined || this.#placed[slot] === 0) continue;
      addScaled(this.#places[slot], head.position, -1, heard);
      voice.moveTo(rotateBack(head.rotation, heard, heard));
    }
  }

  /** How loud a player's voice arrives, 0 to 1, muted by oneself or not; 0 for who has none. */
  level(slot: Slot): number {
    return this.#voices[slot]?.level ?? 0;
  }

  /** Ends all voices, for good. */
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
