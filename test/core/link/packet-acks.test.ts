import { describe, expect, it } from 'vitest';
import { PacketAcks } from '../../../src/core/link/packet-acks.ts';

/** Sends `count` packets a tick apart; returns the acks that the other end would give for those it got. */
function exchange(
  a: PacketAcks,
  b: PacketAcks,
  count: number,
  arrives: (sequence: number) => boolean,
): number[] {
  const acked: number[] = [];
  for (let i = 0; i < count; i++) {
    const sequence = a.send(i * 16);
    if (!arrives(sequence)) continue;
    b.receive(b.unwrapReceived(sequence & 0xffff));
    a.acknowledge(b.newestReceived & 0xffff, b.receivedBits, i * 16 + 40, (s) => acked.push(s));
  }
  return acked;
}

describe('packet acks', () => {
  it('each packet that arrived is acked once, each that did not never is', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    const acked = exchange(a, b, 300, (s) => s % 7 !== 3);
    expect(acked).toEqual(Array.from({ length: 300 }, (_, s) => s).filter((s) => s % 7 !== 3));
    expect(a.ackedCount).toBe(acked.length);
  });

  it('a packet that came late is acked by the bits before the newest', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    for (let i = 0; i < 6; i++) a.send(0);
    for (const sequence of [0, 2, 5, 3]) b.receive(sequence);
    const acked: number[] = [];
    a.acknowledge(b.newestReceived, b.receivedBits, 10, (s) => acked.push(s));
    expect(acked.sort()).toEqual([0, 2, 3, 5]);
  });

  it('acks of 32 lost acks later still speak of what arrived', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    const acked: number[] = [];
    for (let i = 0; i < 33; i++) b.receive(a.send(0));
    a.acknowledge(b.newestReceived, b.receivedBits, 10, (s) => acked.push(s));
    expect(acked).toHaveLength(33);
  });

  it('judges duplicates, and what is too old to tell', () => {
    const acks = new PacketAcks();
    acks.receive(100);
    expect(acks.judge(100)).toBe('duplicate');
    expect(acks.judge(99)).toBe('new');
    expect(acks.judge(37)).toBe('new');
    expect(acks.judge(36)).toBe('too old');
    expect(acks.judge(-1)).toBe('too old');
  });

  it('numbers go on past the wrap of their 16 bits', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    a.nextSequence = 65530;
    b.receive(65529);
    const acked = exchange(a, b, 20, () => true);
    expect(acked).toEqual(Array.from({ length: 20 }, (_, i) => 65530 + i));
    expect(b.newestReceived).toBe(65549);
  });

  it('an ack of what was never sent does nothing', () => {
    const acks = new PacketAcks();
    acks.send(0);
    acks.acknowledge(500, 0xffffffff, 10, () => expect.fail('acked'));
    expect(acks.roundTripMs).toBe(0);
  });

  it('measures the round trip, and counts what can no longer be acked as lost', () => {
    const [a, b] = [new PacketAcks(), new PacketAcks()];
    exchange(a, b, 100, () => true);
    expect(a.roundTripMs).toBeCloseTo(40, 5);
    for (let i = 0; i < 300; i++) a.send(0);
    expect(a.lostCount).toBe(300 - 256);
  });
});
