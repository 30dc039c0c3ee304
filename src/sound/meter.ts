import { easeLevel, levelOf } from './level.ts';

/** Samples per level, a power of two: 43 ms at 48 kHz. */
const WINDOW = 2048;

/** Measures the loudness of a node. Reading costs one pass over the window, and allocates nothing. */
export class Meter {
  readonly #analyser: AnalyserNode;
  readonly #samples = new Float32Array(WINDOW);
  #level = 0;
  #readAt = 0;

  constructor(source: AudioNode) {
    this.#analyser = source.context.createAnalyser();
    this.#analyser.fftSize = WINDOW;
    source.connect(this.#analyser);
  }

  /** 0 to 1, eased over the time since the last reading; 0 while the sound is blocked. */
  get level(): number {
    const { currentTime, state } = this.#analyser.context;
    if (state !== 'running') return this.reset();
    if (currentTime === this.#readAt) return this.#level;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    this.#level = easeLevel(this.#level, levelOf(this.#samples), currentTime - this.#readAt);
    this.#readAt = currentTime;
    return this.#level;
  }

  /** Sets the level to 0 at once. */
  reset(): 0 {
    this.#level = 0;
    this.#readAt = this.#analyser.context.currentTime;
    return 0;
  }
}
