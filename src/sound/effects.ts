import { MAX_BODIES } from '../core/base/constants.ts';
import type { BodyId } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { closeAudio, openAudio } from './audio.ts';
import type { EffectKind } from './effect-kinds.ts';
import { EffectVoices } from './effect-voices.ts';
import { checkVolume, gainOf, turnVolume } from './volume.ts';

/**
 * Metres per second of an impact: below the first number it is silent, above the second it gets no louder.
 */
const SILENT_SPEED = 0.4;
const LOUDEST_SPEED = 8;

/**
 * Returns the strength of a contact, 0 to 1; each doubling of the speed adds the same amount.
 * @param speed of approach, in metres per second.
 */
export function contactStrength(speed: number): number {
  if (!(speed > SILENT_SPEED)) return 0;
  return Math.min(1, Math.log(speed / SILENT_SPEED) / Math.log(LOUDEST_SPEED / SILENT_SPEED));
}

type Output = {
  readonly context: AudioContext;
  readonly volume: GainNode;
  readonly voices: EffectVoices;
};

/**
 * The sounds of hands and bodies at their places. In every frame, call `listen` first, then play the sounds.
 *
 * Browsers allow sound only after the player has touched the page. Before that, nothing is opened. While the
 * browser keeps the page silent, sounds are dropped, not delayed.
 */
export class Effects {
  #output: Output | undefined;
  #volume = 1;
  #muted = false;
  #disposed = false;

  /**
   * Plays a sound.
   * @param at metres, in the world.
   * @param strength 0 to 1; at 0, below 0 or NaN nothing is played.
   */
  play(kind: EffectKind, at: ReadonlyVector, strength: number): void {
    this.#voices()?.play(kind, at, strength);
  }

  /**
   * Plays the contact of two bodies, or of a body and the floor (NO_BODY). If a pair rattles or a pile falls,
   * only the strongest contacts are heard.
   * @param at metres, in the world.
   * @param speed of approach, in metres per second.
   */
  contact(a: BodyId, b: BodyId, at: ReadonlyVector, speed: number): void {
    const pair = Math.max(a, b) * (MAX_BODIES + 1) + Math.min(a, b) + 1;
    this.#voices()?.play('contact', at, contactStrength(speed), pair);
  }

  /** Sets the pose of the player's head in the world. */
  listen(head: ReadonlyPose): void {
    this.#voices()?.listen(head);
  }

  get muted(): boolean {
    return this.#muted;
  }

  set muted(muted: boolean) {
    this.#muted = muted;
    this.#turn();
  }

  /** 0 to 1, as on a slider; setting another value throws a RangeError. */
  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    checkVolume(volume);
    this.#volume = volume;
    this.#turn();
  }

  /** Ends all sounds for ever. */
  dispose(): void {
    this.#disposed = true;
    if (this.#output === undefined) return;
    this.#output.voices.dispose();
    this.#output.volume.disconnect();
    this.#output = undefined;
    closeAudio();
  }

  /** The volume; 0 while muted. */
  get #gain(): number {
    return this.#muted ? 0 : this.#volume;
  }

  #turn(): void {
    if (this.#output !== undefined) turnVolume(this.#output.volume, this.#gain);
  }

  /**
   * Returns undefined if nothing could be heard: while the context's clock stands, sounds would collect and
   * then all play at once.
   */
  #voices(): EffectVoices | undefined {
    if (this.#disposed || this.#gain === 0) return undefined;
    if (this.#output === undefined && navigator.userActivation.hasBeenActive) {
      this.#output = openOutput(this.#gain);
    }
    return this.#output?.context.state === 'running' ? this.#output.voices : undefined;
  }
}

function openOutput(turned: number): Output {
  const context = openAudio();
  const volume = new GainNode(context, { gain: gainOf(turned) });
  volume.connect(context.destination);
  return { context, volume, voices: new EffectVoices(context, volume) };
}
