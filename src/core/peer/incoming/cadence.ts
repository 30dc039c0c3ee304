import { ticksIn } from '../../base/constants.ts';

/** Ticks that are remembered of an author's packets. A power of 2; the jitter buffer holds no more than a few. */
const REMEMBERED = 64;
/** Ticks: a longer gap says nothing of the rate: its author stood still meanwhile, or stalled. */
const PAUSE = ticksIn(0.25);
/**
 * An author is sparse after SPARSE_GAPS gaps without two packets of consecutive ticks, and after as many as the ticks
 * that the shortest of them missed, squared, go into SPARSE_SUM: ten at twenty packets a second, forty at thirty.
 * Packets that are relayed, late and lost leave long runs of gaps of two ticks and more at the full rate, too.
 */
const SPARSE_GAPS = 3;
const SPARSE_SUM = 40;

/**
 * [T7.1] How often an author's packets come while its bodies move: at the full rate in every tick, but for lost ones. A
 * sparse author sends fewer; two packets of consecutive ticks end this at once. Ticks are the author's.
 */
export class Cadence {
  /** The ticks of packets, each at its place by the last bits. */
  readonly #ticks = new Int32Array(REMEMBERED).fill(-1);
  #newest = -1;
  /** The tick of a packet with moving bodies of which the next packet has not come; or -1. */
  #open = -1;
  /** Gaps since two packets were of consecutive ticks. */
  #gaps = 0;
  /** The shortest of them. */
  #shortest = PAUSE;

  /** Forgets everything. */
  restart(): void {
    this.#ticks.fill(-1);
    this.#newest = -1;
    this.#open = -1;
    this.#restartGaps();
  }

  #restartGaps(): void {
    this.#gaps = 0;
    this.#shortest = PAUSE;
  }

  /** A packet of a tick has come, 0 or more. */
  arrive(tick: number): void {
    if (tick <= this.#newest - REMEMBERED) return;
    this.#ticks[tick & (REMEMBERED - 1)] = tick;
    if (tick <= this.#newest) return;
    this.#newest = tick;
    if (this.#open < 0) return;
    this.#measure(tick - this.#open);
    this.#open = -1;
  }

  /**
   * States of moving bodies of a tick are due: at the full rate another packet follows in the next tick. By now it has
   * come, whatever the order in which packets came.
   */
  due(tick: number): void {
    // A relayed state may have waited at the host [T3.3]: its packet is of a later tick.
    const packet = this.#nextFrom(tick);
    if (packet < 0) return;
    const next = this.#nextFrom(packet + 1);
    if (next < 0) this.#open = packet;
    else this.#measure(next - packet);
  }

  /** The tick of the first packet from a tick on that has come; -1 if there is none. */
  #nextFrom(tick: number): number {
    const first = Math.max(tick, this.#newest - REMEMBERED + 1);
    for (let i = first; i <= this.#newest; i++) if (this.#ticks[i & (REMEMBERED - 1)] === i) return i;
    return -1;
  }

  #measure(gap: number): void {
    if (gap > PAUSE) return;
    if (gap === 1) {
      this.#restartGaps();
      return;
    }
    this.#gaps++;
    if (gap < this.#shortest) this.#shortest = gap;
  }

  /** True if the author sends so rarely that its bodies are to be drawn between its states. */
  get isSparse(): boolean {
    const missed = this.#shortest - 1;
    return this.#gaps >= SPARSE_GAPS && this.#gaps * missed * missed >= SPARSE_SUM;
  }

  /** Ticks between two packets of a sparse author, 2 to 15. */
  get interval(): number {
    return this.#shortest;
  }
}
