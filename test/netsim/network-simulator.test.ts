import { describe, expect, test } from 'vitest';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import {
  MAX_LINE_WAIT_MS,
  PACKET_OVERHEAD_BYTES,
  linkConditions,
} from '../../src/netsim/network-simulator.ts';
import type { Delivery, Traffic } from './traffic.ts';
import { delays, mean, quantile, run, simulator } from './traffic.ts';

function isInOrder(deliveries: readonly Delivery[]): boolean {
  return deliveries.every(({ number }, i) => i === 0 || number > deliveries[i - 1].number);
}

/** Lengths of the runs of packets that did not arrive. */
function lostRuns(deliveries: readonly Delivery[], count: number): number[] {
  const arrived = new Set(deliveries.map(({ number }) => number));
  const runs: number[] = [];
  let length = 0;
  for (let number = 0; number <= count; number++) {
    if (number < count && !arrived.has(number)) length++;
    else if (length > 0) {
      runs.push(length);
      length = 0;
    }
  }
  return runs;
}

const SEEDS = [1, 2, 3];

describe('a perfect link', () => {
  test('delivers each packet whole, once, in order and at once', () => {
    const network = simulator(1, {});
    const deliveries = run(network, { count: 500, every: 5 });
    expect(deliveries).toEqual(
      Array.from({ length: 500 }, (_, i) => ({ number: i, sentAt: i * 5, arrivedAt: i * 5 })),
    );
    expect(network.stats).toEqual({ sent: 500, lost: 0, duplicated: 0, delivered: 500, bytes: 50_000 });
  });

  test('copies the packets that it is given, whatever their length', () => {
    const network = simulator(1, { latencyMs: 10 });
    const shared = new Uint8Array(5000);
    const lengths = [0, 1, 1100, 5000, 7];
    lengths.forEach((length, i) => {
      shared.fill(i + 1);
      network.send(0, shared.subarray(0, length));
    });
    shared.fill(0);
    lengths.forEach((length, i) => {
      expect(network.receive(10)).toEqual(new Uint8Array(length).fill(i + 1));
    });
    expect(network.receive(10)).toBeNull();
  });

  test('a packet that it returns does not change until the next call, though others are sent', () => {
    const network = simulator(1, {});
    network.send(0, Uint8Array.of(1, 2, 3));
    const got = network.receive(0);
    for (let i = 0; i < 10; i++) network.send(0, Uint8Array.of(9, 9, 9));
    expect(got).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('reuses its buffers', () => {
    const network = simulator(1, {});
    const buffers = new Set<ArrayBufferLike>();
    for (let now = 0; now < 1000; now++) {
      network.send(now, Uint8Array.of(1));
      const got = network.receive(now);
      if (got !== null) buffers.add(got.buffer);
      network.receive(now);
    }
    expect(buffers.size).toBe(1);
  });

  test('is always ready', () => {
    const network = simulator(1, { loss: 0.5, latencyMs: 50 });
    for (let now = 0; now < 1000; now++) {
      network.send(now, new Uint8Array(1000));
      expect(network.ready(now)).toBe(true);
    }
  });
});

describe('delay', () => {
  test('latency is exact', () => {
    const deliveries = run(simulator(1, { latencyMs: 37 }), { count: 1000, every: 5, step: 1 });
    expect(deliveries).toHaveLength(1000);
    expect(new Set(delays(deliveries))).toEqual(new Set([37]));
  });

  test.each(SEEDS)('jitter is uniform above the latency (seed %d)', (seed) => {
    const network = simulator(seed, { latencyMs: 20, jitterMs: 80 });
    const sorted = delays(run(network, { count: 5000, every: 2, step: 1 }));
    expect(sorted).toHaveLength(5000);
    expect(sorted[0]).toBeGreaterThanOrEqual(20);
    expect(quantile(sorted, 1)).toBeLessThanOrEqual(101);
    for (const share of [0.1, 0.25, 0.5, 0.75, 0.9]) {
      expect(Math.abs(quantile(sorted, share) - (20 + 80 * share))).toBeLessThan(4);
    }
  });

  test('no packet overtakes another without jitter or reordering', () => {
    const network = simulator(1, {
      latencyMs: 30,
      loss: 0.3,
      burst: { enter: 0.05, leave: 0.3, loss: 1 },
      bandwidthKbps: 300,
    });
    const deliveries = run(network, { count: 3000, every: 2, step: 1 });
    expect(deliveries.length).toBeGreaterThan(500);
    expect(isInOrder(deliveries)).toBe(true);
  });

  test('packets overtake each other only if jitter exceeds their interval', () => {
    const traffic: Traffic = { count: 2000, every: 10, step: 1 };
    expect(isInOrder(run(simulator(1, { jitterMs: 9 }), traffic))).toBe(true);
    expect(isInOrder(run(simulator(1, { jitterMs: 30 }), traffic))).toBe(false);
  });

  test.each(SEEDS)('reordering holds back as many as asked, as long as asked (seed %d)', (seed) => {
    const network = simulator(seed, { latencyMs: 20, reorder: 0.2, reorderMs: 50 });
    const deliveries = run(network, { count: 4000, every: 5, step: 1 });
    const sorted = delays(deliveries);
    const heldBack = sorted.filter((delay) => delay > 20);
    expect(heldBack.length / 4000).toBeGreaterThan(0.17);
    expect(heldBack.length / 4000).toBeLessThan(0.23);
    expect(sorted[0]).toBe(20);
    expect(quantile(sorted, 1)).toBeLessThanOrEqual(71);
    expect(mean(heldBack)).toBeGreaterThan(42);
    expect(mean(heldBack)).toBeLessThan(49);
    expect(isInOrder(deliveries)).toBe(false);
  });
});

describe('loss', () => {
  test.each([
    [0.05, 1],
    [0.3, 2],
    [0.3, 3],
    [0.9, 4],
  ])('is as likely as asked, and independent: %d (seed %d)', (loss, seed) => {
    const count = 10_000;
    const network = simulator(seed, { loss });
    const deliveries = run(network, { count, every: 1 });
    expect(Math.abs(1 - deliveries.length / count - loss)).toBeLessThan(0.015);
    expect(Math.abs(mean(lostRuns(deliveries, count)) * (1 - loss) - 1)).toBeLessThan(0.06);
    expect(network.stats.lost).toBe(count - deliveries.length);
  });

  test('of all, and of none', () => {
    expect(run(simulator(1, { loss: 1 }), { count: 1000, every: 1 })).toEqual([]);
    expect(run(simulator(1, { loss: 0 }), { count: 1000, every: 1 })).toHaveLength(1000);
  });

  test.each(SEEDS)('in bursts: as often and as long as asked (seed %d)', (seed) => {
    const count = 20_000;
    const network = simulator(seed, { burst: { enter: 0.02, leave: 0.1, loss: 1 } });
    const deliveries = run(network, { count, every: 1 });
    const runs = lostRuns(deliveries, count);
    expect(mean(runs)).toBeGreaterThan(8);
    expect(mean(runs)).toBeLessThan(12);
    expect(Math.abs(1 - deliveries.length / count - 0.02 / 0.12)).toBeLessThan(0.035);
  });

  test('in bursts that lose a part, on top of the independent one', () => {
    const count = 20_000;
    const network = simulator(7, { loss: 0.1, burst: { enter: 0.05, leave: 0.05, loss: 0.6 } });
    const lost = 1 - run(network, { count, every: 1 }).length / count;
    expect(Math.abs(lost - (1 - 0.9 * (0.5 + 0.5 * 0.4)))).toBeLessThan(0.03);
  });

  test('ends with the conditions that asked for it', () => {
    const network = simulator(1, { burst: { enter: 1, leave: 0, loss: 1 } });
    expect(run(network, { count: 100, every: 1 })).toEqual([]);
    network.conditions.burst = null;
    network.send(5000, Uint8Array.of(1));
    expect(network.receive(5000)).toEqual(Uint8Array.of(1));
    network.conditions = linkConditions({ latencyMs: 10 });
    network.send(6000, Uint8Array.of(2));
    expect(network.receive(6009)).toBeNull();
    expect(network.receive(6010)).toEqual(Uint8Array.of(2));
  });
});

describe('duplicates', () => {
  test.each(SEEDS)('are as many as asked, each with a delay of its own (seed %d)', (seed) => {
    const count = 5000;
    const network = simulator(seed, { duplicate: 0.1, latencyMs: 10, jitterMs: 50 });
    const deliveries = run(network, { count, every: 2, step: 1 });
    const times = new Map<number, number[]>();
    for (const { number, arrivedAt } of deliveries) {
      times.set(number, [...(times.get(number) ?? []), arrivedAt]);
    }
    const twice = [...times.values()].filter(({ length }) => length === 2);
    expect(times.size).toBe(count);
    expect(deliveries).toHaveLength(count + twice.length);
    expect(Math.abs(twice.length / count - 0.1)).toBeLessThan(0.015);
    expect(twice.filter(([a, b]) => a !== b).length / twice.length).toBeGreaterThan(0.9);
    expect(network.stats).toMatchObject({ duplicated: twice.length, delivered: deliveries.length });
  });

  test('do not come out of a data channel', () => {
    const network = simulator(1, { duplicate: 1, latencyMs: 10, channel: 'dataChannel' });
    expect(run(network, { count: 200, every: 10 })).toHaveLength(200);
    expect(network.stats.duplicated).toBe(0);
  });
});

describe('bandwidth', () => {
  const bytes = 410;
  const bits = (bytes + PACKET_OVERHEAD_BYTES) * 8;

  test('delays a packet by the time that its bits take', () => {
    const deliveries = run(simulator(1, { latencyMs: 20, bandwidthKbps: 100 }), {
      count: 20,
      every: 100,
      step: 1,
      bytes,
    });
    expect(new Set(delays(deliveries))).toEqual(new Set([20 + bits / 100]));
  });

  test('keeps to the limit, and drops packets that would wait too long', () => {
    const network = simulator(1, { bandwidthKbps: 200 });
    const count = 3000;
    const deliveries = run(network, { count, every: 5, step: 1, bytes });
    for (let from = 1000; from < 14_000; from += 1000) {
      const arrived = deliveries.filter(({ arrivedAt: at }) => at >= from && at < from + 1000).length;
      expect(arrived * bits).toBeGreaterThan(190_000);
      expect(arrived * bits).toBeLessThanOrEqual(200_000 + bits);
    }
    const longest = quantile(delays(deliveries), 1);
    expect(longest).toBeGreaterThan(MAX_LINE_WAIT_MS * 0.9);
    expect(longest).toBeLessThanOrEqual(MAX_LINE_WAIT_MS + bits / 200 + 1);
    expect(network.stats.lost).toBe(count - deliveries.length);
  });
});

describe('a stall', () => {
  test('holds all packets that are due, then delivers them at once and in order', () => {
    const network = simulator(1, { latencyMs: 20 });
    for (let now = 0; now < 100; now += 10) network.send(now, Uint8Array.of(now));
    network.stall(500);
    network.send(490, Uint8Array.of(200));
    for (let now = 100; now < 500; now++) expect(network.receive(now)).toBeNull();
    const numbers: number[] = [];
    for (let got = network.receive(500); got !== null; got = network.receive(500)) numbers.push(got[0]);
    expect(numbers).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(network.receive(509)).toBeNull();
    expect(network.receive(510)).toEqual(Uint8Array.of(200));
  });

  test('does not end early for a shorter one', () => {
    const network = simulator(1, {});
    network.stall(500);
    network.stall(100);
    network.send(0, Uint8Array.of(1));
    expect(network.receive(499)).toBeNull();
    expect(network.receive(500)).not.toBeNull();
  });
});

describe('determinism', () => {
  const all: Partial<LinkConditions> = {
    latencyMs: 30,
    jitterMs: 40,
    loss: 0.1,
    burst: { enter: 0.02, leave: 0.2, loss: 0.9 },
    duplicate: 0.05,
    reorder: 0.1,
    reorderMs: 100,
    bandwidthKbps: 400,
  };

  test.each(['datagram', 'dataChannel'] as const)('the same seed, the same deliveries: %s', (channel) => {
    const traffic: Traffic = { count: 1000, every: 10, step: 2, bytes: 300 };
    const network = simulator(11, { ...all, channel });
    const deliveries = run(network, traffic);
    expect(deliveries.length).toBeGreaterThan(300);
    expect(run(simulator(11, { ...all, channel }), traffic)).toEqual(deliveries);
    expect(run(simulator(12, { ...all, channel }), traffic)).not.toEqual(deliveries);
  });

  test('every packet is lost, delivered or under way', () => {
    for (const channel of ['datagram', 'dataChannel'] as const) {
      const network = simulator(3, { ...all, channel });
      const { length } = run(network, { count: 2000, every: 5, drain: 120_000 });
      const { sent, lost, duplicated, delivered } = network.stats;
      expect({ sent, delivered }).toEqual({ sent: 2000, delivered: length });
      expect(lost + delivered).toBe(sent + duplicated);
    }
  });
});
