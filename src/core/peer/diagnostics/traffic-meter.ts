import type { Traffic } from './traffic.ts';

/** kbit/s: the mean of the whole time, and the highest of any second. */
export type MeasuredRate = { readonly mean: number; readonly peak1s: number };

/** The traffic of one direction between two peers: rates of payload by what it was for, and bytes of packets. */
export type Bandwidth = {
  readonly bodiesKbps: MeasuredRate;
  readonly avatarsKbps: MeasuredRate;
  readonly headersKbps: MeasuredRate;
  readonly packetBytes: { readonly mean: number; readonly max: number };
};

const KINDS = ['bodies', 'avatars', 'headers'] as const;

/** Measures the rates of one direction from its counters, tick by tick. */
export class TrafficMeter {
  readonly #traffic: Traffic;
  /** For each kind the bits of each tick of the last second: a ring. */
  readonly #recent: readonly Float64Array[];
  /** For each kind the counter at the last tick. */
  readonly #last = KINDS.map(() => 0);
  /** For each kind the bits of the last second. */
  readonly #second = KINDS.map(() => 0);
  /** For each kind the most bits of any second. */
  readonly #peak = KINDS.map(() => 0);
  #ticks = 0;
  readonly #rate: number;

  /**
   * @param traffic the counters of this direction; they should be 0, or the first second counts all before.
   * @param rate ticks a second.
   */
  constructor(traffic: Traffic, rate: number) {
    this.#rate = rate;
    this.#recent = KINDS.map(() => new Float64Array(rate));
    this.#traffic = traffic;
  }

  /** Call once a tick. */
  tick(): void {
    const at = this.#ticks++ % this.#rate;
    KINDS.forEach((kind, k) => {
      const total = this.#traffic[kind];
      const bits = total - this.#last[k];
      this.#last[k] = total;
      this.#second[k] += bits - this.#recent[k][at];
      this.#recent[k][at] = bits;
      this.#peak[k] = Math.max(this.#peak[k], this.#second[k]);
    });
  }

  /** kbit/s of the last second by kind; a new object. */
  lastSecond(): { readonly bodies: number; readonly avatars: number; readonly headers: number } {
    const [bodies, avatars, headers] = this.#second.map((bits) => bits / 1000);
    return { bodies, avatars, headers };
  }

  /** The rates since the beginning, to a tenth. */
  result(): Bandwidth {
    const seconds = Math.max(1, this.#ticks) / this.#rate;
    const [bodies, avatars, headers] = KINDS.map((_, k) => ({
      mean: round(this.#last[k] / 1000 / seconds),
      peak1s: round(this.#peak[k] / 1000),
    }));
    const { packetsSent, bytesSent, longestSent } = this.#traffic;
    return {
      bodiesKbps: bodies,
      avatarsKbps: avatars,
      headersKbps: headers,
      packetBytes: { mean: round(bytesSent / Math.max(1, packetsSent)), max: longestSent },
    };
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
