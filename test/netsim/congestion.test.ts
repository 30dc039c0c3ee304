import { describe, expect, test } from 'vitest';
import { CongestedChannel } from '../../src/netsim/congestion.ts';

/** Milliseconds one way; the fraction tells acknowledgements, which are written on arrival, from the rest. */
const LATENCY = 10.25;
/** Bytes in a packet, and around a message (see congestion.ts). */
const PACKET = 1191;
const HEADER = 16;

type Message = { readonly name: number; readonly length: number };
type Script = {
  /** Whether the packet that leaves as the so-manieth is lost. */
  readonly isLost?: (packet: number) => boolean;
  /** Whether word of what was given up is lost. */
  readonly isTellingLost?: boolean;
};

/** A channel over a path that loses what the script says; what left and arrived, by name. */
function channelOver({ isLost = () => false, isTellingLost = false }: Script): {
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
    carryControl: (now) => (isTellingLost && now % 1 !== LATENCY % 1 ? Infinity : now + LATENCY),
    deliver(arrivesAt, { name }) {
      (arrivesAt === Infinity ? lost : left).push(name);
    },
  });
  return { channel, left, lost, packets };
}

/** Bytes that the window lets leave at once, on top of what is under way. */
function roomAt(now: number, { channel, packets }: ReturnType<typeof channelOver>): number {
  channel.advance(now);
  const before = packets.length;
  channel.send(now, { name: -1, length: 100_000 });
  return packets.slice(before).reduce((sum, bytes) => sum + bytes, 0);
}

describe('the window', () => {
  test('is ten packets at first; what exceeds it waits', () => {
    const over = channelOver({});
    expect(roomAt(0, over)).toBe(10 * PACKET);
    expect(over.channel.waiting).toBe(1);
    over.channel.advance(1000);
    expect(over.channel.waiting).toBe(0);
    expect(over.left).toEqual([-1]);
  });

  test('stays while single messages are acknowledged late: nothing times out', () => {
    const over = channelOver({});
    for (let now = 0; now < 5000; now += 1000) over.channel.send(now, { name: now, length: 10 });
    expect(roomAt(10_000, over)).toBe(10 * PACKET);
  });

  test('halves when three acknowledgements speak of later messages only', () => {
    const roomAfter = (later: number): number => {
      const over = channelOver({ isLost: (packet) => packet === 1, isTellingLost: true });
      for (let i = 0; i < 2 + later; i++) over.channel.send(i, { name: i, length: 100 });
      return roomAt(100, over);
    };
    expect(roomAfter(2)).toBe(10 * PACKET);
    expect(roomAfter(3)).toBe(5 * PACKET);
    expect(roomAfter(9)).toBe(5 * PACKET);
  });

  test('starts anew at one packet when nothing is acknowledged, and the timeout doubles', () => {
    const over = channelOver({ isLost: () => true, isTellingLost: true });
    for (let i = 0; i < 100; i++) over.channel.send(0, { name: i, length: PACKET - HEADER });
    expect(over.packets).toHaveLength(10);
    const leftAt: number[] = [];
    for (let now = 0, seen = 10; now < 8000; now++) {
      over.channel.advance(now);
      for (; seen < over.packets.length; seen++) leftAt.push(now);
    }
    expect(leftAt).toEqual([500, 1500, 3500, 7500]);
  });

  test('is given 400 ms for an answer, however short the round trip', () => {
    const over = channelOver({ isLost: (packet) => packet >= 2 });
    for (let i = 0; i < 2; i++) over.channel.send(0, { name: i, length: 100 });
    for (let i = 0; i < 11; i++) over.channel.send(1000, { name: i, length: PACKET - HEADER });
    over.channel.advance(1399);
    expect(over.packets).toHaveLength(12);
    over.channel.advance(1401);
    expect(over.packets).toHaveLength(13);
  });

  test('counts what an acknowledgement has no room to speak of', () => {
    const over = channelOver({ isLost: (packet) => packet % 2 === 0, isTellingLost: true });
    for (let i = 0; i < 60; i++) over.channel.send(i, { name: i, length: 100 });
    const unspoken = 20 * (100 + HEADER);
    expect(roomAt(100, over)).toBe(5 * PACKET - unspoken);
  });
});

describe('messages', () => {
  test('share packets when they had to wait, and are divided where a packet ends', () => {
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

  test('whose first part is given up are given up whole', () => {
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

  test('are lost if any part is', () => {
    const over = channelOver({ isLost: (packet) => packet === 0 });
    over.channel.send(0, { name: 1, length: 2000 });
    over.channel.send(0, { name: 2, length: 2000 });
    over.channel.advance(5000);
    expect(over.lost).toEqual([1]);
    expect(over.left).toEqual([2]);
  });

  test('that are empty take a byte', () => {
    const over = channelOver({});
    over.channel.send(0, { name: 1, length: 0 });
    expect(over.packets).toEqual([1 + HEADER]);
    expect(over.left).toEqual([1]);
  });
});
