import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import { Line } from '../../../src/transport/line.ts';
import { LineTransport } from '../../../src/transport/line-transport.ts';
import { SocketConnection } from '../../../src/transport/socket/socket-connection.ts';
import type { TransportPair } from '../../contract/transport-contract.ts';
import { transportContract } from '../../contract/transport-contract.ts';
import { twoSockets } from './sockets.ts';

const [HOST, GUEST] = [0, 2] as Slot[];
const [OWN, OTHER] = ['a'.repeat(36), 'b'.repeat(36)];

type Ends = { readonly near: Line<SocketConnection>; readonly far: Line<SocketConnection> };

async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 2, timeout: 10_000, message: what }).toBe(true);
}

/** Two ends of a line, open. */
async function openLine(): Promise<Ends> {
  const { caller, callee } = await twoSockets();
  const near = new Line(0 as LineId, new SocketConnection('far', caller, OWN));
  const far = new Line(1 as LineId, new SocketConnection('near', callee, OTHER));
  await until(() => near.state === 'open' && far.state === 'open', 'the line is open');
  return { near, far };
}

async function socketPair(): Promise<TransportPair> {
  const { near, far } = await openLine();
  const [host, guest] = [new LineTransport(), new LineTransport()];
  host.bind(GUEST, far);
  guest.bind(HOST, near);
  return {
    host,
    guest,
    hostSlot: HOST,
    guestSlot: GUEST,
    now: () => performance.now(),
    pass: () => new Promise((resolve) => void setTimeout(resolve, 10)),
    dispose: () => {},
  };
}

transportContract('[N2.3] a WebSocket', socketPair);

/** Takes in everything that has come, and counts the packets. */
function packetsAt(line: Line<SocketConnection>): number {
  let count = 0;
  line.receivePackets(() => void count++);
  return count;
}

