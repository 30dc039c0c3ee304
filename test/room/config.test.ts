import { describe, expect, test } from 'vitest';
import { brokerAt, brokerIn, checkServices, readConfig, socketAddress } from '../../src/room/config.ts';

const BASE = new URL('https://play.example.org/handover/');

function read(given: unknown, base = BASE): { config: ReturnType<typeof readConfig>; complaints: string[] } {
  const complaints: string[] = [];
  return { config: readConfig(given, base, complaints), complaints };
}

describe('config.json', () => {
  test('[N8.1] [N2.3] says how many people a room on the server holds, and where its rooms are', () => {
    const rooms = (given: unknown): unknown => {
      const { serverRooms, roomPlayers, rooms: at } = read(given).config;
      return [serverRooms, roomPlayers, at?.href ?? null];
    };
    expect(rooms({})).toEqual([false, 8, null]);
    expect(rooms({ serverRooms: true, roomPlayers: 16 })).toEqual([true, 16, new URL('/rooms/', BASE).href]);
    for (const roomPlayers of [0, 32, 1.5, '9', null])
      expect(rooms({ serverRooms: true, roomPlayers })).toMatchObject({ 1: 8 });
    const broker = { host: 'elsewhere.example.org' };
    expect(rooms({ serverRooms: true, broker }), 'its broker vouches for nobody there').toMatchObject({
      2: null,
    });
  });

  test('[N5.6] says whether people may watch those rooms', () => {
    const watching = (given: unknown): boolean => read(given).config.watching;
    expect(watching({ serverRooms: true, watching: true })).toBe(true);
    for (const given of [{}, { watching: true }, { serverRooms: true }, { serverRooms: true, watching: 1 }])
      expect(watching(given)).toBe(false);
  });

  test('an empty one uses the broker of the page’s own server, and no other service', () => {
    const { config, complaints } = read({});
    expect(config.broker).toEqual({
      host: 'play.example.org',
      port: 443,
      path: '/broker',
      secure: true,
      rtc: { iceServers: [], iceTransportPolicy: 'all' },
    });
    expect(config.asked).toEqual({ broker: null, stun: [], turn: [], relayOnly: false });
    expect(config.friends).toEqual({ url: BASE, ownCertificate: false });
    expect(complaints).toEqual([]);
  });

  test('the broker has the page’s port and protocol', () => {
    const { broker } = read({}, new URL('http://192.168.1.5:5173/')).config;
    expect(broker).toMatchObject({ host: '192.168.1.5', port: 5173, secure: false });
  });

  test('an outside broker is read with all its fields', () => {
    const { broker } = read({ broker: { host: 'b.example.org', path: '/p', key: 'k' } }).config;
    expect(broker).toMatchObject({ host: 'b.example.org', port: 443, path: '/p', secure: true, key: 'k' });
  });

  test('a broker without a host gives one sentence, and the page’s own server is used', () => {
    const { config, complaints } = read({ broker: { port: 1 } });
    expect(config.broker.host).toBe('play.example.org');
    expect(complaints).toHaveLength(1);
  });

  test.each([
    { host: 'x y' },
    { host: 'a/b' },
    { host: 'user@b.example' },
    { host: 'b.example', port: 70_000 },
    { host: 'b.example', path: '/p?q' },
    { host: 'b.example', path: 'p#q' },
    { host: 'b.example', key: 'a#b' },
  ])('a broker of which no socket can be made gives one sentence: %j', (broker) => {
    const { config, complaints } = read({ broker });
    expect(config.broker.host).toBe('play.example.org');
    expect(complaints).toHaveLength(1);
    expect(() => brokerIn(broker)).toThrow(RangeError);
  });

  test('every broker that is read makes the address of a socket', () => {
    const addressOf = (broker: unknown): string => socketAddress(read({ broker }).config.broker);
    expect(addressOf({ host: 'B.example', path: 'p' })).toBe('wss://b.example:443/p');
    expect(addressOf({ host: '[::1]', port: 9000, path: '/a b', secure: false })).toBe(
      'ws://[::1]:9000/a%20b',
    );
    expect(addressOf({ host: 'bücher.example' })).toBe('wss://xn--bcher-kva.example:443/');
  });

  test.each([
    ['http://127.0.0.1:9000', 'ws://127.0.0.1:9000/'],
    ['wss://b.example/p/', 'wss://b.example:443/p/'],
  ])('the address %s is that of a broker', (address, socket) => {
    expect(socketAddress(brokerAt(address))).toBe(socket);
  });

  test.each(['localhost:9000', 'b.example', 'ftp://b.example/', ''])(
    'the address “%s” is none, and a sentence says so',
    (address) => expect(() => brokerAt(address)).toThrow(/begins with http/),
  );

  test.each([
    'stun:x y',
    'stun:x:70000',
    'stun:x?transport=udp',
    'turn:x?transport=sctp',
    'stun:',
    'stun:u@x',
    'stun:x/y',
  ])(
    'a service at which a connection would throw is ignored, and refused where a project gives it: %s',
    (urls) => {
      expect(() => checkServices(['stun:a.example', urls])).toThrow(
        /is no address of a STUN or TURN service/,
      );
      const { config, complaints } = read({ iceServers: [{ urls, username: 'u', credential: 'c' }] });
      expect(config.broker.rtc.iceServers).toEqual([]);
      expect(complaints).toHaveLength(1);
    },
  );

  test('services are read, and each invalid one gives one sentence', () => {
    const turn = { urls: 'turn:t.example.org?transport=tcp', username: 'u', credential: 'c' };
    const { config, complaints } = read({
      iceServers: [turn, { urls: ['stun:a', 'stun:b'] }, { urls: 'http:x' }, 7],
    });
    expect(config.broker.rtc.iceServers).toEqual([
      { ...turn, urls: [turn.urls] },
      { urls: ['stun:a', 'stun:b'] },
    ]);
    expect(complaints).toHaveLength(2);
  });

  test('what is asked of others is all but the page’s own server, by any of its names', () => {
    const urls = [
      'stun:192.168.1.5:3478',
      'stun:localhost:3478',
      'stun:stun.example.net:19302',
      'stun:[2001:db8::1]:3478',
    ];
    const turn = { urls: ['turn:t.example.org:3478', 'turns:t.example.org'], username: 'u', credential: 'c' };
    const given = {
      networkUrl: 'https://192.168.1.5:5174/',
      ownCertificate: true,
      iceServers: [{ urls }, turn],
      broker: { host: 'b.example.org' },
    };
    const { config } = read(given, new URL('http://localhost:5173/'));
    const asked = {
      broker: 'b.example.org',
      stun: ['stun.example.net', '[2001:db8::1]'],
      turn: ['t.example.org'],
      relayOnly: false,
    };
    expect(config.asked).toEqual(asked);
    expect(config.friends.url.href).toBe('https://192.168.1.5:5174/');
    expect(config.friends.ownCertificate).toBe(true);
    expect(read({ ...given, relayOnly: true }).config.asked).toMatchObject({ stun: [], relayOnly: true });
    const own = read({ broker: { host: 'localhost', port: 9000 } }, new URL('http://localhost:5173/'));
    expect(own.config.asked.broker).toBeNull();
  });

  test.each([null, 7, 'text', [], { iceServers: 'x', broker: [], relayOnly: 'yes', networkUrl: 'nonsense' }])(
    'what makes no sense does no harm: %j',
    (given) => {
      const { config } = read(given);
      expect(config.broker.rtc).toEqual({ iceServers: [], iceTransportPolicy: 'all' });
      expect(config.friends).toEqual({ url: BASE, ownCertificate: false });
    },
  );
});
