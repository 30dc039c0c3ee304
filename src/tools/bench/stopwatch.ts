import { performance } from 'node:perf_hooks';
import type { Peer } from '../../core/peer/peer.ts';

/**
 * The timed parts of a tick. `tick` is all of it: receiving, the tick itself, sending. `capture` includes
 * quantising. `apply` brings received states to the engine. `decode` reads packets, and `hear` handles their
 * content. `encode` writes packets, and `choose` decides what to send and to whom.
 */
export const PHASES = [
  'tick',
  'step',
  'capture',
  'authority',
  'apply',
  'write',
  'decode',
  'hear',
  'choose',
  'encode',
] as const;
export type Phase = (typeof PHASES)[number];

/** Milliseconds. */
export type Time = { readonly median: number; readonly p99: number };

/** Times the parts of one peer's ticks by the wall clock. */
export class Stopwatch {
  readonly #spent = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
  readonly #samples = new Map<Phase, number[]>(PHASES.map((phase) => [phase, []]));
  /** One value for each packet that was read. */
  readonly #packets: number[] = [];
  #counts = false;

  /**
   * Replaces methods of the peer and its parts by ones that read the clock.
   * @param parts `all`: every phase has its time; reading the clock for each takes about a hundredth of a tick.
   * `step`: only the tick and the engine's step have theirs, and the other phases have 0.
   */
  constructor(peer: Peer, parts: 'all' | 'step' = 'all') {
    const isAll = parts === 'all';
    peer.diagnostics.wrapPhases((phase, method) =>
      isAll || phase === 'step' ? this.#timed(phase, method) : method,
    );
    const [receive, poll] = [peer.receive.bind(peer), peer.poll.bind(peer)];
    peer.receive = this.#timed('tick', isAll ? this.#besides('hear', 'decode', receive) : receive);
    peer.poll = this.#timed('tick', isAll ? this.#besides('choose', 'encode', poll) : poll);
    peer.tick = this.#timed('tick', peer.tick.bind(peer));
  }

  #timed<Rest extends unknown[], Result>(
    phase: Phase,
    method: (...rest: Rest) => Result,
  ): (...rest: Rest) => Result {
    return (...rest) => {
      const begun = performance.now();
      const result = method(...rest);
      this.#spend(phase, performance.now() - begun);
      return result;
    };
  }

  /** Counts the time of a method as one phase, without another phase that runs within it. */
  #besides<Rest extends unknown[]>(
    phase: Phase,
    within: 'encode' | 'decode',
    method: (...rest: Rest) => void,
  ): (...rest: Rest) => void {
    return (...rest) => {
      const already = this.#spent.get(within) ?? 0;
      const begun = performance.now();
      method(...rest);
      const inner = (this.#spent.get(within) ?? 0) - already;
      this.#spend(phase, performance.now() - begun - inner);
      if (this.#counts && within === 'decode') this.#packets.push(inner);
    };
  }

  #spend(phase: Phase, ms: number): void {
    this.#spent.set(phase, (this.#spent.get(phase) ?? 0) + ms);
  }

  /** A tick begins. */
  begin(counts: boolean): void {
    this.#counts = counts;
    for (const phase of PHASES) this.#spent.set(phase, 0);
  }

  /** A tick is over. */
  end(): void {
    if (!this.#counts) return;
    for (const [phase, spent] of this.#spent) this.#samples.get(phase)?.push(spent);
  }

  result(): Record<Phase, Time> {
    const times = [...this.#samples].map(([phase, samples]) => [phase, timeOf(samples)]);
    return Object.fromEntries(times) as Record<Phase, Time>;
  }

  /** Milliseconds of a phase in each tick that counted, in no order; the caller must not change them. */
  samplesOf(phase: Phase): readonly number[] {
    return this.#samples.get(phase) ?? [];
  }

  /** Milliseconds to read one packet. */
  perPacket(): number {
    return timeOf(this.#packets).median;
  }
}

/** The median and the 99th percentile of some times, which it sorts. */
export function timeOf(samples: number[]): Time {
  if (samples.length === 0) return { median: 0, p99: 0 };
  samples.sort((a, b) => a - b);
  return { median: round(shareOf(samples, 0.5)), p99: round(shareOf(samples, 0.99)) };
}

/** The number below which this share of some sorted numbers lies. @param sorted not empty. @param share 0 to 1. */
export function shareOf(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))];
}

/** Rounds to three digits, as many as such measurements have. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
