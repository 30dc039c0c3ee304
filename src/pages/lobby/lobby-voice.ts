import { loadVoiceWish, saveVoiceWish } from '../../storage/voice-wish.ts';
import type { VoiceFirst } from '../headset/enter-buttons.ts';
import type { EarlyVoice } from '../room/network/early-voice.ts';

/** The player's voice before it is in a room: whether it wants one, and the microphone that it was asked for. */
export class LobbyVoice implements VoiceFirst {
  #early: Promise<EarlyVoice> | null = null;

  get isWanted(): boolean {
    return loadVoiceWish();
  }

  /** True once the player was asked, whatever it answers. */
  get isOn(): boolean {
    return this.#early !== null;
  }

  want(isWanted: boolean): void {
    saveVoiceWish(isWanted);
  }

  /** Asks for the microphone, unless it was asked for. Call it from a click. @returns when it is answered. */
  async ask(): Promise<void> {
    this.#early ??= import('../room/network/early-voice.ts').then((module) => new module.EarlyVoice());
    await (await this.#early).answered();
  }

  /** The player joins with voice, or without. Call it from a click. */
  choose(withVoice: boolean): void {
    this.want(withVoice);
    if (withVoice) void this.ask();
    else this.giveBack();
  }

  /** Hands the microphone over to a room; null if there is none. */
  take(): Promise<EarlyVoice> | null {
    const early = this.#early;
    this.#early = null;
    return early;
  }

  /** Gives the microphone back to the browser. */
  giveBack(): void {
    void this.take()?.then((early) => early.giveBack());
  }
}
