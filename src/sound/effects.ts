import { MAX_BODIES } from '../core/base/constants.ts';
import type { BodyId } from '../core/base/ids.ts';
import type { ReadonlyPose, ReadonlyVector } from '../core/base/math.ts';
import { closeAudio, openAudio } from './audio.ts';
import type { EffectKind } from './effect-kinds.ts';
import { EffectVoices } from './effect-voices.ts';
import { checkVolume, gainOf, turnVolume } from './volume.ts';

/** Metres a second at which two things meet: slower is not heard, and faster is no louder. */
const SILENT_SPEED = 0.4;
const LOUDEST_SPEED = 8;

/**
 * How strong a contact sounds, 0 to 1: with each doubling of the speed it grows by as much.
 * @param speed of approach, in metres a second.
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
 * The sounds of hands and bodies, from where they happen. Every frame: `listen`, then what happened.
 *
 * The browser lets no page sound that the player has not touched; before that nothing is opened, and while the
 * browser keeps it silent nothing is played, nor later.
 */
export class Effects {
  #output: Output | undefined;
  #volume = 1;
  #muted = false;
  #disposed = false;

  /**
   * @param at metres, in the world.
   * @param strength 0 to 1; what is 0, less or no number is silent.
   */
  play(kind: EffectKind, at: ReadonlyVector, strength: number): void {
    this.#voices()?.play(kind, at, strength);
  }

  /**
   * Two bodies have met, or a body and the floor (NO_BODY). Of a pair that rattles, or of a pile that falls, the
   * strongest are heard.
   * @param at metres, in the world.
   * @param speed of approach, in metres a second.
   */
  contact(a: BodyId, b: BodyId, at: ReadonlyVector, speed: number): void {
    const pair = Math.max(a, b) * (MAX_BODIES + 1) + Math.min(a, b) + 1;
    this.#voices()?.play('contact', at, contactStrength(speed), pair);
  }

  /** Where the own head is, in the world. */
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

  /** 0 to 1, as on a slider; setting anything else throws a RangeError. */
  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    checkVolume(volume);
    this.#volume = volume;
    this.#turn();
  }

  /** Ends all sounds, for good. */
  dispose(): void {
    this.#disposed = true;
    if (this.#output === undefined) return;
    this.#output.voices.dispose();
    this.#output.volume.disconnect();
    this.#output = undefined;
    closeAudio();
  }

  /** How loud it is to be now. */
  get #gain(): number {
    return this.#muted ? 0 : this.#volume;
  }

  #turn(): void {
    if (this.#output !== undefined) turnVolume(this.#output.volume, this.#gain);
  }

  /** None if nothing would be heard: a clock that stands would gather the sounds, and play them all at once. */
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
