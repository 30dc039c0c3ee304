import { describe, expect, test } from 'vitest';
import type { Slot } from '../../src/core/base/ids.ts';
import type { LinkConditions } from '../../src/netsim/network-simulator.ts';
import type { Loopback } from '../../src/transport/loopback.ts';
import { createLoopback } from '../../src/transport/loopback.ts';
import type { TransportPair } from '../contract/transport-contract.ts';
import { transportContract } from '../contract/transport-contract.ts';

const HOST = 0 as Slot;
const FIRST = 1 as Slot;
const SECOND = 2 as Slot;

function loopbackPair(conditions: Partial<LinkConditions>): TransportPair {
  const loopback = createLoopback({ seed: 1, slots: 3, conditions });
  loopback.disconnect(HOST, FIRST);
  return {
    host: loopback.transports[HOST],
    guest: loopback.transports[SECOND],
    hostSlot: HOST,
    guestSlot: SECOND,
    now: () => loopback.now,
    pass: () => {
      loopback.now += 10;
      return Promise.resolve();
    },
    dispose: () => {},
  };
}

transportContract('a perfect loopback', () => loopbackPair({}));
transportContract('a loopback that delays, duplicates and reorders', () =>
  loopbackPair({ latencyMs: 40, jitterMs: 30, duplicate: 0.2, reorder: 0.2, reorderMs: 50 }),
);
transportContract('a loopback of data channels', () =>
  loopbackPair({ latencyMs: 40, jitterMs: 5, channel: 'dataChannel' }),
);

/** Sends one byte from every slot to every other; returns which arrived, as `from>to`. */
function whoHearsWhom(loopback: Loopback): string[] {
  const { transports } = loopback;
  transports.forEach((from, slot) => {
    for (let to = 0; to < transports.length; to++) from.send(to as Slot, Uint8Array.of(slot));
  });
  loopback.now += 1000;
  const heard: string[] = [];
  transports.forEach((transport, to) => {
    transport.receive(loopback.now, (from, bytes) => {
      expect(bytes).toEqual(Uint8Array.of(from));
      heard.push(`${from}>${to}`);
    });
  });
  return heard.sort();
}

/** The times, to a millisecond, at which packets sent every 10 ms for a second arrive from one slot at another. */
function arrivalTimes(loopback: Loopback, from: Slot, to: Slot): number[] {
  const times: number[] = [];
  const start = loopback.now;
  for (let t = start; t < start + 2000; t++) {
    loopback.now = t;
    if (t % 10 === 0 && t < start + 1000) loopback.transports[from].send(to, Uint8Array.of(1));
    loopback.transports[to].receive(t, () => times.push(t - start));
  }
  return times;
}

describe('a loopback', () => {
  test('connects the host with every guest, and no guest with another', () => {
    expect(whoHearsWhom(createLoopback({ seed: 1, slots: 3 }))).toEqual(['0>1', '0>2', '1>0', '2>0']);
    expect(whoHearsWhom(createLoopback({ seed: 1, slots: 8 }))).toHaveLength(14);
  });

  test.each([1, 33, NaN])('throws with %d slots', (slots) => {
    expect(() => createLoopback({ seed: 1, slots })).toThrow(RangeError);
  });

  test('connects guests when asked to: one of them may become host', () => {
    const loopback = createLoopback({ seed: 1, slots: 3 });
    loopback.disconnect(HOST, FIRST);
    loopback.connect(FIRST, SECOND);
    expect(whoHearsWhom(loopback)).toEqual(['0>2', '1>2', '2>0', '2>1']);
    expect(loopback.transports[FIRST].state(HOST)).toBe('closed');
  });

  test.each([
    [HOST, HOST],
    [HOST, 3 as Slot],
    [-1 as Slot, FIRST],
  ])('does not connect %d and %d', (a, b) => {
    const loopback = createLoopback({ seed: 1, slots: 3 });
    expect(() => loopback.connect(a, b)).toThrow(RangeError);
  });

  test('connected anew delivers no packet of the earlier connection, and keeps the conditions', () => {
    const loopback = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 50 } });
    const [host, guest] = loopback.transports;
    host.send(FIRST, Uint8Array.of(1));
    loopback.now = 20;
    loopback.connect(HOST, FIRST);
    host.send(FIRST, Uint8Array.of(2));
    const arrivals: (readonly [number, number])[] = [];
    for (let t = 0; t <= 200; t++) guest.receive(t, (_, bytes) => arrivals.push([loopback.now, bytes[0]]));
    expect(arrivals).toEqual([[70, 2]]);
  });

  test('delivers after the latency: sent at `now`, received at the time that is passed in', () => {
    const loopback = createLoopback({ seed: 1, slots: 2, conditions: { latencyMs: 30 } });
    loopback.now = 100;
    loopback.transports[HOST].send(FIRST, Uint8Array.of(7));
    let count = 0;
    loopback.transports[FIRST].receive(129, () => count++);
    expect(count).toBe(0);
    expect(loopback.now).toBe(129);
    loopback.transports[FIRST].receive(130, () => count++);
    expect(count).toBe(1);
    loopback.transports[HOST].receive(50, () => count++);
    expect(loopback.now).toBe(130);
  });

  test('changes conditions of one direction', () => {
    const loopback = createLoopback({ seed: 1, slots: 3 });
    const link = loopback.link(HOST, FIRST);
    if (link !== null) link.conditions.loss = 1;
    expect(whoHearsWhom(loopback)).toEqual(['0>2', '1>0', '2>0']);
    expect(link?.stats).toMatchObject({ sent: 1, lost: 1 });
    expect(loopback.link(FIRST, SECOND)).toBeNull();
  });

  test('changes conditions of all directions, also of later connections', () => {
    const loopback = createLoopback({ seed: 1, slots: 3 });
    loopback.setConditions({ loss: 1 });
    loopback.connect(FIRST, SECOND);
    expect(whoHearsWhom(loopback)).toEqual([]);
    loopback.setConditions({ loss: 0 });
    expect(whoHearsWhom(loopback)).toHaveLength(6);
  });

  test('has its own randomness in each direction, the same for the same seed', () => {
    const conditions: Partial<LinkConditions> = { latencyMs: 20, jitterMs: 60, loss: 0.2 };
    const run = (seed: number, from: Slot, to: Slot): number[] =>
      arrivalTimes(createLoopback({ seed, slots: 3, conditions }), from, to);
    const times = run(5, HOST, FIRST);
    expect(times.length).toBeGreaterThan(50);
    expect(run(5, HOST, FIRST)).toEqual(times);
    expect(run(6, HOST, FIRST)).not.toEqual(times);
    expect(run(5, FIRST, HOST)).not.toEqual(times);
    expect(run(5, HOST, SECOND)).not.toEqual(times);
  });
});
