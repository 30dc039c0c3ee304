import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_MESSAGE_LENGTH } from '../../../src/core/room/fields.ts';
import type { PageLine } from './meeting.ts';
import { messagesOf, openLine, packetsOf, pause, until, untilState } from './meeting.ts';

/** The channels of all connections that this page makes, in the order in which they are made. */
const channels: RTCDataChannel[] = [];
const { createDataChannel } = RTCPeerConnection.prototype;
beforeEach(() => {
  channels.length = 0;
  RTCPeerConnection.prototype.createDataChannel = function (...args) {
    const channel = createDataChannel.apply(this, args);
    channels.push(channel);
    return channel;
  };
});
afterEach(() => void (RTCPeerConnection.prototype.createDataChannel = createDataChannel));

/** The channel for packets is made at both ends, the channel for messages at one end. */
function channelsOf(kind: 'packets' | 'messages'): RTCDataChannel[] {
  return channels.filter(({ label }) => (label === 'packets') === (kind === 'packets'));
}

/** Takes in messages or packets until there are so many. */
async function collect(line: PageLine, count: number): Promise<string[]> {
  const texts: string[] = [];
  await until(() => texts.push(...messagesOf(line)) >= count, `${count} messages have come`);
  return texts;
}

/** How many packets have come on a line, taken in or not, as the browser counts them. */
async function arrivedAt(line: PageLine): Promise<number> {
  let count = 0;
  (await line.connection.peerConnection.getStats()).forEach((entry: Readonly<Record<string, unknown>>) => {
    if (entry.type === 'data-channel' && entry.label === 'packets') count = Number(entry.messagesReceived);
  });
  return count;
}

describe('messages', () => {
  test('arrive in order and whole, both ways, also the longest', async () => {
    const ends = await openLine();
    const sent = Array.from({ length: 60 }, (_, i) => `${i}: Grüße, ${'🧊'.repeat(i * 60)}`);
    sent.push('', 'x'.repeat(MAX_MESSAGE_LENGTH));
    for (const line of [ends.near, ends.far]) sent.forEach((text) => line.sendMessage(text));
    expect(await collect(ends.far, sent.length)).toEqual(sent);
    expect(await collect(ends.near, sent.length)).toEqual(sent);
  });

  test('[F3.8] are followed by empty packets for 3 s, which are not read', async () => {
    const { near, far } = await openLine();
    const began = performance.now();
    near.sendMessage('hello');
    let arrived = 0;
    await expect.poll(async () => (arrived = await arrivedAt(far)), { timeout: 10_000 }).toBeGreaterThan(2);
    await pause(Math.max(0, began + 4000 - performance.now()));
    const last = await arrivedAt(far);
    expect(last).toBeGreaterThanOrEqual(arrived);
    // One each 50 ms, but for those that the browser had no time for.
    expect(last).toBeGreaterThan(15);
    await pause(500);
    expect(await arrivedAt(far)).toBe(last);
    expect(packetsOf(far)).toEqual([]);
    expect(messagesOf(far)).toEqual(['hello']);
  });

  test('that are sent just before an end closes arrive; later messages do not', async () => {
    for (const closer of ['near', 'far'] as const) {
      const ends = await openLine();
      const other = closer === 'near' ? ends.far : ends.near;
      // More messages than go out at once, so that a line that closes too soon loses some.
      const words = [...Array<string>(20).fill('x'.repeat(MAX_MESSAGE_LENGTH)), 'farewell'];
      words.forEach((text) => ends[closer].sendMessage(text));
      ends[closer].close();
      ends[closer].sendMessage('too late');
      expect(ends[closer].state).toBe('closed');
      await untilState(other, 'closed');
      expect(messagesOf(other)).toEqual(words);
    }
  });

  test.each([
    ['a message that is too long', ['x'.repeat(MAX_MESSAGE_LENGTH + 1)], []],
    ['a megabyte', ['x'.repeat(1 << 20)], []],
    ['more messages than may wait', Array.from({ length: 65 }, String), Array.from({ length: 64 }, String)],
  ])('end the line: %s', async (_, texts, kept) => {
    const { near, far } = await openLine();
    texts.forEach((text) => near.sendMessage(text));
    await untilState(far, 'closed');
    expect(messagesOf(far)).toEqual(kept);
    await untilState(near, 'closed');
  });

  test('are texts: bytes are ignored', async () => {
    const { far } = await openLine();
    const [channel] = channelsOf('messages');
    channel.send(Uint8Array.of(1, 2, 3));
    channel.send('a text');
    expect(await collect(far, 1)).toEqual(['a text']);
  });
});

