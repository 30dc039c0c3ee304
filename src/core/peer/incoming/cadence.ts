import { ticksAPacket, ticksIn } from '../../base/constants.ts';

/** Seconds that are remembered of an author's packets: a little more than twice the longest playout delay. */
const REMEMBERED = 16 / 15;
/** Seconds: a longer gap says nothing of the rate: its author stood still meanwhile, or stalled. */
const PAUSE = 0.25;
/**
 * An author is sparse after at least SPARSE_GAPS gaps without two consecutive packets between them, if the number of
 * gaps times the square of the 60ths of a second that are missed in the shortest one is at least SPARSE_SUM. That takes
 * ten gaps at twenty packets a second, and forty at thirty. Packets that are relayed, late or lost leave long runs of
 * gaps of two packets and more at the full rate, too.
 */
const SPARSE_GAPS = 3;
const SPARSE_SUM = 40;

/**
 * [T7.1] How often an author's packets come while its bodies move: at the full rate in every tick, or in every other
 * [W8.8], but for lost ones. A sparse author sends fewer; two consecutive packets end this at once. Ticks are the author's.
 */
export class Cadence {
  /** The ticks of packets, each at its place by the last bits. */
  readonly #ticks: Int32Array;
  #newest = -1;
  /** The tick of a packet with moving bodies of which the next packet has not come; or -1. */
  #open = -1;
  /** Gaps since two packets were consecutive. */
  #gaps = 0;
  /** The shortest of them. */
  #shortest: number;
  /** PAUSE in ticks. */
  readonly #pause: number;
  /** Ticks between two packets at the full rate. */
  readonly #full: number;
  /** Ticks in a 60th of a second. */
  readonly #unit: number;

  /** @param rate ticks a second. */
  constructor(rate: number) {
    this.#ticks = new Int32Array(ticksIn(REMEMBERED, rate)).fill(-1);
    this.#pause = ticksIn(PAUSE, rate);
    this.#shortest = this.#pause;
    this.#full = ticksAPacket(rate);
    this.#unit = rate / 60;
  }

  /** Forgets everything. */
  restart(): void {
    this.#ticks.fill(-1);
    this.#newest = -1;
    this.#open = -1;
    this.#restartGaps();
  }

  #restartGaps(): void {
    this.#gaps = 0;
    this.#shortest = this.#pause;
  }

  /** A packet of a tick has come, 0 or more. */
  arrive(tick: number): void {
    const { length } = this.#ticks;
    if (tick <= this.#newest - length) return;
    this.#ticks[tick % length] = tick;
    if (tick <= this.#newest) return;
    this.#newest = tick;
    if (this.#open < 0) return;
    this.#measure(tick - this.#open);
    this.#open = -1;
  }

  /**
   * States of moving bodies of a tick are due: at the full rate another packet follows at once. By now it has
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
    const { length } = this.#ticks;
    const first = Math.max(tick, this.#newest - length + 1);
    for (let i = first; i <= this.#newest; i++) if (this.#ticks[i % length] === i) return i;
    return -1;
  }

  #measure(gap: number): void {
    if (gap > this.#pause) return;
    if (gap <= this.#full) {
      this.#restartGaps();
      return;
    }
    this.#gaps++;
    if (gap < this.#shortest) this.#shortest = gap;
  }

  /** True if the author sends so rarely that its bodies are to be drawn between its states. */
  get isSparse(): boolean {
    const missed = (this.#shortest - this.#full) / this.#unit;
    return this.#gaps >= SPARSE_GAPS && this.#gaps * missed * missed >= SPARSE_SUM;
  }

  /** Ticks between two packets of a sparse author, up to a quarter of a second. */
  get interval(): number {
    return this.#shortest;
  }
}
