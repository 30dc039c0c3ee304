import { performance } from 'node:perf_hooks';
import type { Peer } from '../../core/peer/peer.ts';

/**
 * The parts of a tick that are timed. `tick` is all of it: what is received, the tick itself, and what is sent.
 * `capture` quantises, too; `apply` is what others' states take until the engine has them. `decode` reads packets,
 * and `hear` is what else comes of one; `encode` writes them, and `choose` is what is to be sent, and to whom.
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

/** Times the parts of one peer's ticks, by the clock on the wall. */
export class Stopwatch {
  readonly #spent = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
  readonly #samples = new Map<Phase, number[]>(PHASES.map((phase) => [phase, []]));
  /** One for each packet that was read. */
  readonly #packets: number[] = [];
  #counts = false;

  /** The methods of the peer and of its parts are replaced by ones that look at the clock. */
  constructor(peer: Peer) {
    const { bodies, authors } = peer.state;
    const { simulation } = bodies;
    simulation.step = this.#timed('step', simulation.step.bind(simulation));
    simulation.capture = this.#timed('capture', simulation.capture.bind(simulation));
    bodies.updateRecords = this.#timed('capture', bodies.updateRecords.bind(bodies));
    peer.spread.run = this.#timed('authority', peer.spread.run.bind(peer.spread));
    bodies.updateRest = this.#timed('authority', bodies.updateRest.bind(bodies));
    for (const { stream } of authors) stream.advance = this.#timed('apply', stream.advance.bind(stream));
    bodies.writeReceived = this.#timed('apply', bodies.writeReceived.bind(bodies));
    bodies.showReceived = this.#timed('apply', bodies.showReceived.bind(bodies));
    bodies.writeBack = this.#timed('write', bodies.writeBack.bind(bodies));
    const { reader } = peer;
    reader.readHead = this.#timed('decode', reader.readHead.bind(reader));
    reader.readBody = this.#timed('decode', reader.readBody.bind(reader));
    for (const link of peer.state.links) {
      if (link !== null) link.outbox.write = this.#timed('encode', link.outbox.write.bind(link.outbox));
    }
    peer.receive = this.#timed('tick', this.#besides('hear', 'decode', peer.receive.bind(peer)));
    peer.poll = this.#timed('tick', this.#besides('choose', 'encode', peer.poll.bind(peer)));
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

  /** Counts as one phase what a method takes beside another phase, which is timed within it. */
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

  /** Milliseconds that one packet took to be read. */
  perPacket(): number {
    return timeOf(this.#packets).median;
  }
}

function timeOf(samples: number[]): Time {
  if (samples.length === 0) return { median: 0, p99: 0 };
  samples.sort((a, b) => a - b);
  const at = (share: number): number => round(samples[Math.floor(share * (samples.length - 1))]);
  return { median: at(0.5), p99: at(0.99) };
}

/** To three digits, as many as such measurements have. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