describe('packets', () => {
  test('are never ordered and never sent again, at either end', async () => {
    await openLine();
    const packets = channelsOf('packets');
    expect(packets).toHaveLength(2);
    for (const { ordered, maxRetransmits, negotiated, id } of packets) {
      expect({ ordered, maxRetransmits, negotiated, id }).toEqual({
        ordered: false,
        maxRetransmits: 0,
        negotiated: true,
        id: 64,
      });
    }
    const [{ ordered, maxRetransmits, maxPacketLifeTime }] = channelsOf('messages');
    expect([ordered, maxRetransmits, maxPacketLifeTime]).toEqual([true, null, null]);
  });

  test('[F2.1] the channel is not ready while a packet waits in it, and is ready again when the packet has gone', async () => {
    const { near, far } = await openLine();
    expect(near.isReady).toBe(true);
    const wasReady: boolean[] = [];
    for (let i = 0; i < 50; i++) {
      near.sendPacket(new Uint8Array(1000));
      const waiting = channelsOf('packets').some(({ bufferedAmount }) => bufferedAmount > 0);
      wasReady.push(near.isReady);
      expect(near.isReady).toBe(!waiting);
    }
    expect(wasReady).toContain(false);
    await until(() => near.isReady, 'the packets have left');
    let count = 0;
    await until(() => (count += packetsOf(far).length) >= 50, 'all packets have come');
  });

  test('that wait are at most 1024: the newest stay', async () => {
    const { near, far } = await openLine();
    const sent = 1500;
    for (let i = 0; i < sent; i++) near.sendPacket(Uint8Array.from([i >> 8, i]));
    await expect.poll(() => arrivedAt(far), { interval: 20, timeout: 5000 }).toBeGreaterThan(sent - 20);
    // The browser hands over counted packets a moment later.
    await pause(50);
    const marks = packetsOf(far).map(([high, low]) => high * 256 + low);
    expect(marks).toHaveLength(1024);
    expect(Math.min(...marks)).toBeGreaterThanOrEqual((await arrivedAt(far)) - 1024);
    expect(packetsOf(far)).toEqual([]);
  });

  test('are bytes: texts are ignored', async () => {
    const { near, far } = await openLine();
    channelsOf('packets').forEach((channel) => channel.send('text'));
    near.sendPacket(Uint8Array.of(7));
    const heard: Uint8Array[] = [];
    await until(() => heard.push(...packetsOf(far)) > 0, 'a packet has come');
    await pause(30);
    expect([...heard, ...packetsOf(far)]).toEqual([Uint8Array.of(7)]);
  });
});

describe('[F3] a line ends', () => {
  const ways: readonly (readonly [string, (line: PageLine) => void])[] = [
    ['when it is closed', (line) => line.close()],
    ['when its page goes without a goodbye', (line) => line.connection.peerConnection.close()],
    [
      'when its channel for packets closes',
      () => channelsOf('packets').forEach((channel) => channel.close()),
    ],
    [
      'when its channel for messages closes',
      () => channelsOf('messages').forEach((channel) => channel.close()),
    ],
  ];
  test.each(ways)('%s: the other end is closed within a second', async (_, end) => {
    const { near, far } = await openLine();
    const started = performance.now();
    end(near);
    await untilState(far, 'closed');
    expect(performance.now() - started).toBeLessThan(1000);
    expect(far.sendPacket(Uint8Array.of(1))).toBe(false);
    expect(far.isReady).toBe(false);
    far.sendMessage('nobody hears this');
  });
});
