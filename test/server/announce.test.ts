import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, test } from 'vitest';
import { networkAddresses } from '../../src/server/addresses.ts';
import { announcement } from '../../src/server/announce.ts';
import type { Server } from '../../src/server/server.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

describe('the text in the terminal', () => {
  const server: Server = {
    url: 'http://localhost:5173/',
    secureUrl: 'https://localhost:5174/',
    stunPort: 3478,
    metricsPort: null,
    brokerPath: '/broker',
    stopBroker: () => Promise.resolve(),
    startBroker: () => undefined,
    close: () => Promise.resolve(),
  };

  test('shows the first address of the network, also as a QR code', () => {
    const settings = readSettings('start', {});
    const text = announcement(server, settings, ['192.0.2.7', '198.51.100.7', 'fd00::7'], false);
    expect(text).toContain('On this machine  http://localhost:5173/\n');
    expect(text).toContain('Headsets, phones https://192.0.2.7:5174/\n');
    expect(text).toContain('or maybe https://198.51.100.7:5174/\n');
    expect(text).not.toContain('fd00');
    expect(text).toContain('each browser warns once: accept it');
    // The code has 29 by 29 modules with its border, two rows per line.
    expect(text.match(/^ {2}[█▀▄ ]{29}$/gm)).toHaveLength(15);
    expect(text).not.toContain('\x1b');
    expect(announcement(server, settings, ['192.0.2.7'], true)).toContain('\x1b[');
  });

  test('shows no addresses that nobody can reach', () => {
    const alone = announcement(server, readSettings('start', { HOST: '127.0.0.1' }), ['192.0.2.7'], false);
    expect(alone).not.toContain('192.0.2.7');
    const plain = { ...server, secureUrl: null, stunPort: null };
    expect(announcement(plain, readSettings('serve', {}), ['192.0.2.7'], false)).toBe(
      '\n  On this machine  http://localhost:5173/\n',
    );
  });

  test('does not mention a warning for a given certificate', () => {
    const settings = readSettings('serve', { TLS_CERT: 'a', TLS_KEY: 'b' });
    expect(announcement(server, settings, ['192.0.2.7'], false)).not.toContain('warns');
  });
});

test('the addresses of this machine: its networks before its containers, IPv4 before IPv6', () => {
  const info = (address: string, internal = false): NetworkInterfaceInfo => ({
    ...(address.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
    address,
    internal,
    netmask: '',
    mac: '',
    cidr: null,
  });
  const interfaces = {
    lo: [info('127.0.0.1', true), info('::1', true)],
    docker0: [info('172.17.0.1')],
    wlan0: [info('fe80::1'), info('fd00::7'), info('192.0.2.7')],
    eth0: [info('169.254.0.1'), info('198.51.100.7')],
  };
  expect(networkAddresses(interfaces)).toEqual(['192.0.2.7', '198.51.100.7', 'fd00::7', '172.17.0.1']);
});
