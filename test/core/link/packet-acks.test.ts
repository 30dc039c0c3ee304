import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { PacketAcks } from '../../../src/core/link/packet-acks.ts';
import { forSeeds } from '../../support/seeds.ts';

/** The low 16 bits of a number, as packets carry it. */
function low(sequence: number): number {
  return sequence & 0xffff;
}

/** The acks that an end sends. */
function ackOf(end: PacketAcks): { low: number; bits: number } {
  return { low: low(end.newestReceived), bits: end.receivedBits };
}

/** The numbers of `from` that are newly acked by what `to` has received. */
function newlyAcked(from: PacketAcks, to: PacketAcks, nowMs = 0): number[] {
  const acked: number[] = [];
  const { low: newest, bits } = ackOf(to);
  from.acknowledge(newest, bits, nowMs, (sequence) => acked.push(sequence));
  return acked.sort((a, b) => a - b);
}

function sendMany(end: PacketAcks, count: number, nowMs = 0): void {
  for (let i = 0; i < count; i++) end.send(nowMs);
}

/** The packets that an end's acks cover. */
function spokenOf(end: PacketAcks): number[] {
  const bits = Array.from({ length: 32 }, (_, i) => i).filter((i) => ((end.receivedBits >>> i) & 1) === 1);
  return [end.newestReceived, ...bits.map((i) => end.newestReceived - 1 - i)];
}

describe('receiving', () => {
  test('numbers are unwrapped past 16 bits', () => {
    const acks = new PacketAcks();
    for (let sequence = 0; sequence < 200_000; sequence += 1000) {
      expect(acks.unwrapReceived(low(sequence))).toBe(sequence);
      acks.receive(sequence);
    }
    expect(acks.unwrapReceived(low(198_990))).toBe(198_990);
    expect(acks.unwrapReceived(low(199_010))).toBe(199_010);
  });

  test('a packet is new, then a duplicate, then too old', () => {
    const acks = new PacketAcks();
    expect(acks.classify(0)).toBe('new');
    acks.receive(0);
    expect(acks.classify(0)).toBe('duplicate');
    for (let sequence = 2; sequence <= 63; sequence++) acks.receive(sequence);
    expect(acks.classify(1)).toBe('new');
    expect(acks.classify(0)).toBe('duplicate');
    acks.receive(64);
    expect(acks.classify(0)).toBe('too old');
    expect(acks.classify(1)).toBe('new');
    expect(acks.classify(-1)).toBe('too old');
  });

  test('[W4.1] classify does not mark a packet as received: one that did not decode may come again', () => {
    const acks = new PacketAcks();
    acks.receive(5);
    expect(acks.classify(6)).toBe('new');
    expect(acks.classify(6)).toBe('new');
    expect(spokenOf(acks)).toEqual([5]);
  });

  test('before the first packet there is no ack', () => {
    const acks = new PacketAcks();
    expect([acks.newestReceived, acks.receivedBits]).toEqual([-1, 0]);
  });

  test('the bits are the 32 packets before the newest, in whatever order they came', () => {
    forSeeds(1, 50, (seed) => {
      const random = new Random(seed);
      const acks = new PacketAcks();
      const received = new Set<number>();
      for (let step = 0, at = 0; step < 300; step++) {
        at += random.chance(0.02) ? random.below(100) : 1;
        const sequence = Math.max(0, at - random.below(40));
        if (random.chance(0.3) || acks.classify(sequence) !== 'new') continue;
        acks.receive(sequence);
        received.add(sequence);
      }
      const newest = Math.max(...received);
      const expected = [...received].filter((sequence) => sequence >= newest - 32).sort((a, b) => b - a);
      expect(spokenOf(acks)).toEqual(expected);
    });
  });
});

