import { TICK_RATE } from '../../base/constants.ts';
import type { Traffic } from './traffic.ts';

export type MeasuredRate = { readonly mean: number; readonly peak1s: number };

/** One direction between two peers: kbit/s of payload, and bytes a packet. */
export type Bandwidth = {
  readonly bodiesKbps: MeasuredRate;
  readonly avatarsKbps: MeasuredRate;
  readonly headersKbps: MeasuredRate;
  readonly packetBytes: { readonly mean: number; readonly max: number };
};

const KINDS = ['bodies', 'avatars', 'headers'] as const;

/** Watches the counters of one direction, tick by tick: means, and the worst second. */
export class TrafficMeter {
  readonly #traffic: Traffic;
  /** Bits a tick, a row for each kind, over the last second. */
  readonly #recent = KINDS.map(() => new Float64Array(TICK_RATE));
  readonly #last = KINDS.map(() => 0);
  readonly #second = KINDS.map(() => 0);
  readonly #peak = KINDS.map(() => 0);
  #ticks = 0;

  constructor(traffic: Traffic) {
    this.#traffic = traffic;
  }

  /** Call once a tick. */
  tick(): void {
    const at = this.#ticks++ % TICK_RATE;
    KINDS.forEach((kind, k) => {
      const total = this.#traffic[kind];
      const bits = total - this.#last[k];
      this.#last[k] = total;
      this.#second[k] += bits - this.#recent[k][at];
      this.#recent[k][at] = bits;
      this.#peak[k] = Math.max(this.#peak[k], this.#second[k]);
    });
  }

  /** kbit/s of the last second, by kind. */
  lastSecond(): { readonly bodies: number; readonly avatars: number; readonly headers: number } {
    const [bodies, avatars, headers] = this.#second.map((bits) => bits / 1000);
    return { bodies, avatars, headers };
  }

  result(): Bandwidth {
    const seconds = Math.max(1, this.#ticks) / TICK_RATE;
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
