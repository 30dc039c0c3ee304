import type { DataConnection, MediaConnection } from 'peerjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LineId } from '../../../src/core/room/line.ts';
import { OfferBudget } from '../../../src/transport/guard/offer-budget.ts';
import { Refusals } from '../../../src/transport/guard/refusals.ts';
import type { Address } from '../../../src/transport/webrtc/address.ts';
import { Calls } from '../../../src/transport/webrtc/calls.ts';
import { Line } from '../../../src/transport/line.ts';
import { Lines } from '../../../src/transport/lines.ts';
import { PeerJsConnection } from '../../../src/transport/webrtc/peerjs-connection.ts';
import { Unfreed } from '../../../src/transport/webrtc/unfreed.ts';
import type { PageLine } from './meeting.ts';
import { guards, openAddress, openLine, packetsOf, until, untilState } from './meeting.ts';

/** A connection that another page has offered, and that never gets on; and whether it was closed. */
function stuck(page: string): { connection: DataConnection; peerConnection: RTCPeerConnection } {
  const peerConnection = new RTCPeerConnection();
  onTestFinished(() => peerConnection.close());
  const connection = {
    peer: page,
    peerConnection,
    open: false,
    on: () => connection,
    close: () => peerConnection.close(),
  } as unknown as DataConnection;
  return { connection, peerConnection };
}

describe('lines from strangers', () => {
  test('the oldest gives way to the newest, and is closed at once', () => {
    const refusals = new Refusals();
    const lines = new Lines(refusals);
    const all = Array.from({ length: 40 }, (_, i) => stuck(`stranger ${i}`));
    for (const { connection } of all) lines.take(new PeerJsConnection(connection));
    const closed = all.map(({ peerConnection }) => peerConnection.signalingState === 'closed');
    expect(closed).toEqual(all.map((_, i) => i < 8));
    expect(refusals.read()).toEqual({ 'gave way': 8 });
  });

  test('of one page six may be opening', () => {
    const lines = new Lines();
    const other = stuck('a friend');
    const all = Array.from({ length: 8 }, () => stuck('stranger'));
    for (const { connection } of [other, ...all]) lines.take(new PeerJsConnection(connection));
    const closed = [other, ...all].map(({ peerConnection }) => peerConnection.signalingState === 'closed');
    expect(closed).toEqual([false, true, true, ...Array<boolean>(6).fill(false)]);
  });

  test('a line that gets on, and one that this page opens, do not give way', () => {
    const lines = new Lines();
    const [own, answered] = [stuck('host'), stuck('a friend')];
    Object.defineProperty(answered.peerConnection, 'iceConnectionState', { value: 'connected' });
    lines.add(new PeerJsConnection(own.connection));
    lines.take(new PeerJsConnection(answered.connection));
    for (let i = 0; i < 40; i++) lines.take(new PeerJsConnection(stuck(`stranger ${i}`).connection));
    expect([own, answered].map(({ peerConnection }) => peerConnection.signalingState)).toEqual([
      'stable',
      'stable',
    ]);
  });
});

describe('an address', () => {
  test('makes no more connections than its budget has, and forgets the pages that had some', async () => {
    const guarded = guards(new OfferBudget(4, 0.001));
    const came: DataConnection[] = [];
    const visitors = { onLine: (connection: DataConnection) => void came.push(connection), onCall: null };
    const to = await openAddress({ guarded, visitors });
    const from = await Promise.all(Array.from({ length: 6 }, () => openAddress()));
    for (const address of from) address.connect(to.id);
    await until(() => guarded.refusals.read()['too many offers'] === 2, 'two offers are refused');
    expect(came).toHaveLength(4);
    expect(guarded.unfreed.count).toBe(4);
    expect(to.isInUse).toBe(true);
    came.forEach((connection) => connection.close());
    expect(to.isInUse).toBe(false);
  });

  test('that takes no calls refuses them, and makes nothing for them', async () => {
    const guarded = guards();
    const [to, from] = await Promise.all([openAddress({ guarded }), openAddress()]);
    const context = new AudioContext();
    onTestFinished(() => context.close());
    from.call(to.id, context.createMediaStreamDestination().stream);
    await until(() => guarded.refusals.read()['other kind'] === 1, 'the call is refused');
    expect(guarded.unfreed.count).toBe(0);
  });
});

test('of calls from strangers the oldest gives way', () => {
  const refusals = new Refusals();
  const calls = new Calls({} as Address, refusals);
  const closed: string[] = [];
  for (let i = 0; i < 10; i++) {
    const peer = `stranger ${i}`;
    calls.answer({ peer, close: () => void closed.push(peer) } as unknown as MediaConnection);
  }
  expect(closed).toEqual(['stranger 0', 'stranger 1']);
  expect(refusals.read()).toEqual({ 'gave way': 2 });
});

test('closed connections are freed soon, when there are many', async () => {
  const unfreed = new Unfreed();
  for (let i = 0; i < 200; i++) {
    const connection = new RTCPeerConnection();
    connection.close();
    unfreed.watch(connection);
  }
  expect(unfreed.count).toBe(200);
  await until(() => {
    unfreed.collectSoon();
    return unfreed.count < 100;
  }, 'the browser has freed them');
});

/** The far end of an open line counts what it refuses; `send` sends on the near end's channels. */
async function judged(): Promise<{
  near: PageLine;
  far: PageLine;
  refusals: Refusals;
  pc: RTCPeerConnection;
}> {
  const refusals = new Refusals();
  const { near, far } = await openLine(undefined, refusals);
  return { near, far, refusals, pc: near.connection.peerConnection };
}

describe('a line bounds what comes', () => {
  test('packets: those over the rate are passed over, and a flood ends the line', async () => {
    const { near, far, refusals } = await judged();
    let taken = 0;
    const start = performance.now();
    await until(() => {
      for (let i = 0; i < 300; i++) near.sendPacket(Uint8Array.of(1));
      taken += packetsOf(far).length;
      return far.state === 'closed';
    }, 'the line is closed');
    const seconds = (performance.now() - start) / 1000;
    expect(taken).toBeLessThanOrEqual(2048 + 240 * (seconds + 1));
    expect(refusals.read().flood).toBe(1);
    expect(refusals.read()['too many packets']).toBeGreaterThan(4000);
  });

  test('packets that are too long are passed over', async () => {
    const { near, far, refusals } = await judged();
    near.sendPacket(new Uint8Array(1101));
    near.sendPacket(new Uint8Array(1100));
    await until(() => packetsOf(far).length === 1, 'the shorter has come');
    expect(refusals.read()).toEqual({ 'packet too long': 1 });
  });

  test('messages: a page that sends too many is closed, though they are taken in at once', async () => {
    const { near, far, refusals } = await judged();
    let taken = 0;
    await until(() => {
      for (let i = 0; i < 10; i++) near.sendMessage('word');
      far.receiveMessages(() => taken++);
      return far.state === 'closed';
    }, 'the line is closed');
    expect(taken).toBeLessThan(400);
    expect(refusals.read()).toEqual({ 'too many messages': 1 });
  });

  test('channels: one more than a line has ends it', async () => {
    const { far, refusals, pc } = await judged();
    pc.createDataChannel('one more');
    await untilState(far, 'closed');
    expect(refusals.read()).toEqual({ 'extra channel': 1 });
  });
});

test('a line that never opened is closed without delay', () => {
  const { connection, peerConnection } = stuck('stranger');
  new Line(0 as LineId, new PeerJsConnection(connection)).close();
  expect(peerConnection.signalingState).toBe('closed');
});
