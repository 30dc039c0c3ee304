import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { networkOfAddress, Visitors } from '../../../src/server/visitors/visitors.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  }) as unknown as IncomingMessage;

test.each([
  ['an address', '203.0.113.9', '203.0.113.9'],
  ['the same as IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
  ['48 bits of IPv6', '2001:DB8:7:1::9', '2001:db8:7'],
  ['and of a short one', '2001:db8::9', '2001:db8:0'],
  ['this machine', '127.0.0.1', 'this machine'],
  ['and as IPv6', '::1', 'this machine'],
  ['and as both', '::ffff:127.0.0.1', 'this machine'],
  ['a socket that was closed', undefined, ''],
])('the network of %s', (_, address, network) => {
  expect(networkOfAddress(address)).toBe(network);
});

describe('[F1] X-Forwarded-For', () => {
  test('counts from a proxy that the operator has named, its own words alone', () => {
    const visitors = new Visitors(['10.0.0.1']);
    expect(visitors.networkOf(request('10.0.0.1', '1.2.3.4, 203.0.113.9'))).toBe('203.0.113.9');
    expect(visitors.networkOf(request('::ffff:10.0.0.1', '203.0.113.9'))).toBe('203.0.113.9');
    const two = new Visitors(['10.0.0.0/24', '192.0.2.1']);
    expect(two.networkOf(request('10.0.0.7', '203.0.113.9, 192.0.2.1'))).toBe('203.0.113.9');
  });

  test('counts for nothing from anybody else', () => {
    for (const visitors of [new Visitors([]), new Visitors(['10.0.0.1'])]) {
      expect(visitors.networkOf(request('10.0.0.2', '203.0.113.9'))).toBe('10.0.0.2');
      expect(visitors.networkOf(request('127.0.0.1', '203.0.113.9'))).toBe('this machine');
    }
  });

  test('without it, or with nonsense in it, the socket’s address counts: nobody is without limits', () => {
    const visitors = new Visitors(['10.0.0.1', '127.0.0.1']);
    expect(visitors.networkOf(request('10.0.0.1'))).toBe('10.0.0.1');
    expect(visitors.networkOf(request('127.0.0.1'))).toBe('this machine');
    expect(visitors.networkOf(request('10.0.0.1', 'unknown'))).toBe('10.0.0.1');
    expect(visitors.networkOf(request('10.0.0.1', ''))).toBe('10.0.0.1');
    expect(visitors.networkOf(request('10.0.0.1', '203.0.113.9, _hidden'))).toBe('10.0.0.1');
  });
});
