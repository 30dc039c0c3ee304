import { describe, expect, test } from 'vitest';
import type { Delivery, Traffic } from './traffic.ts';
import { delays, mean, quantile, run, simulator } from './traffic.ts';

/** Milliseconds one way. */
const LATENCY = 70;
const SECONDS = 13;

/**
 * Measurements of Chromium with `maxRetransmits: 0`: 500 bytes 60 times a second for 13 s, with loss in both
 * directions. They give the share that arrives, and the 99th percentile of the delay in milliseconds. The rows at 50
 * and 75 ms are means of two or three runs through a forwarder that drops and delays. The latency of the rows at 70
 * ms was not written down; 70 ms fits them best.
 */
const MEASURED = [
  { latencyMs: 50, loss: 0.1, skip: false, share: 0.89, slowest: 60 },
  { latencyMs: 50, loss: 0.2, skip: false, share: 0.61, slowest: 3100 },
  { latencyMs: 50, loss: 0.3, skip: false, share: 0.33, slowest: 6000 },
  { latencyMs: 50, loss: 0.1, skip: true, share: 0.9, slowest: 55 },
  { latencyMs: 50, loss: 0.2, skip: true, share: 0.4, slowest: 124 },
  { latencyMs: 50, loss: 0.3, skip: true, share: 0.19, slowest: 144 },
  { latencyMs: 70, loss: 0.1, skip: false, share: 0.89, slowest: 1400 },
  { latencyMs: 70, loss: 0.2, skip: false, share: 0.46, slowest: 5600 },
  { latencyMs: 70, loss: 0.3, skip: false, share: 0.31, slowest: 7300 },
  { latencyMs: 70, loss: 0.1, skip: true, share: 0.89, slowest: 94 },
  { latencyMs: 70, loss: 0.3, skip: true, share: 0.14, slowest: 426 },
  { latencyMs: 75, loss: 0.1, skip: false, share: 0.73, slowest: 2500 },
  { latencyMs: 75, loss: 0.2, skip: false, share: 0.31, slowest: 7600 },
  { latencyMs: 75, loss: 0.3, skip: false, share: 0.22, slowest: 8800 },
  { latencyMs: 75, loss: 0.1, skip: true, share: 0.71, slowest: 119 },
  { latencyMs: 75, loss: 0.2, skip: true, share: 0.31, slowest: 218 },
  { latencyMs: 75, loss: 0.3, skip: true, share: 0.18, slowest: 182 },
];
/**
 * The means of so many runs are compared, within these limits: single runs scatter as much, in the browser and here.
 */
const RUNS = 24;
const SHARE_FACTOR = 2;
const SHARE_DIFFERENCE = 0.25;
const DELAY_FACTOR = 2.6;

function expectWithin(value: number, expected: number, factor: number): void {
  expect(value).toBeGreaterThan(expected / factor);
  expect(value).toBeLessThan(expected * factor);
}

describe('a data channel under loss', () => {
  test.each(MEASURED)('comes near $share and $slowest ms at $latencyMs ms, $loss, skipping $skip', (row) => {
    const { latencyMs, loss, skip } = row;
    const count = SECONDS * 60;
    const traffic: Traffic = { count, every: 1000 / 60, step: 1000 / 480, drain: 600, bytes: 500, skip };
    const runs = Array.from({ length: RUNS }, (_, seed) =>
      run(simulator(seed, { latencyMs, loss, channel: 'dataChannel' }), traffic),
    );
    const share = mean(runs.map(({ length }) => length / count));
    expectWithin(share, row.share, SHARE_FACTOR);
    expect(Math.abs(share - row.share)).toBeLessThan(SHARE_DIFFERENCE);
    expectWithin(mean(runs.map((one) => quantile(delays(one), 0.99))), row.slowest, DELAY_FACTOR);
  });

  test('without loss nothing waits', () => {
    const network = simulator(1, { latencyMs: LATENCY, channel: 'dataChannel' });
    const deliveries = run(network, { count: 600, every: 1000 / 60, step: 1000 / 480, bytes: 500 });
    expect(deliveries).toHaveLength(600);
    expect(quantile(delays(deliveries), 1)).toBeLessThan(LATENCY + 3);
  });

  test('packets beyond cwnd wait, are not lost, and arrive in order', () => {
    const network = simulator(1, { latencyMs: LATENCY, channel: 'dataChannel' });
    const packet = new Uint8Array(1000);
    for (let i = 0; i < 100; i++) {
      packet[0] = i;
      network.send(0, packet);
    }
    expect(network.ready(0)).toBe(false);
    const numbers: number[] = [];
    for (let now = 0; now < 5000; now++) {
      for (let got = network.receive(now); got !== null; got = network.receive(now)) numbers.push(got[0]);
    }
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(network.ready(5000)).toBe(true);
  });

  test('recovers from total loss, and from a stall', () => {
    const network = simulator(1, { latencyMs: LATENCY, loss: 1, channel: 'dataChannel' });
    const traffic: Traffic = { count: 300, every: 20, step: 1, bytes: 500, skip: true };
    expect(run(network, traffic)).toEqual([]);
    expect(network.ready(7000)).toBe(false);
    network.conditions.loss = 0;
    const recovered = (deliveries: readonly Delivery[]): number =>
      deliveries.filter(({ number }) => number >= 200).length;
    run(network, { ...traffic, start: 8000, count: 500 });
    expect(recovered(run(network, { ...traffic, start: 20_000 }))).toBe(100);
    network.stall(34_000);
    expect(run(network, { ...traffic, start: 30_000, count: 150, drain: 900 })).toEqual([]);
    expect(network.ready(33_999)).toBe(false);
    expect(recovered(run(network, { ...traffic, start: 34_000 }))).toBe(100);
  });
});
