import { Random } from '../../src/core/base/random.ts';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import { NetworkSimulator, linkConditions } from '../../src/netsim/network-simulator.ts';

/** A packet that was delivered. Times in milliseconds. */
export type Delivery = { readonly number: number; readonly sentAt: number; readonly arrivedAt: number };

export type Traffic = {
  readonly count: number;
  /** Milliseconds between two packets. */
  readonly every: number;
  /** Milliseconds at which the first is sent. */
  readonly start?: number;
  /** Milliseconds between two calls of `receive`. */
  readonly step?: number;
  /** Milliseconds for which `receive` is called after the last packet. */
  readonly drain?: number;
  readonly bytes?: number;
  /** Omit a packet while the channel is not ready. */
  readonly skip?: boolean;
};

/** A simulator of a perfect link, except for the given conditions. */
export function simulator(seed: number, conditions: Partial<LinkConditions>): NetworkSimulator {
  return new NetworkSimulator(new Random(seed), linkConditions(conditions));
}

/** Sends packets that carry their number; returns the deliveries in their order. */
export function run(network: NetworkSimulator, traffic: Traffic): Delivery[] {
  const { count, every, start = 0, step = every, drain = 1000, bytes = 100, skip = false } = traffic;
  const packet = new Uint8Array(bytes);
  const view = new DataView(packet.buffer);
  const sentAt: number[] = [];
  const deliveries: Delivery[] = [];
  for (let now = start; now < start + count * every + drain; now += step) {
    while (sentAt.length < count && start + sentAt.length * every <= now) {
      view.setUint32(0, sentAt.length);
      sentAt.push(now);
      if (!skip || network.ready(now)) network.send(now, packet);
    }
    for (let got = network.receive(now); got !== null; got = network.receive(now)) {
      const number = new DataView(got.buffer, got.byteOffset).getUint32(0);
      deliveries.push({ number, sentAt: sentAt[number], arrivedAt: now });
    }
  }
  return deliveries;
}

/** The delays in milliseconds, sorted. */
export function delays(deliveries: readonly Delivery[]): number[] {
  return deliveries.map(({ sentAt, arrivedAt }) => arrivedAt - sentAt).sort((a, b) => a - b);
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
