import { expect, test } from 'vitest';
import { socketStatistics } from '../../../src/transport/webrtc/statistics.ts';
import { openLine, packetsOf, until } from './meeting.ts';

test('the bytes of a connection are counted as they pass the socket', async () => {
  const { near, far } = await openLine();
  const before = await socketStatistics(near.connection.peerConnection);
  const [count, size] = [200, 1000];
  for (let i = 0; i < count; i++) near.sendPacket(new Uint8Array(size));
  let arrived = 0;
  await until(() => (arrived += packetsOf(far).length) >= count, 'all packets have come');
  await expect
    .poll(async () => (await socketStatistics(near.connection.peerConnection)).bytesSent - before.bytesSent, {
      timeout: 3000,
    })
    .toBeGreaterThan(count * size);
  const [sender, receiver] = await Promise.all(
    [near, far].map((l) => socketStatistics(l.connection.peerConnection)),
  );
  expect(sender.bytesSent - before.bytesSent).toBeLessThan(count * size * 1.2);
  // Two small packets may share one at the socket, so that the socket counts a few less.
  expect(sender.packetsSent - before.packetsSent).toBeGreaterThan(count * 0.8);
  expect(receiver.bytesReceived).toBeGreaterThan(count * size);
  expect(receiver.packetsReceived).toBeGreaterThan(count * 0.8);
  expect(receiver.bytesReceived).toBeLessThan(count * size * 1.3);
  expect([sender.path, receiver.path]).toEqual(['direct', 'direct']);
});

test('a connection that is not established yet has counted nothing', async () => {
  const connection = new RTCPeerConnection();
  expect(await socketStatistics(connection)).toEqual({
    bytesSent: 0,
    bytesReceived: 0,
    packetsSent: 0,
    packetsReceived: 0,
    path: 'unknown',
  });
  connection.close();
});
