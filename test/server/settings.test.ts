import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Environment, Mode } from '../../src/server/settings/settings.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { SetupError } from '../../src/server/settings/reading.ts';
import { USAGE } from '../../src/server/settings/variables.ts';

describe('settings', () => {
  test('without an environment, start has HTTP and HTTPS, at ports that may move', () => {
    const settings = readSettings('start', {});
    expect(settings).toEqual({
      mode: 'start',
      host: undefined,
      http: { port: 5173, movable: true },
      https: { port: 5174, movable: true },
      tlsFiles: null,
      stunPort: { port: 3478, movable: true },
      ice: { stun: [], turn: null, relayOnly: false },
      broker: null,
      proxies: [],
      log: 'off',
      rooms: {
        most: 8,
        mostOfNetwork: 4,
        players: 31,
        watchers: 1000,
        voices: null,
        host: null,
        privateNetworks: true,
      },
      snapshots: null,
      cluster: null,
      metrics: null,
    });
  });

  test('without an environment, serve has only HTTP, at a fixed port', () => {
    const settings = readSettings('serve', {});
    expect(settings.http).toEqual({ port: 5173, movable: false });
    expect(settings.https).toBeNull();
    expect(settings.rooms).toBeNull();
  });

  test('rooms of the server are a number, or off', () => {
    expect(readSettings('serve', { HANDOVER_ROOMS: '64' }).rooms?.most).toBe(64);
    expect(readSettings('start', { HANDOVER_ROOMS: 'off' }).rooms).toBeNull();
    for (const wrong of ['0', '65', 'on', '1.5'])
      expect(() => readSettings('start', { HANDOVER_ROOMS: wrong })).toThrow(/HANDOVER_ROOMS is a number/);
  });

  test('one network has half of the rooms, unless the operator says otherwise', () => {
    const ofNetwork = (rooms: string, ...own: readonly string[]): number | undefined =>
      readSettings('serve', { HANDOVER_ROOMS: rooms, HANDOVER_ROOMS_OF_NETWORK: own[0] }).rooms
        ?.mostOfNetwork;
    expect([ofNetwork('16'), ofNetwork('3'), ofNetwork('1'), ofNetwork('16', '16')]).toEqual([8, 2, 1, 16]);
    for (const wrong of ['0', '17', 'off'])
      expect(() => ofNetwork('16', wrong)).toThrow(/HANDOVER_ROOMS_OF_NETWORK is a number from 1 to 16/);
  });

  test('[N8.1] a room has up to 31 people, unless the operator says otherwise', () => {
    const players = (text: string): number | undefined =>
      readSettings('serve', { HANDOVER_ROOMS: '2', HANDOVER_ROOMS_PLAYERS: text }).rooms?.players;
    expect([players(''), players('1'), players('31')]).toEqual([8, 1, 31]);
    for (const wrong of ['0', '32', 'off'])
      expect(() => players(wrong)).toThrow(/HANDOVER_ROOMS_PLAYERS is a number from 1 to 31/);
  });

  test('[N8.5] large rooms have voices where the environment names a Janus', () => {
    const voices = (environment: Environment): unknown =>
      readSettings('serve', { HANDOVER_ROOMS: '2', ...environment }).rooms?.voices;
    const url = 'ws://127.0.0.1:8188';
    expect(voices({ HANDOVER_JANUS: 'off' })).toBeNull();
    expect(voices({ HANDOVER_JANUS: url })).toEqual({ url, secret: null });
    expect(voices({ HANDOVER_JANUS: url, HANDOVER_JANUS_SECRET: 'x' })).toEqual({ url, secret: 'x' });
    for (const wrong of ['on', 'http://127.0.0.1:8188', '8188'])
      expect(() => voices({ HANDOVER_JANUS: wrong })).toThrow(/HANDOVER_JANUS is an address like ws:/);
    const elsewhere = { HANDOVER_JANUS: url, HANDOVER_BROKER: 'https://broker.example.org' };
    expect(() => voices(elsewhere)).toThrow(/leave out HANDOVER_BROKER/);
    expect(() => voices({ HANDOVER_JANUS_SECRET: 'x' })).toThrow(/HANDOVER_JANUS_SECRET is set, but/);
  });

  test('[N5.6] so many people watch server rooms as the environment says', () => {
    const watchers = (text: string): number | undefined =>
      readSettings('serve', { HANDOVER_ROOMS: '2', HANDOVER_ROOMS_WATCHERS: text }).rooms?.watchers;
    expect(['', 'off', '1', '4000'].map(watchers)).toEqual([1000, 0, 1, 4000]);
    for (const wrong of ['0', '-1', '4001', '1.5', 'many'])
      expect(() => watchers(wrong)).toThrow(/HANDOVER_ROOMS_WATCHERS is a number from 1 to 4000, or off/);
  });

  test('rooms send from HOST, but not from a loopback address that only a proxy asks', () => {
    const hostOf = (environment: Environment): string | null | undefined =>
      readSettings('serve', { HANDOVER_ROOMS: '2', ...environment }).rooms?.host;
    expect(hostOf({})).toBeNull();
    expect(hostOf({ HOST: '0.0.0.0' })).toBeNull();
    for (const HOST of ['127.0.0.1', '::1', 'localhost']) expect(hostOf({ HOST })).toBeNull();
    expect(hostOf({ HOST: '192.0.2.7' })).toBe('192.0.2.7');
    expect(hostOf({ HOST: '192.0.2.7', HANDOVER_ROOMS_HOST: '192.0.2.8' })).toBe('192.0.2.8');
    expect(hostOf({ HANDOVER_ROOMS_HOST: '127.0.0.1' })).toBe('127.0.0.1');
    expect(() => hostOf({ HANDOVER_ROOMS_HOST: 'here' })).toThrow(/HANDOVER_ROOMS_HOST is an address/);
  });

  test('rooms send to private networks at home, and elsewhere if the operator says so', () => {
    const isPrivate = (mode: Mode, HANDOVER_ROOMS_PRIVATE: string): boolean | undefined =>
      readSettings(mode, { HANDOVER_ROOMS: '2', HANDOVER_ROOMS_PRIVATE }).rooms?.privateNetworks;
    expect([isPrivate('start', ''), isPrivate('serve', '')]).toEqual([true, false]);
    expect([isPrivate('start', 'off'), isPrivate('serve', 'on')]).toEqual([false, true]);
    expect(() => isPrivate('serve', 'yes')).toThrow(/HANDOVER_ROOMS_PRIVATE is on or off/);
  });

  test('[N9.2] a site in several processes needs Redis, and proxies that are believed', () => {
    const cluster = { REDIS_URL: 'redis://127.0.0.1:6379', TRUST_PROXY: '127.0.0.1' };
    const settings = readSettings('serve', cluster);
    expect(settings.cluster).toEqual({ redis: cluster.REDIS_URL, url: null });
    expect(settings.snapshots).toEqual({ kind: 'redis', url: cluster.REDIS_URL, hours: 72 });
    const own = readSettings('serve', { ...cluster, HANDOVER_PROCESS_URL: 'http://10.0.0.7:5173' });
    expect(own.cluster?.url).toBe('http://10.0.0.7:5173/');
    expect(readSettings('serve', { REDIS_URL: 'off' }).cluster).toBeNull();
    const wrong: readonly (readonly [Environment, string])[] = [
      [{ ...cluster, REDIS_URL: '127.0.0.1:6379' }, 'REDIS_URL is an address like'],
      [{ ...cluster, TRUST_PROXY: '' }, 'REDIS_URL needs TRUST_PROXY'],
      [{ ...cluster, HANDOVER_SNAPSHOTS: '/var/lib/rooms' }, 'leave out HANDOVER_SNAPSHOTS'],
      [{ ...cluster, HANDOVER_BROKER: 'https://broker.example.org' }, 'leave out HANDOVER_BROKER'],
      [{ ...cluster, HANDOVER_PROCESS_URL: 'redis://a' }, 'HANDOVER_PROCESS_URL is an address like'],
      [{ HANDOVER_PROCESS_URL: 'http://10.0.0.7' }, 'but REDIS_URL is not'],
    ];
    for (const [environment, sentence] of wrong)
      expect(() => readSettings('serve', environment)).toThrow(sentence);
  });

  test('rooms of the server are kept in a folder, or not at all', () => {
    const kept = { HANDOVER_SNAPSHOTS: '/var/lib/rooms' };
    expect(readSettings('serve', kept).snapshots).toEqual({
      kind: 'folder',
      folder: '/var/lib/rooms',
      hours: 72,
    });
    const hours = { ...kept, HANDOVER_SNAPSHOTS_HOURS: '8760' };
    expect(readSettings('serve', hours).snapshots).toMatchObject({ hours: 8760 });
    expect(readSettings('serve', { HANDOVER_SNAPSHOTS: 'rooms' }).snapshots).toMatchObject({
      folder: resolve('rooms'),
    });
    expect(readSettings('serve', { HANDOVER_SNAPSHOTS: 'off' }).snapshots).toBeNull();
    for (const wrong of ['0', '8761', '12345', '1.5', 'off'])
      expect(() => readSettings('serve', { ...kept, HANDOVER_SNAPSHOTS_HOURS: wrong })).toThrow(
        /HANDOVER_SNAPSHOTS_HOURS is a number from 1 to 8760/,
      );
  });

  test('serve has HTTPS with a given certificate, or when asked', () => {
    const given = readSettings('serve', { TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' });
    expect(given.https?.port).toBe(5174);
    expect(given.tlsFiles).toEqual({ certificate: 'a.pem', key: 'b.pem' });
    expect(readSettings('serve', { HTTPS_PORT: '8443' }).https).toEqual({ port: 8443, movable: false });
  });

  test('a port that was set does not move, and off is off', () => {
    const settings = readSettings('start', { PORT: ' 80 ', HTTPS_PORT: 'off', STUN_PORT: '0' });
    expect(settings.http).toEqual({ port: 80, movable: false });
    expect(settings.https).toBeNull();
    expect(settings.stunPort).toEqual({ port: 0, movable: false });
  });

  test('a public STUN service is asked only where our own does not answer, or when it is set', () => {
    const stunOf = (environment: Environment): readonly string[] =>
      readSettings('serve', environment).ice.stun;
    const publicStun = 'stun:stun.l.google.com:19302';
    expect(stunOf({})).toEqual([]);
    expect(stunOf({ STUN_PORT: '3478' })).toEqual([]);
    expect(stunOf({ STUN_PORT: 'off' })).toEqual([publicStun]);
    expect(stunOf({ STUN_PORT: 'off', HANDOVER_STUN: 'off' })).toEqual([]);
    expect(stunOf({ HANDOVER_STUN: publicStun })).toEqual([publicStun]);
  });

  test('services, logins and an outside broker are read', () => {
    const settings = readSettings('serve', {
      HOST: '127.0.0.1',
      TRUST_PROXY: '127.0.0.1, 10.1.0.0/24,::1',
      HANDOVER_STUN: 'stun:a.example:3478, stuns:[2001:db8::1]',
      HANDOVER_TURN: 'turn:a.example:3478?transport=udp,turns:a.example',
      HANDOVER_TURN_USER: 'ada',
      HANDOVER_TURN_PASSWORD: 'secret',
      HANDOVER_RELAY_ONLY: 'on',
      HANDOVER_BROKER: 'wss://b.example/peers?key=k',
    });
    expect(settings.host).toBe('127.0.0.1');
    expect(settings.proxies).toEqual(['127.0.0.1', '10.1.0.0/24', '::1']);
    expect(settings.ice).toEqual({
      stun: ['stun:a.example:3478', 'stuns:[2001:db8::1]'],
      turn: {
        urls: ['turn:a.example:3478?transport=udp', 'turns:a.example'],
        login: { kind: 'fixed', username: 'ada', password: 'secret' },
      },
      relayOnly: true,
    });
    expect(settings.broker).toEqual({ host: 'b.example', port: 443, path: '/peers', secure: true, key: 'k' });
    expect(readSettings('serve', { HANDOVER_BROKER: 'http://b.example:9000' }).broker).toEqual({
      host: 'b.example',
      port: 9000,
      path: '/',
      secure: false,
    });
    expect(readSettings('serve', { HANDOVER_STUN: 'off' }).ice.stun).toEqual([]);
  });

  test.each<[string, Environment, Mode?]>([
    ['PORT is a port from 0 to 65535, or off, not "http".', { PORT: 'http' }],
    ['PORT is a port from 0 to 65535, or off, not "65536".', { PORT: '65536' }],
    ['HTTPS_PORT is a port from 0 to 65535, or off, not "-1".', { HTTPS_PORT: '-1' }],
    ['PORT and HTTPS_PORT are both off; the pages need one of them.', { PORT: 'off' }, 'serve'],
    ['TLS_CERT is set, but TLS_KEY is not; they go together.', { TLS_CERT: 'a.pem' }],
    ...['on', '0.0.0.0/0', '10.0.0.0/33', '127.0.0.1/8/8', 'proxy.example'].map(
      (proxy): [string, Environment] => [
        `TRUST_PROXY lists the addresses of your proxies, like 127.0.0.1 or 10.1.0.0/24, or is off; "${proxy}" is not an address.`,
        { TRUST_PROXY: proxy },
      ],
    ),
    ['LOG is off, security or requests, not "all".', { LOG: 'all' }],
    ['METRICS_PORT is a port from 0 to 65535, or off, not "on".', { METRICS_PORT: 'on' }],
    [
      'HANDOVER_STUN lists addresses like stun:host:3478, or is off; "turn:a" is not such an address.',
      { HANDOVER_STUN: 'stun:a,turn:a' },
    ],
    [
      'HANDOVER_STUN lists addresses like stun:host:3478, or is off; "" is not such an address.',
      { HANDOVER_STUN: 'stun:a,' },
    ],
    ['There is a login for TURN, but no HANDOVER_TURN.', { HANDOVER_TURN_SECRET: 's' }],
    [
      'HANDOVER_TURN_PASSWORD is set, but HANDOVER_TURN_USER is not; they go together.',
      { HANDOVER_TURN: 'turn:a', HANDOVER_TURN_PASSWORD: 'p' },
    ],
    [
      'HANDOVER_TURN needs a login: HANDOVER_TURN_USER and HANDOVER_TURN_PASSWORD, or HANDOVER_TURN_SECRET.',
      { HANDOVER_TURN: 'turn:a' },
    ],
    ['HANDOVER_RELAY_ONLY is on, but there is no HANDOVER_TURN to relay.', { HANDOVER_RELAY_ONLY: 'on' }],
    [
      'HANDOVER_BROKER is an address like https://host/path, not "b.example".',
      { HANDOVER_BROKER: 'b.example' },
    ],
    ...['TURN:a', 'turn:a:70000', 'stun:a'].map((url): [string, Environment] => [
      `HANDOVER_TURN lists addresses like turn:host:3478, or is off; "${url}" is not such an address.`,
      { HANDOVER_TURN: url },
    ]),
    [
      'The key in HANDOVER_BROKER has letters, digits and dashes, not "a b".',
      { HANDOVER_BROKER: 'https://b.example/?key=a%20b' },
    ],
    ['There is no setting HANDOVER_STUNS; see --help.', { HANDOVER_STUNS: 'off' }],
  ])('%s', (sentence, environment, mode = 'start') => {
    expect(() => readSettings(mode, environment)).toThrow(new SetupError(sentence));
  });

  test('every setting is explained', () => {
    for (const name of ['PORT', 'TLS_KEY', 'STUN_PORT', 'HANDOVER_TURN_SECRET', 'HANDOVER_BROKER']) {
      expect(USAGE).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
    }
  });
});
