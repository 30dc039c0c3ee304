import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DOOR_PREFIX, ROOM_CODE_LENGTH, ROOM_CODE_LETTERS } from '../../src/core/room/code.ts';
import {
  ANOTHER_DOOR_MS,
  DOORS_AT_ONCE,
  networkOf,
  NetworkLimits,
} from '../../src/server/broker/network-limits.ts';

const NETWORK = '203.0.113.9';
const DAY_MS = 24 * 3600 * 1000;
const CODES = ROOM_CODE_LETTERS.length ** ROOM_CODE_LENGTH;

function door(number: number): string {
  return `${DOOR_PREFIX}${number}`;
}

/** Returns how many of `count` doors, one every `everyMs`, a network may ask for. */
function asked(networks: NetworkLimits, count: number, everyMs: number, from = 0, network = NETWORK): number {
  const doors = Array.from({ length: count }, (_, i) =>
    networks.mayUseId(network, door(i + from), i * everyMs),
  );
  return doors.filter((may) => may).length;
}

describe('[F1] the broker, to one network', () => {
  test('in a day of trying codes it answers too few to find a room', () => {
    const tried = asked(new NetworkLimits(), DAY_MS / 1000, 1000);
    expect(tried).toBe(DOORS_AT_ONCE + DAY_MS / ANOTHER_DOOR_MS - 1);
    expect(CODES).toBe(3_200_000);
    expect(tried / CODES, 'the chance to find a given room').toBeLessThan(0.001);
  });

  test('a school can start a hundred rooms at once, and others go on meanwhile', () => {
    const networks = new NetworkLimits();
    expect(asked(networks, 100, 0)).toBe(100);
    expect(networks.mayUseId(NETWORK, door(1000), 0)).toBe(false);
    expect(networks.mayUseId('203.0.113.10', door(1000), 0)).toBe(true);
    expect(networks.mayUseId(NETWORK, door(1000), ANOTHER_DOOR_MS)).toBe(true);
  });

  test('friends can ask for the same door for ever, and pages can reach pages', () => {
    const networks = new NetworkLimits();
    asked(networks, 99, 0);
    for (let i = 0; i < 1000; i++) expect(networks.mayUseId(NETWORK, door(5000), i)).toBe(true);
    expect(networks.mayUseId(NETWORK, door(5001), 1000)).toBe(false);
    expect(networks.mayUseId(NETWORK, 'the id of a page', 1000)).toBe(true);
  });

  test('it allows so many sockets, and any number to a network without limits', () => {
    const networks = new NetworkLimits();
    const opened = (network: string | null): number =>
      Array.from({ length: 1000 }, () => networks.openSocket(network, 0)).filter((may) => may).length;
    expect(opened(NETWORK)).toBe(400);
    networks.closeSocket(NETWORK);
    expect(opened(NETWORK)).toBe(1);
    expect(opened(null)).toBe(1000);
  });

  test('it remembers only the last networks', () => {
    const networks = new NetworkLimits();
    asked(networks, 200, 0, 0, 'first');
    for (let i = 0; i < 4999; i++) networks.mayUseId(`network ${i}`, door(i), 0);
    expect(networks.mayUseId('first', door(999), 0)).toBe(false);
    for (let i = 0; i < 5000; i++) networks.mayUseId(`another ${i}`, door(i), 0);
    expect(networks.mayUseId('first', door(999), 0)).toBe(true);
  });
});

describe('the network of a request', () => {
  const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
    ({
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      socket: { remoteAddress },
    }) as unknown as IncomingMessage;

  test.each([
    ['an address', '203.0.113.9', '203.0.113.9'],
    ['the same as IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['48 bits of IPv6', '2001:DB8:7:1::9', '2001:db8:7'],
    ['and of a short one', '2001:db8::9', '2001:db8:0'],
    ['this machine', '127.0.0.1', null],
    ['and as IPv6', '::1', null],
    ['and as both', '::ffff:127.0.0.1', null],
  ])('%s', (_, address, network) => {
    expect(networkOf(request(address), false)).toBe(network);
  });

  test('behind a proxy is the address that the proxy added, not the client’s own header', () => {
    const said = request('10.0.0.1', '1.2.3.4, 203.0.113.9');
    expect(networkOf(said, true)).toBe('203.0.113.9');
    expect(networkOf(said, false)).toBe('10.0.0.1');
    expect(networkOf(request('10.0.0.1'), true)).toBeNull();
  });
});
