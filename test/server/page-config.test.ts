import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ServedConfig } from '../../src/server/page-config.ts';
import { pageConfig, stunUrl, TURN_LOGIN_SECONDS } from '../../src/server/page-config.ts';
import type { Environment } from '../../src/server/settings/settings.ts';
import { readSettings } from '../../src/server/settings/settings.ts';

function configOf(
  environment: Environment,
  ownStun: string | null = null,
  now = 0,
  network = '203.0.113.9',
): ServedConfig {
  const { ice, broker } = readSettings('serve', environment);
  return pageConfig(ice, broker, ownStun, now, network);
}

describe('the configuration of pages', () => {
  test('of a static site is the same as that of a server without a STUN of its own', () => {
    const path = new URL('../../assets/config.json', import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(configOf({ STUN_PORT: 'off' }));
  });

  test("has the server's own STUN alone, or before those that are asked for", () => {
    expect(configOf({}, 'stun:here:3478').iceServers).toEqual([{ urls: ['stun:here:3478'] }]);
    const asked = { HANDOVER_STUN: 'stun:stun.l.google.com:19302' };
    expect(configOf(asked, 'stun:here:3478').iceServers).toEqual([
      { urls: ['stun:here:3478', 'stun:stun.l.google.com:19302'] },
    ]);
  });

  test('has no services if all are off', () => {
    expect(configOf({ HANDOVER_STUN: 'off' })).toEqual({ broker: null, iceServers: [], relayOnly: false });
  });

  test('has the login for TURN as it is set', () => {
    const turn = {
      HANDOVER_TURN: 'turn:t.example',
      HANDOVER_TURN_USER: 'ada',
      HANDOVER_TURN_PASSWORD: 'pw',
      HANDOVER_STUN: 'off',
      HANDOVER_RELAY_ONLY: 'on',
    };
    expect(configOf(turn)).toEqual({
      broker: null,
      iceServers: [{ urls: ['turn:t.example'], username: 'ada', credential: 'pw' }],
      relayOnly: true,
    });
  });

  test('has a login for TURN that a secret signs and that expires', () => {
    const now = 1_800_000_000.7;
    const turn = { HANDOVER_TURN: 'turn:t.example', HANDOVER_TURN_SECRET: 'north', HANDOVER_STUN: 'off' };
    const [server] = configOf(turn, null, now).iceServers;
    const [expires, user] = server.username?.split(':') ?? [];
    expect(expires).toBe(String(1_800_000_000 + TURN_LOGIN_SECONDS));
    expect(user).toMatch(/^[\da-f]{16}$/);
    const hmac = createHmac('sha1', 'north').update(`${server.username}`).digest('base64');
    expect(server.credential).toBe(hmac);
    expect(JSON.stringify(server)).not.toContain('north');
  });

  test('names a network in its logins, always alike, so that the relay can limit it', () => {
    const turn = { HANDOVER_TURN: 'turn:t.example', HANDOVER_TURN_SECRET: 'north', HANDOVER_STUN: 'off' };
    const userOf = (network: string, now: number): string | undefined =>
      configOf(turn, null, now, network).iceServers[0].username?.split(':')[1];
    expect(userOf('203.0.113.9', 0)).toBe(userOf('203.0.113.9', 1e9));
    expect(userOf('203.0.113.9', 0)).not.toBe(userOf('203.0.113.10', 0));
  });

  test('has the broker elsewhere', () => {
    expect(configOf({ HANDOVER_BROKER: 'https://b.example/p' }).broker).toEqual({
      host: 'b.example',
      port: 443,
      path: '/p',
      secure: true,
    });
  });

  test.each([
    ['localhost', 'stun:localhost:3478'],
    ['192.0.2.7', 'stun:192.0.2.7:3478'],
    ['[2001:db8::1]', 'stun:[2001:db8::1]:3478'],
    ['evil.example?transport=udp', null],
    ['a b', null],
    ['', null],
    [undefined, null],
  ])('the host that was asked, %s, gives %s', (host, url) => {
    expect(stunUrl(host, 3478)).toBe(url);
    expect(stunUrl(host, null)).toBeNull();
  });
});
