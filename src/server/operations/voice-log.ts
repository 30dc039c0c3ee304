import type { Logger } from 'pino';
import type { VoiceFigures } from '../voice/room-voices.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 1000;

/** Logs when the voice server goes, and when it comes. */
export class VoiceLog {
  readonly #log: Logger;
  readonly #figures: () => VoiceFigures | null;
  readonly #timer: NodeJS.Timeout;
  #wasUp = true;

  /** @param figures of the voices; null without a voice server, or not yet. */
  constructor(log: Logger, figures: () => VoiceFigures | null) {
    this.#log = log;
    this.#figures = figures;
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  /** Compares the voice server with the last look. */
  look(): void {
    const isUp = this.#figures()?.isUp ?? this.#wasUp;
    if (this.#wasUp && !isUp) this.#log.warn('the voice server is away');
    else if (!this.#wasUp && isUp) this.#log.info('the voice server is there again');
    this.#wasUp = isUp;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
