import { describe, expect, test } from 'vitest';
import { CongestedChannel } from '../../src/netsim/congestion.ts';
import { MTU as PACKET } from '../../src/netsim/congestion-window.ts';

/** Milliseconds one way. SACKs leave when a packet arrives, so the fraction tells them from FORWARD-TSNs. */
const LATENCY = 10.25;
/** Bytes of a DATA chunk's header (see congestion.ts). */
const HEADER = 16;

type Message = { readonly name: number; readonly length: number };
type Script = {
  /** True if the packet with this number is lost; packets with messages count from 0. */
  readonly isLost?: (packet: number) => boolean;
  /** True if every FORWARD-TSN is lost. */
  readonly isForwardTsnLost?: boolean;
};

/**
 * A channel over a path that follows a script, and records: the names of the messages that arrive (`left`) or are
 * `lost`, in the order in which they leave, and the bytes of each packet.
 */
function channelOver({ isLost = () => false, isForwardTsnLost = false }: Script): {
  channel: CongestedChannel<Message>;
  left: number[];
  lost: number[];
  packets: number[];
} {
  const left: number[] = [];
  const lost: number[] = [];
  const packets: number[] = [];
  const channel = new CongestedChannel<Message>({
    carry(now, bytes) {
      packets.push(bytes);
      return isLost(packets.length - 1) ? Infinity : now + LATENCY;
    },
    carryControl: (now) => (isForwardTsnLost && now % 1 !== LATENCY % 1 ? Infinity : now + LATENCY),
    deliver(arrivesAt, { name }) {
      (arrivesAt === Infinity ? lost : left).push(name);
    },
  });
  return { channel, left, lost, packets };
}

/** Bytes that leave at once: the room that is left in cwnd. */
function roomAt(now: number, { channel, packets }: ReturnType<typeof channelOver>): number {
  channel.advance(now);
  const before = packets.length;
  channel.send(now, { name: -1, length: 100_000 });
  return packets.slice(before).reduce((sum, bytes) => sum + bytes, 0);
}

describe('cwnd', () => {
  test('is ten packets at first; the rest waits', () => {
    const over = channelOver({});
    expect(roomAt(0, over)).toBe(10 * PACKET);
    expect(over.channel.waiting).toBe(1);
    over.channel.advance(1000);
    expect(over.channel.waiting).toBe(0);
    expect(over.left).toEqual([-1]);
  });

  test('stays the same while SACKs of single messages are delayed: T3-rtx does not expire', () => {
    const over = channelOver({});
    for (let now = 0; now < 5000; now += 1000) over.channel.send(now, { name: now, length: 10 });
    expect(roomAt(10_000, over)).toBe(10 * PACKET);
  });

  test('halves after three miss indications', () => {
    const roomAfter = (later: number): number => {
      const over = channelOver({ isLost: (packet) => packet === 1, isForwardTsnLost: true });
      for (let i = 0; i < 2 + later; i++) over.channel.send(i, { name: i, length: 100 });
      return roomAt(100, over);
    };
    expect(roomAfter(2)).toBe(10 * PACKET);
    expect(roomAfter(3)).toBe(5 * PACKET);
    expect(roomAfter(9)).toBe(5 * PACKET);
  });

  test('is one packet after T3-rtx expires, and the RTO doubles', () => {
    const over = channelOver({ isLost: () => true, isForwardTsnLost: true });
    for (let i = 0; i < 100; i++) over.channel.send(0, { name: i, length: PACKET - HEADER });
    expect(over.packets).toHaveLength(10);
    const leftAt: number[] = [];
    for (let now = 0, seen = 10; now < 8000; now++) {
      over.channel.advance(now);
      for (; seen < over.packets.length; seen++) leftAt.push(now);
    }
    expect(leftAt).toEqual([500, 1500, 3500, 7500]);
  });

  test('stays for an RTO of 400 ms at least, however short the round trip', () => {
    const over = channelOver({ isLost: (packet) => packet >= 2 });
    for (let i = 0; i < 2; i++) over.channel.send(0, { name: i, length: 100 });
    for (let i = 0; i < 11; i++) over.channel.send(1000, { name: i, length: PACKET - HEADER });
    over.channel.advance(1399);
    expect(over.packets).toHaveLength(12);
    over.channel.advance(1401);
    expect(over.packets).toHaveLength(13);
  });

  test('has no room for chunks that do not fit the 20 gap ack blocks of a SACK', () => {
    const over = channelOver({ isLost: (packet) => packet % 2 === 0, isForwardTsnLost: true });
    for (let i = 0; i < 60; i++) over.channel.send(i, { name: i, length: 100 });
    const unacked = 20 * (100 + HEADER);
    expect(roomAt(100, over)).toBe(5 * PACKET - unacked);
  });
});

describe('messages', () => {
  test('share packets when they had to wait, and are fragmented where a packet ends', () => {
    const over = channelOver({});
    for (let i = 0; i < 60; i++) over.channel.send(0, { name: i, length: 500 });
    over.channel.advance(1000);
    expect(over.left).toEqual(Array.from({ length: 60 }, (_, i) => i));
    expect(over.packets.slice(0, 20)).toEqual(new Array(20).fill(500 + HEADER));
    expect(Math.max(...over.packets)).toBe(PACKET);
  });

  test('keep their order through a long queue, and all arrive', () => {
    const over = channelOver({});
    for (let i = 0; i < 5000; i++) over.channel.send(0, { name: i, length: 500 });
    over.channel.advance(60_000);
    expect(over.left).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  });

  test('are abandoned whole if their first fragment is', () => {
    const over = channelOver({ isLost: (packet) => packet < 10 });
    over.channel.send(0, { name: 1, length: 20_000 });
    over.channel.send(0, { name: 2, length: 20 });
    over.channel.advance(499);
    expect(over.lost).toEqual([]);
    over.channel.advance(5000);
    expect(over.lost).toEqual([1]);
    expect(over.left).toEqual([2]);
    expect(over.channel.waiting).toBe(0);
  });

  test('are lost if any fragment is', () => {
    const over = channelOver({ isLost: (packet) => packet === 0 });
    over.channel.send(0, { name: 1, length: 2000 });
    over.channel.send(0, { name: 2, length: 2000 });
    over.channel.advance(5000);
    expect(over.lost).toEqual([1]);
    expect(over.left).toEqual([2]);
  });

  test('take a byte if they are empty', () => {
    const over = channelOver({});
    over.channel.send(0, { name: 1, length: 0 });
    expect(over.packets).toEqual([1 + HEADER]);
    expect(over.left).toEqual([1]);
  });
});
