import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { NetworkInterfaceInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { networkAddresses } from '../../src/server/addresses.ts';
import { announcement } from '../../src/server/announce.ts';
import type { Server } from '../../src/server/server.ts';
import type { Environment } from '../../src/server/settings/settings.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { USAGE } from '../../src/server/settings/variables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the server as its own process. */
function run(words: readonly string[], environment: Environment = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/server/main.ts', ...words], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  /** Waits until the output matches, and returns the match. */
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said.out);
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said.err}`);
      await wait(50);
    }
  };
  return { child, said, ended, until };
}

describe('the command line', () => {
  test('helps', async () => {
    const { said, ended } = run(['serve', '--help']);
    expect(await ended).toBe(0);
    expect(said).toEqual({ out: `${USAGE}\n`, err: '' });
  });

  test('fails with one sentence if a setting is wrong', async () => {
    const { said, ended } = run(['start'], { PORT: 'x' });
    expect(await ended).toBe(1);
    expect(said).toEqual({ out: '', err: 'PORT is a port from 0 to 65535, or off, not "x".\n' });
  });

  test('start serves until it is told to end', async () => {
    const environment = { HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0', STUN_PORT: '0' };
    const { child, ended, until } = run(['start'], environment);
    const [, url] = await until(/On this machine {2}(http:\S+)\n[^]*STUN answers/);
    expect((await fetch(`${url}healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    const code = await ended;
    // Windows has no signals and ends the process at once.
    if (process.platform !== 'win32') expect(code).toBe(0);
  });
});

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