describe('being acked', () => {
  test('each packet once, however many acks cover it', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    sendMany(a, 40);
    for (const sequence of [0, 1, 3, 4]) b.receive(sequence);
    expect(newlyAcked(a, b)).toEqual([0, 1, 3, 4]);
    expect(newlyAcked(a, b)).toEqual([]);
    b.receive(2);
    b.receive(36);
    expect(newlyAcked(a, b)).toEqual([36]);
    expect(a.ackedCount).toBe(5);
  });

  test('the oldest that an ack covers is the 32nd before the newest', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    sendMany(a, 100);
    for (let sequence = 0; sequence <= 50; sequence++) b.receive(sequence);
    expect(newlyAcked(a, b)).toEqual(Array.from({ length: 33 }, (_, i) => i + 18));
  });

  test('past 16 bits as well', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    sendMany(a, 70_000);
    for (const sequence of [69_990, 69_992, 69_999]) b.receive(sequence);
    expect(newlyAcked(a, b)).toEqual([69_990, 69_992, 69_999]);
  });

  test('an ack of what was never sent acks nothing', () => {
    const a = new PacketAcks();
    const acked: number[] = [];
    a.acknowledge(0, 0xffffffff, 0, (sequence) => acked.push(sequence));
    sendMany(a, 3);
    a.acknowledge(low(3), 0xffffffff, 0, (sequence) => acked.push(sequence));
    a.acknowledge(low(-5), 0xffffffff, 0, (sequence) => acked.push(sequence));
    expect(acked).toEqual([]);
    expect(a.ackedCount).toBe(0);
  });

  test('a packet that is never acked counts as lost', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    for (let sequence = 0; sequence < 1000; sequence++) {
      a.send(0);
      if (sequence % 10 === 0) continue;
      b.receive(sequence);
      newlyAcked(a, b);
    }
    expect(a.ackedCount).toBe(900);
    // The last few can still be acked.
    expect(a.lostCount).toBeGreaterThanOrEqual(70);
    expect(a.lostCount).toBeLessThanOrEqual(100);
  });

  test('an ack that comes too late does not ack a newer packet in the same place', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    sendMany(a, 1);
    b.receive(0);
    sendMany(a, 256);
    expect(newlyAcked(a, b)).toEqual([]);
    expect(a.lostCount).toBe(1);
  });
});

describe('round trips', () => {
  test('none before the first ack; then that of the first, and then smoothed', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    expect(a.roundTripMs).toBe(0);
    a.send(1000);
    b.receive(0);
    newlyAcked(a, b, 1080);
    expect(a.roundTripMs).toBe(80);
    a.send(2000);
    b.receive(1);
    newlyAcked(a, b, 2160);
    expect(a.roundTripMs).toBe(90);
    newlyAcked(a, b, 9000);
    expect(a.roundTripMs).toBe(90);
  });

  test('only the newest packet of an ack is measured, since the others have waited', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    a.send(0);
    a.send(100);
    b.receive(0);
    b.receive(1);
    newlyAcked(a, b, 150);
    expect(a.roundTripMs).toBe(50);
  });

  test('[W8.7] an ack that may have waited changes the round trip only to its bounds', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    const ack = (packet: number, tripMs: number, waitedMs: number): number => {
      a.send(packet * 1000);
      b.receive(packet);
      a.acknowledge(b.newestReceived, b.receivedBits, packet * 1000 + tripMs, () => {}, waitedMs);
      return a.roundTripMs;
    };
    expect(ack(0, 80, 0)).toBe(80);
    expect(ack(1, 150, 83)).toBe(80);
    expect(ack(2, 85, 83)).toBe(80);
    expect(ack(3, 64, 83)).toBe(78);
    expect(ack(4, 178 + 80, 80)).toBe(90.5);
  });
});

test('[V3.2] acks cover exactly the packets that the other end had when it sent them', () => {
  forSeeds(1, 50, (seed) => {
    const [a, b, random] = [new PacketAcks(), new PacketAcks(), new Random(seed)];
    const count = 20 + random.below(80);
    const received = new Set<number>();
    for (let i = 0; i < count; i++) {
      a.send(0);
      if (random.next() < 0.4) continue;
      b.receive(i);
      received.add(i);
    }
    const { low: newest, bits } = ackOf(b);
    for (let i = 0; i < count; i++)
      expect(a.covers(newest, bits, i)).toBe(received.has(i) && b.newestReceived - i <= 32);
    expect(a.covers(-1, 0, count - 1)).toBe(false);
  });
});
