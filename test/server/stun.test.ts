import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerBinding, startStun } from '../../src/server/stun.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((infos) =>
  infos?.some(({ address }) => address === '::1'),
);
const TRANSACTION = 'b7e7a701bc34d686fa87dfae';

/** Returns a binding request; each part can be made wrong. */
function request({ type = '0001', length = '0000', cookie = '2112a442', rest = '' } = {}): Buffer {
  return Buffer.from(type + length + cookie + TRANSACTION + rest, 'hex');
}

/**
 * Sends datagrams. Resolves with all answers up to the last datagram's answer, and with the socket's port.
 */
function exchange(address: string, port: number, datagrams: readonly Buffer[]): Promise<[Buffer[], number]> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  onTestFinished(() => void socket.close());
  const answers: Buffer[] = [];
  return new Promise((resolve) => {
    socket.on('message', (answer) => {
      answers.push(answer);
      // Other answers would have arrived before, because a socket receives in order.
      if (answers.at(-1)?.subarray(8, 20).toString('hex') === TRANSACTION) {
        resolve([answers, socket.address().port]);
      }
    });
    for (const datagram of datagrams) socket.send(datagram, port, address);
  });
}

describe('STUN', () => {
  // The samples of RFC 5769, sections 2.2 and 2.3.
  test.each([
    ['192.0.2.1', '0001a147e112a643'],
    ['::ffff:192.0.2.1', '0001a147e112a643'],
    ['2001:db8:1234:5678:11:2233:4455:6677', '0002a1470113a9faa5d3f179bc25f4b5bed2b9d9'],
  ])('maps %s as the standard does', (address, value) => {
    const answer = answerBinding(request(), address, 32_853);
    const length = (value.length / 2).toString(16).padStart(4, '0');
    const total = (value.length / 2 + 4).toString(16).padStart(4, '0');
    expect(answer?.toString('hex')).toBe(`0101${total}2112a442${TRANSACTION}0020${length}${value}`);
  });

  test('a gap in the address is zeros, and the zone is not part of it', () => {
    const mapped = (address: string): string | undefined =>
      answerBinding(request(), address, 1)?.subarray(28).toString('hex');
    expect(mapped('fe80::1%eth0')).toBe(mapped('fe80:0:0:0:0:0:0:1'));
    expect(mapped('::1')).toBe(mapped('0:0:0:0:0:0:0:1'));
    expect(mapped('2001:db8::')).toBe(mapped('2001:db8:0:0:0:0:0:0'));
    expect(mapped('::1')).not.toBe(mapped('::2'));
  });

  test('attributes of a request are ignored', () => {
    expect(answerBinding(request({ length: '0008', rest: '8022000474657374' }), '192.0.2.1', 9)).toEqual(
      answerBinding(request(), '192.0.2.1', 9),
    );
  });

  const wrong: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a part of a request', request().subarray(0, 19)],
    ['an answer', request({ type: '0101' })],
    ['another method', request({ type: '0003' })],
    ['the old standard', request({ cookie: '00000000' })],
    ['a length that is too long', request({ length: '0004' })],
    ['a length that is too short', request({ rest: '00000000' })],
    ['a length that is not of words', request({ length: '0002', rest: '0000' })],
    ['noise', Buffer.from('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n')],
  ];
  test.each(wrong)('%s gets no answer', (_, datagram) => {
    expect(answerBinding(datagram, '192.0.2.1', 9)).toBeNull();
  });

  test('an impossible port, or no address, gets no answer', () => {
    expect(answerBinding(request(), '192.0.2.1', 0)).toBeNull();
    expect(answerBinding(request(), 'nowhere', 9)).toBeNull();
  });

  test.each(['127.0.0.1', ...(hasIpv6 ? ['::1'] : [])])(
    'over a socket of %s: garbage is ignored, a request answered',
    async (address) => {
      const stun = await startStun({ port: 0, movable: false }, address);
      onTestFinished(() => stun.close());
      const [answers, port] = await exchange(address, stun.port, [
        ...wrong.map(([, bytes]) => bytes),
        request(),
      ]);
      expect(answers).toEqual([answerBinding(request(), address, port)]);
    },
  );

  test('it listens at all addresses, and sees IPv4 as IPv4', async () => {
    const stun = await startStun({ port: 0, movable: false }, hasIpv6 ? '::' : '0.0.0.0');
    onTestFinished(() => stun.close());
    const [answers, port] = await exchange('127.0.0.1', stun.port, [request()]);
    expect(answers).toEqual([answerBinding(request(), '127.0.0.1', port)]);
  });

  test('a taken port is replaced by the next one, or gives one sentence if it was set', async () => {
    const first = await startStun({ port: 0, movable: false }, '127.0.0.1');
    onTestFinished(() => first.close());
    const next = await startStun({ port: first.port, movable: true }, '127.0.0.1');
    onTestFinished(() => next.close());
    expect(next.port).toBeGreaterThan(first.port);
    await expect(startStun({ port: first.port, movable: false }, '127.0.0.1')).rejects.toThrow(
      `Port ${first.port} is taken: stop what uses it, or set STUN_PORT to another one.`,
    );
  });
});
