import { expect, test } from 'vitest';
import type { Interfaces } from '../../src/server/addresses.ts';
import { stunAddress } from '../../src/server/addresses.ts';

const IPV4: Interfaces = {
  lo: [{ family: 'IPv4', address: '127.0.0.1', netmask: '255.0.0.0', mac: '', internal: true, cidr: null }],
};
const BOTH: Interfaces = {
  eth0: [{ family: 'IPv6', address: '::1', netmask: '', mac: '', internal: true, cidr: null, scopeid: 0 }],
  ...IPV4,
};

test.each<readonly [own: string, hasProxy: boolean, interfaces: Interfaces, address: string]>([
  ['127.0.0.1', true, BOTH, '::'],
  ['::1', true, IPV4, '0.0.0.0'],
  ['127.0.0.1', false, BOTH, '127.0.0.1'],
  ['192.0.2.7', true, BOTH, '192.0.2.7'],
  ['::', true, BOTH, '::'],
])('STUN of a server at %s, behind a proxy: %s', (own, hasProxy, interfaces, address) => {
  expect(stunAddress(own, hasProxy, interfaces)).toBe(address);
});
