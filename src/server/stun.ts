import type { Socket } from 'node:dgram';
import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';
import { takePort } from './ports.ts';
import type { PortWish } from './settings/settings.ts';

/**
 * The part of STUN (RFC 5389) that browsers need to learn their address: the answer to a binding request
 * contains the address from which the request came. An answer has at most 44 bytes and a request at least 20,
 * and an answer gets no answer, so the server can't be used to flood others. Attributes of a request are not
 * read.
 */

const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const MAGIC_COOKIE = 0x2112a442;
const XOR_MAPPED_ADDRESS = 0x0020;
const FAMILY_IPV4 = 1;
const FAMILY_IPV6 = 2;

export type StunResponder = { readonly port: number; close(): Promise<void> };

/**
 * Answers binding requests at an address.
 * @throws SetupError with one sentence if the port can't be used.
 */
export async function startStun(wish: PortWish, address: string): Promise<StunResponder> {
  const socket = await takePort(wish, 'STUN_PORT', (port) => bind(port, address));
  socket.on('message', (request, from) => {
    const answer = answerBinding(request, from.address, from.port);
    // Errors are ignored: a browser that gets no answer asks again.
    if (answer !== null) socket.send(answer, from.port, from.address, () => undefined);
  });
  socket.on('error', () => undefined);
  return {
    port: socket.address().port,
    close: () =>
      new Promise((resolve) => {
        socket.close(resolve);
      }),
  };
}

function bind(port: number, address: string): Promise<Socket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, address, () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/**
 * Returns the answer to a datagram from this address and port; null if it is not a well-formed binding
 * request.
 */
export function answerBinding(request: Buffer, address: string, port: number): Buffer | null {
  if (request.length < HEADER_BYTES || port === 0) return null;
  const attributeBytes = request.readUInt16BE(2);
  const wellFormed =
    request.readUInt16BE(0) === BINDING_REQUEST &&
    request.readUInt32BE(4) === MAGIC_COOKIE &&
    attributeBytes % 4 === 0 &&
    attributeBytes === request.length - HEADER_BYTES;
  const mapped = wellFormed ? addressBytes(address) : null;
  if (mapped === null) return null;

  const answer = Buffer.alloc(HEADER_BYTES + 8 + mapped.length);
  // The cookie and the transaction id. They also mask the address, because some routers change addresses in
  // packets.
  request.copy(answer, 4, 4, HEADER_BYTES);
  const mask = answer.subarray(4, HEADER_BYTES);
  answer.writeUInt16BE(BINDING_SUCCESS, 0);
  answer.writeUInt16BE(8 + mapped.length, 2);
  answer.writeUInt16BE(XOR_MAPPED_ADDRESS, 20);
  answer.writeUInt16BE(4 + mapped.length, 22);
  answer.writeUInt16BE(mapped.length === 4 ? FAMILY_IPV4 : FAMILY_IPV6, 24);
  answer.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 26);
  mapped.forEach((byte, i) => (answer[28 + i] = byte ^ mask[i]));
  return answer;
}

/** Returns 4 or 16 bytes, or null if it is no address. An IPv4 address written as IPv6 becomes IPv4 again. */
function addressBytes(address: string): number[] | null {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(plain)) return plain.split('.').map(Number);
  if (!isIPv6(plain)) return null;
  // `URL` writes any IPv6 address as hexadecimal groups with at most one gap.
  const [head, tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): number[] =>
    text === undefined || text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  const gap = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}
