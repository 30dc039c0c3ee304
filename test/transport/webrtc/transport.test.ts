import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { LineTransport } from '../../../src/transport/line-transport.ts';
import type { TransportPair } from '../../contract/transport-contract.ts';
import { transportContract } from '../../contract/transport-contract.ts';
import type { Ends } from './meeting.ts';
import { openLine, packetsOf, pause, until } from './meeting.ts';

const HOST = 0 as Slot;
const GUEST = 2 as Slot;

function ends({ near, far }: Ends): { host: LineTransport; guest: LineTransport } {
  const [host, guest] = [new LineTransport(), new LineTransport()];
  host.bind(GUEST, far);
  guest.bind(HOST, near);
  return { host, guest };
}

async function webRtcPair(): Promise<TransportPair> {
  return {
    ...ends(await openLine()),
    hostSlot: HOST,
    guestSlot: GUEST,
    now: () => performance.now(),
    pass: () => pause(10),
    dispose: () => {},
  };
}

transportContract('WebRTC', webRtcPair);

describe('a WebRTC transport', () => {
  test('sends and receives over another line after `bind`', async () => {
    const [before, after] = [await openLine(), await openLine()];
    const { host, guest } = ends(before);
    host.send(GUEST, Uint8Array.of(1));
    host.bind(GUEST, after.far);
    guest.bind(HOST, after.near);
    expect(host.state(GUEST)).toBe('open');
    host.send(GUEST, Uint8Array.of(2));
    const heard: number[] = [];
    await until(() => {
      guest.receive(performance.now(), (from, bytes) => heard.push(from, bytes[0]));
      return heard.length > 0;
    }, 'a packet has come');
    expect(heard).toEqual([HOST, 2]);
  });

  test('a slot without a line is no longer reached, though the line stays open', async () => {
    const line = await openLine();
    const { host } = ends(line);
    host.bind(GUEST, null);
    expect(host.state(GUEST)).toBe('none');
    expect(host.send(GUEST, Uint8Array.of(1))).toBe(false);
    expect(line.far.sendPacket(Uint8Array.of(3))).toBe(true);
    await until(() => packetsOf(line.near).length === 1, 'the packet of the line has come');
  });
});