describe('a line over a WebSocket', () => {
  test.each([0, 20])('may be closed while its socket connects: after %i ms', async (ms) => {
    // Nobody answers there; the library pauses no socket that it does not have.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const socket = new WebSocket(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    socket.on('error', () => undefined);
    const line = new Line(0 as LineId, new SocketConnection('far', socket, OWN));
    await new Promise((resolve) => void setTimeout(resolve, ms));
    // As a search does that needs the line no more, and a moment later once again.
    line.close();
    line.close();
    await until(() => socket.readyState === WebSocket.CLOSED, 'it is closed');
    expect(line.state).toBe('closed');
  });

  test('[N2.4] has the nonces of both ends as its binding, the caller’s first', async () => {
    const { near, far } = await openLine();
    expect(near.binding(true)).toBe(`${OWN} ${OTHER}`);
    expect(far.binding(false)).toBe(`${OWN} ${OTHER}`);
  });

  test.each(['', 'short', 'x'.repeat(65), 'not a nonce at all'])(
    '[N2.4] ends if the first text is no nonce: “%s”',
    async (first) => {
      const { caller, callee } = await twoSockets();
      const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
      caller.on('open', () => caller.send(first));
      if (caller.readyState === caller.OPEN) caller.send(first);
      await until(() => line.state === 'closed', 'the line has ended');
      expect(line.binding(false)).toBeNull();
    },
  );

  test('[N2.4] ends if a packet comes before the nonce', async () => {
    const { caller, callee } = await twoSockets();
    const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
    caller.on('open', () => caller.send(Uint8Array.of(0, 1)));
    if (caller.readyState === caller.OPEN) caller.send(Uint8Array.of(0, 1));
    await until(() => line.state === 'closed', 'the line has ended');
  });

  test('[N2.3] brings messages and packets in order, and a message is no packet', async () => {
    const { near, far } = await openLine();
    near.sendMessage('one');
    near.sendPacket(Uint8Array.of(1, 2));
    near.sendMessage('two');
    const texts: string[] = [];
    const packets: number[][] = [];
    await until(() => {
      far.receiveMessages((text) => void texts.push(text));
      far.receivePackets((bytes) => void packets.push([...bytes]));
      return texts.length === 2 && packets.length === 1;
    }, 'all is there');
    expect([texts, packets]).toEqual([['one', 'two'], [[1, 2]]]);
  });

  test('[N2.5] is not ready while 32 packets are not counted, and is again when they are', async () => {
    const { near, far } = await openLine();
    // The far end's events wait until this function yields.
    let sent = 0;
    while (near.isReady && sent < 100) {
      near.sendPacket(Uint8Array.of(sent));
      sent++;
    }
    expect(sent).toBe(32);
    await until(() => near.isReady, 'the far end has counted them by itself');
    expect(packetsAt(far)).toBe(32);
  });

  test('[N2.5] goes on without end where both ends send as much as they may', async () => {
    const { near, far } = await openLine();
    const sent = [0, 0];
    const arrived = [0, 0];
    const ends = [near, far];
    const packet = new Uint8Array(100);
    await until(() => {
      for (const [i, end] of ends.entries()) {
        // The limit of a line is not at stake.
        for (let k = 0; k < 40 && end.isReady && sent[i] < 900; k++) {
          end.sendPacket(packet);
          sent[i]++;
        }
        arrived[1 - i] += packetsAt(ends[1 - i]);
      }
      return arrived.every((count) => count === 900);
    }, 'all packets are there');
  });

  test('[N2.5] a count of what was never sent is not believed', async () => {
    const { caller, callee } = await twoSockets();
    const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
    await until(() => caller.readyState === caller.OPEN, 'it is open');
    caller.send(OTHER);
    await until(() => line.state === 'open', 'the line is open');
    for (let i = 0; i < 32; i++) line.sendPacket(Uint8Array.of(1));
    expect(line.isReady).toBe(false);
    caller.send(Uint8Array.of(200));
    caller.send('after it');
    let texts = 0;
    await until(() => {
      line.receiveMessages(() => void texts++);
      return texts > 0;
    }, 'the count has come');
    expect(line.isReady).toBe(false);
    caller.send(Uint8Array.of(32));
    await until(() => line.isReady, 'a true count is believed');
  });

  test('[N2.5] ends if far more counts come than packets', async () => {
    const { caller, callee } = await twoSockets();
    await until(() => caller.readyState === caller.OPEN, 'it is open');
    caller.send(OTHER);
    const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
    await until(() => line.state === 'open', 'the line is open');
    for (let i = 0; i < 5000; i++) caller.send(Uint8Array.of(0));
    await until(() => line.state === 'closed', 'the line has ended');
    await until(() => callee.readyState === callee.CLOSED, 'and its socket');
  });

  test('reads nothing more once it is closed, and its socket is gone a second later', async () => {
    const { near, far } = await openLine();
    far.connection.close();
    for (let i = 0; i < 100; i++) near.connection.sendMessage('x'.repeat(1000));
    const before = far.connection.traffic.bytesReceived;
    await until(() => near.state === 'closed', 'the near end has ended');
    expect(far.connection.traffic.bytesReceived).toBe(before);
  });

  test('[F2.1] [N2.5] holds 32 packets at most for an end that reads nothing', async () => {
    const { caller, callee } = await twoSockets();
    await until(() => caller.readyState === caller.OPEN, 'it is open');
    caller.send(OTHER);
    const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
    await until(() => line.state === 'open', 'the line is open');
    caller.pause();
    for (let tick = 0; tick < 200; tick++) if (line.isReady) line.sendPacket(new Uint8Array(500));
    // The nonce, and the packets with a byte each.
    expect(line.connection.traffic).toMatchObject({ packetsSent: 33, bytesSent: 36 + 32 * 501 });
  });

  test('is closed at both ends when one closes it, after its last message', async () => {
    const { near, far } = await openLine();
    near.sendMessage('bye');
    near.close();
    await until(() => far.state === 'closed', 'the far end has ended');
    const texts: string[] = [];
    far.receiveMessages((text) => void texts.push(text));
    expect(texts).toEqual(['bye']);
  });

  test('ends when the network breaks', async () => {
    const { caller, callee } = await twoSockets();
    const line = new Line(0 as LineId, new SocketConnection('far', callee, OWN));
    caller.on('open', () => caller.terminate());
    if (caller.readyState === caller.OPEN) caller.terminate();
    await until(() => line.state === 'closed', 'the line has ended');
  });
});
