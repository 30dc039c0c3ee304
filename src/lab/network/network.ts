import { Random } from '../../core/base/random.ts';
import type { LinkConditions } from '../../netsim/network-simulator.ts';
import { linkConditions, NetworkSimulator } from '../../netsim/network-simulator.ts';

/** The lines between all machines of a game: one simulator for each direction, all with the same conditions. */
export class LabNetwork {
  readonly #lines: readonly (readonly NetworkSimulator[])[];

  /**
   * @param seed of all chance. Each line draws from its own generator, so that packets of one line don't change
   * another's fate.
   */
  constructor(machines: number, seed: number, conditions: Partial<LinkConditions>) {
    const random = new Random(seed);
    this.#lines = Array.from({ length: machines }, () =>
      Array.from({ length: machines }, () => new NetworkSimulator(random.fork(), linkConditions(conditions))),
    );
  }

  send(nowMs: number, from: number, to: number, bytes: Uint8Array): void {
    this.#lines[from][to].send(nowMs, bytes);
  }

  /** Hands out what has arrived at a machine. */
  receive(nowMs: number, to: number, deliver: (from: number, bytes: Uint8Array) => void): void {
    this.#lines.forEach((lines, from) => {
      const line = lines[to];
      for (let got = line.receive(nowMs); got !== null; got = line.receive(nowMs)) deliver(from, got);
    });
  }

  /** Bytes that a machine has handed in, and bytes that were sent to it. */
  bytes(machine: number): { up: number; down: number } {
    const sum = (lines: readonly NetworkSimulator[]): number =>
      lines.reduce((total, { stats }) => total + stats.bytes, 0);
    return { up: sum(this.#lines[machine]), down: sum(this.#lines.map((lines) => lines[machine])) };
  }
}
