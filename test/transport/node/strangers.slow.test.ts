import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { PeerConnection } from 'node-datachannel';
import { expect, onTestFinished, test } from 'vitest';
import type { Reach } from '../../../src/transport/node/candidates.ts';
import { NodeConnection } from '../../../src/transport/node/node-connection.ts';

const LOOPBACK = '127.0.0.1';

/** A service of this machine that nobody else can reach: its port, and how many packets it has been sent. */
async function innerService(
  address = LOOPBACK,
): Promise<{ readonly port: number; readonly packets: () => number }> {
  const socket = createSocket('udp4');
  let packets = 0;
  socket.on('message', () => packets++);
  socket.bind(0, address);
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, packets: () => packets };
}

/** An offer as a page makes it. */
async function offer(): Promise<string> {
  const page = new PeerConnection('a page', { iceServers: [], bindAddress: LOOPBACK });
  onTestFinished(() => page.close());
  const made = new Promise<string>((resolve) => {
    page.onLocalDescription(resolve);
  });
  page.createDataChannel('messages');
  return made;
}

/** The other end of a stranger's line. @param own the address from which it sends. */
async function called(sdp: string, reach: Reach, own = LOOPBACK): Promise<NodeConnection> {
  const config = { iceServers: [], bindAddress: own };
  const connection = new NodeConnection(
    'a stranger',
    { config, reach },
    () => undefined,
    () => undefined,
  );
  onTestFinished(() => connection.close());
  connection.describe('offer', sdp);
  return connection;
}

const INTERNET = { privateNetworks: true, thisMachine: false };
const WAIT_MS = 1500;

test.each<[string, (sdp: string, candidate: string) => readonly [string, string]]>([
  ['in its description', (sdp, candidate) => [`${sdp}a=${candidate}\r\n`, '']],
  ['behind a bare line end', (sdp, candidate) => [`${sdp}a=${candidate}\n`.replaceAll('\r\n', '\n'), '']],
  ['beside it', (sdp, candidate) => [sdp, candidate]],
  [
    'with tabs and another address',
    (sdp, candidate) => [sdp, `${candidate.replaceAll(' ', '\t')} a b c 192.0.2.7`],
  ],
])('[N2.2] sends nothing to this machine for a stranger who names it %s', async (_, place) => {
  const { port, packets } = await innerService();
  const candidate = `candidate:1 1 udp 2122260223 127.0.0.1 ${port} typ host`;
  const [sdp, beside] = place(await offer(), candidate);
  const attack = async (reach: Reach): Promise<number> => {
    const before = packets();
    const connection = await called(sdp, reach);
    if (beside !== '') connection.addCandidate(beside, '0');
    await new Promise((resolve) => void setTimeout(resolve, WAIT_MS));
    connection.close();
    return packets() - before;
  };
  expect(await attack(INTERNET)).toBe(0);
  // A form that we read arrives where it may.
  const isOurForm = !beside.includes('\t');
  if (isOurForm) expect(await attack({ ...INTERNET, thisMachine: true })).toBeGreaterThan(0);
});

test('[N2.2] sends nothing to this machine for a stranger who names an address of its network', async () => {
  const [own = LOOPBACK] = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  const { port, packets } = await innerService(own);
  const sdp = `${await offer()}a=candidate:1 1 udp 2122260223 ${own} ${port} typ host\r\n`;
  const attack = async (reach: Reach): Promise<number> => {
    const before = packets();
    const connection = await called(sdp, reach, own);
    await new Promise((resolve) => void setTimeout(resolve, WAIT_MS));
    connection.close();
    return packets() - before;
  };
  expect(await attack(INTERNET)).toBe(0);
  expect(await attack({ ...INTERNET, thisMachine: true })).toBeGreaterThan(0);
});
