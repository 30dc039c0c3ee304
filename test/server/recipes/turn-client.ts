import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv4 } from 'node:net';

/**
 * A TURN client (RFC 5766) that asks for a relayed address, and for permission to reach peers. It sends nothing
 * through the relay.
 */

const ALLOCATE = 0x0003;
const CREATE_PERMISSION = 0x0008;
const COOKIE = Buffer.from([0x21, 0x12, 0xa4, 0x42]);
const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const ERROR_CODE = 0x0009;
const XOR_PEER_ADDRESS = 0x0012;
const REALM = 0x0014;
const NONCE = 0x0015;
const REQUESTED_ADDRESS_FAMILY = 0x0017;
const REQUESTED_TRANSPORT = 0x0019;
const IS_ERROR = 0x0110;
/** Milliseconds until a datagram is sent again. */
const AGAIN_MS = 300;

export const UDP = 17;
export const TCP = 6;

type Login = { readonly username: string; readonly credential: string };
type Attributes = ReadonlyMap<number, Buffer>;
/** Sends a request and resolves with its answer. */
type Ask = (request: Buffer) => Promise<Buffer>;

/** The answer of a relay: `ok`, or the code of its error. */
export type Answer = 'ok' | number;

/** A client of one relay; `close` it. */
export class TurnClient {
  readonly #ask: Ask;
  readonly #login: Login;
  readonly close: () => void;
  #realm: Buffer = Buffer.alloc(0);
  #nonce: Buffer = Buffer.alloc(0);

  private constructor(ask: Ask, close: () => void, login: Login) {
    this.#ask = ask;
    this.close = close;
    this.#login = login;
  }

  /** Speaks to a relay on this machine. */
  static async open(host: '127.0.0.1' | '::1', port: number, login: Login, by = UDP): Promise<TurnClient> {
    if (by === TCP) {
      const socket = connect(port, host);
      await new Promise<void>(
        (resolve, reject) => void socket.once('connect', resolve).once('error', reject),
      );
      const ask: Ask = (request) =>
        new Promise((resolve) => void (socket.once('data', resolve), socket.write(request)));
      return new TurnClient(ask, () => void socket.destroy(), login);
    }
    const socket = createSocket(host === '::1' ? 'udp6' : 'udp4');
    const ask: Ask = (request) =>
      new Promise((resolve) => {
        const send = (): void => socket.send(request, port, host);
        const again = setInterval(send, AGAIN_MS);
        socket.on('message', (answer) => {
          if (!answer.subarray(4, 20).equals(request.subarray(4, 20))) return;
          clearInterval(again);
          resolve(answer);
        });
        send();
      });
    return new TurnClient(ask, () => socket.close(), login);
  }

  /** Asks for a relayed address of IPv4 or IPv6, by which the relay would send UDP, or open TCP connections. */
  async allocate(family: 4 | 6, transport = UDP): Promise<Answer> {
    const wish: [number, Buffer][] = [
      [REQUESTED_TRANSPORT, Buffer.from([transport, 0, 0, 0])],
      ...(family === 6
        ? [[REQUESTED_ADDRESS_FAMILY, Buffer.from([2, 0, 0, 0])] satisfies [number, Buffer]]
        : []),
    ];
    const first = readAttributes(await this.#ask(message(ALLOCATE, wish, null)));
    this.#realm = first.get(REALM) ?? this.#realm;
    this.#nonce = first.get(NONCE) ?? this.#nonce;
    return this.#request(ALLOCATE, wish);
  }

  /** Asks whether the relay would send to an address. */
  permit(address: string): Promise<Answer> {
    return this.#request(CREATE_PERMISSION, [[XOR_PEER_ADDRESS, null, address]]);
  }

  async #request(type: number, wish: readonly Wish[]): Promise<Answer> {
    const { username, credential } = this.#login;
    const identity: Wish[] = [
      [USERNAME, Buffer.from(username)],
      [REALM, this.#realm],
      [NONCE, this.#nonce],
    ];
    const key = createHash('md5').update(`${username}:${this.#realm.toString()}:${credential}`).digest();
    const answer = await this.#ask(message(type, [...wish, ...identity], key));
    if ((answer.readUInt16BE(0) & IS_ERROR) !== IS_ERROR) return 'ok';
    const error = readAttributes(answer).get(ERROR_CODE);
    return error === undefined ? 0 : error[2] * 100 + error[3];
  }
}

/** An attribute's type and value; an address instead of a value is masked by the message's transaction. */
type Wish = readonly [type: number, value: Buffer] | readonly [type: number, value: null, address: string];

function message(type: number, wishes: readonly Wish[], key: Buffer | null): Buffer {
  const transaction = Buffer.concat([COOKIE, randomBytes(12)]);
  const attributes = Buffer.concat(
    wishes.map((wish) => attribute(wish[0], wish[1] ?? peerAddress(wish[2] ?? '', transaction))),
  );
  const header = (length: number): Buffer => {
    const start = Buffer.alloc(4);
    start.writeUInt16BE(type, 0);
    start.writeUInt16BE(length, 2);
    return Buffer.concat([start, transaction]);
  };
  if (key === null) return Buffer.concat([header(attributes.length), attributes]);
  const signed = Buffer.concat([header(attributes.length + 24), attributes]);
  const signature = createHmac('sha1', key).update(signed).digest();
  return Buffer.concat([signed, attribute(MESSAGE_INTEGRITY, signature)]);
}

function attribute(type: number, value: Buffer): Buffer {
  const start = Buffer.alloc(4);
  start.writeUInt16BE(type, 0);
  start.writeUInt16BE(value.length, 2);
  return Buffer.concat([start, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/** Port 9, whose service throws away what it gets. */
function peerAddress(address: string, transaction: Buffer): Buffer {
  const bytes = addressBytes(address).map((byte, i) => byte ^ transaction[i]);
  return Buffer.from([0, bytes.length === 4 ? 1 : 2, transaction[0], 9 ^ transaction[1], ...bytes]);
}

function addressBytes(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  const [head, tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  const gap = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

function readAttributes(answer: Buffer): Attributes {
  const found = new Map<number, Buffer>();
  for (let at = 20; at + 4 <= answer.length;) {
    const length = answer.readUInt16BE(at + 2);
    found.set(answer.readUInt16BE(at), answer.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return found;
}
