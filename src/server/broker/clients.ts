import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { ClientMessage, ClientMessageType } from './limits/client-limits.ts';
import { ClientLimits, isId, readMessage, TYPES } from './limits/client-limits.ts';
import { Introductions } from './introductions.ts';
import type { BrokerLimits, Refusal } from './limits/limits.ts';
import type { NetworkLimits } from './limits/network-limits.ts';
import { OfferLimits } from './limits/offer-limits.ts';
import { LeftIds } from './left-ids.ts';
import type { Outbox } from './outboxes.ts';
import { Outboxes } from './outboxes.ts';
import type { Places } from './places.ts';
import type { Holder } from './reserved-doors.ts';
import { Waiting } from './waiting.ts';

/** A broker tells these things to its owner. */
export type BrokerWatch = {
  /** Something of this network was refused. */
  refused(why: Refusal, network: string): void;
  /** A client's message was passed on. */
  passed(type: ClientMessageType): void;
};

/** A message of signalling in PeerJS's form: all of it but the id of whoever has sent it. */
export type SignalMessage = Readonly<Record<string, unknown>>;

/** [N9.3] The clients of the other brokers of the same site. */
export type OtherClients = {
  /** True if an id is known to be at another broker. */
  isElsewhere(id: string): boolean;
  /** A client has an id here, and has shown this token for it. */
  opened(id: string, token: string): void;
  /** Passes a message on. @param orElse called if the id is at no other broker. */
  pass(to: string, message: SignalMessage, orElse: () => void): void;
};

/** A socket, its network, and the id that its client asks for. */
export type Newcomer = {
  readonly socket: WebSocket;
  readonly stream: Duplex;
  readonly network: string;
  readonly id: string;
  /** Its proof that the id is its own. */
  readonly token: string;
  /** It is a room of the broker's own server. */
  readonly isOwn: boolean;
};

type ClientsOptions = {
  /** Milliseconds in which a client must answer a ping. A HEARTBEAT is no answer: who sends it may read nothing. */
  readonly aliveMs: number;
  /** Milliseconds after which PeerJS has forgotten a message to an id that nobody has. */
  readonly waitMs: number;
  /** Undefined if this broker is the only one of its site. */
  readonly others: OtherClients | undefined;
};

type Client = Newcomer & {
  readonly limits: ClientLimits;
  readonly outbox: Outbox;
  /** The text of the ping that was not answered yet; null if all were. */
  ping: string | null;
  answeredAt: number;
  /** Sweeps since the client was told to close. */
  closingFor: number;
};

/**
 * Stands between the sockets and PeerJS. It checks each message before PeerJS receives it, because PeerJS would act
 * on it at once, and each message that PeerJS sends, because PeerJS would send to a client that never reads.
 */
export class Clients {
  readonly #watch: BrokerWatch;
  readonly #networks: NetworkLimits;
  readonly #places: Places<Duplex>;
  readonly #aliveMs: number;
  readonly #outboxes: Outboxes;
  readonly #waiting: Waiting;
  readonly #offers: OfferLimits;
  readonly #introductions = new Introductions();
  readonly #clients = new Map<WebSocket, Client>();
  readonly #byId = new Map<string, Client>();
  readonly #others: OtherClients | undefined;
  readonly #left = new LeftIds();

  /**
   * @param watch is told what was refused, and what was passed on.
   */
  constructor(
    limits: BrokerLimits,
    networks: NetworkLimits,
    places: Places<Duplex>,
    watch: BrokerWatch,
    { aliveMs, waitMs, others }: ClientsOptions,
  ) {
    this.#others = others;
    this.#networks = networks;
    this.#places = places;
    this.#watch = watch;
    this.#aliveMs = aliveMs;
    this.#outboxes = new Outboxes(limits);
    this.#waiting = new Waiting(limits, waitMs);
    this.#offers = new OfferLimits(limits);
  }

  /** Ids that are registered. */
  get ids(): number {
    return this.#byId.size;
  }

  /** Bytes that wait for clients that have not read them yet. */
  get unreadBytes(): number {
    return this.#outboxes.bytes;
  }

  /** Bytes that wait for ids that nobody has. */
  get waitingBytes(): number {
    return this.#waiting.bytes;
  }

  /** Takes a new socket, before PeerJS does. */
  add(newcomer: Newcomer): void {
    const { socket, network } = newcomer;
    const nowMs = Date.now();
    const drop = (): void => this.#drop(client, 'unread');
    const client: Client = {
      ...newcomer,
      limits: new ClientLimits(),
      outbox: this.#outboxes.open(drop, nowMs),
      ping: null,
      answeredAt: nowMs,
      closingFor: 0,
    };
    this.#clients.set(socket, client);
    socket.on('close', () => this.#remove(client));
    socket.on('ping', (data) => this.#answerPing(client, data));
    socket.on('pong', (data) => this.#heardPong(client, data));
    this.#guardSending(client);
    const emit = socket.emit.bind(socket);
    socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
      if (event !== 'message') return emit(event, ...args);
      // Messages that had come before the connection was ended.
      if (socket.readyState !== WebSocket.OPEN) return true;
      const text = String(args[0]);
      const refusal = this.#refusalOf(client, text);
      if (refusal !== null) this.#watch.refused(refusal, network);
      else this.#pass(client, text, () => void emit(event, ...args));
      return true;
    };
  }

  /** PeerJS has given a client its id. */
  registered(id: string, socket: WebSocket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    // PeerJS has read another id from the address: nobody would ever take this client off the list.
    if (client.id !== id) return this.#drop(client, 'address');
    this.#byId.set(id, client);
    this.#others?.opened(id, client.token);
  }

  /** [N2.6] True if a client has this id, and has shown this token for it. */
  isHeldBy(id: string, token: string): boolean {
    return this.#byId.get(id)?.token === token;
  }

  /** Says who has an id. */
  holderOf(id: string): Holder {
    const client = this.#byId.get(id);
    if (client === undefined) return 'nobody';
    return client.isOwn ? 'own room' : 'somebody else';
  }

  /** True if an id waits for a client that had it a moment ago, and has shown another token. */
  waitsForAnother(id: string, token: string, nowMs: number): boolean {
    return this.#left.waitsForAnother(id, token, nowMs);
  }

  /** [N9.2] Takes an id from the client that has it, if any: it belongs to another process. */
  dropFrom(id: string): void {
    const client = this.#byId.get(id);
    if (client !== undefined) this.#drop(client, 'elsewhere');
  }

  /** [N9.3] Takes a message of another broker's client to a client here. @returns 'nobody' if the id is not here. */
  take(message: SignalMessage): 'taken' | 'nobody' {
    const { type, src, dst } = message;
    if (!isId(src) || !isId(dst)) return 'taken';
    const receiver = this.#byId.get(dst);
    if (receiver === undefined) return 'nobody';
    if (type === 'OFFER') this.#introductions.introduce(src, dst);
    if (type === 'ANSWER') this.#places.progress(receiver.network, receiver.stream, Date.now());
    if (type === 'EXPIRE' || TYPES.some((known) => known === type))
      receiver.socket.send(JSON.stringify(message));
    return 'taken';
  }

  /** Gives a message to PeerJS; to another broker, if its receiver is there. */
  #pass({ id }: Client, text: string, toPeers: () => void): void {
    const message = this.#others === undefined ? null : readMessage(text);
    const { dst, type } = message ?? {};
    if (message === null || !isId(dst) || type === 'HEARTBEAT' || this.#byId.has(dst)) return toPeers();
    this.#others?.pass(dst, { ...message, src: id }, toPeers);
  }

  /** [N6.3] Takes an id from the client that has it, if any. @param then called once PeerJS forgot that client. */
  takeFrom(id: string, then: () => void): void {
    const client = this.#byId.get(id);
    if (client === undefined) return then();
    if (client.socket.readyState === WebSocket.CLOSED) {
      this.#remove(client);
      return then();
    }
    // PeerJS has listened for longer: it has forgotten the client when this is called.
    client.socket.once('close', then);
    this.#drop(client, 'reserved');
  }

  /** Pings all clients, and drops those that are gone or do not read. Call it again and again. */
  sweep(nowMs: number): void {
    this.#outboxes.sweep(nowMs);
    for (const client of this.#clients.values()) {
      const { socket } = client;
      if (nowMs - client.answeredAt > this.#aliveMs) this.#drop(client, 'silent');
      else if (socket.readyState !== WebSocket.OPEN && ++client.closingFor > 1) socket.terminate();
      else if (socket.readyState === WebSocket.OPEN && client.ping === null) {
        // The text is random, so a client that does not read the ping can't answer it.
        client.ping = randomUUID();
        socket.ping(client.ping);
      }
    }
  }

  #drop(client: Client, why: Refusal): void {
    this.#watch.refused(why, client.network);
    client.socket.terminate();
    this.#remove(client);
  }

  #remove(client: Client): void {
    this.#clients.delete(client.socket);
    this.#outboxes.close(client.outbox);
    if (this.#byId.get(client.id) !== client) return;
    this.#byId.delete(client.id);
    this.#left.add(client.id, client.token, Date.now());
  }

  #heardPong(client: Client, data: Buffer): void {
    const nowMs = Date.now();
    if (!client.limits.count(data.length, nowMs)) this.#drop(client, 'flood');
    else if (data.toString() === client.ping) {
      client.ping = null;
      client.answeredAt = nowMs;
    }
  }

  /** The library would answer pings without end to a client that does not read. */
  #answerPing(client: Client, data: Buffer): void {
    const { socket, outbox, limits } = client;
    if (!limits.count(data.length, Date.now())) this.#drop(client, 'flood');
    else if (socket.readyState === WebSocket.OPEN && this.#outboxes.add(outbox, data.length, Date.now())) {
      socket.pong(data, false, () => this.#outboxes.done(outbox, data.length, Date.now()));
    }
  }

  #guardSending({ socket, outbox }: Client): void {
    const send = socket.send.bind(socket) as (text: string, done: () => void) => void;
    socket.send = (data: unknown): void => {
      const text = String(data);
      if (socket.readyState !== WebSocket.OPEN || !this.#outboxes.add(outbox, text.length, Date.now()))
        return;
      send(text, () => this.#outboxes.done(outbox, text.length, Date.now()));
    };
  }

  /**
   * Returns null if a message may pass; otherwise why not. A message that no page of ours sends ends the connection.
   */
  #refusalOf(client: Client, text: string): Refusal | null {
    const nowMs = Date.now();
    const { network, id, socket } = client;
    const message = client.limits.read(text, nowMs);
    const asksTooMuch =
      message.refusal === null && !this.#networks.mayUseId(network, message.to, nowMs) ? 'doors' : null;
    const ending = message.refusal ?? asksTooMuch;
    if (ending !== null || message.refusal !== null) {
      socket.terminate();
      return ending;
    }
    if (message.type === 'HEARTBEAT') return null;
    // Another client of the same network may have used up the limit, so the sender stays connected.
    if (!this.#networks.maySend(network, text.length, nowMs)) return 'network flood';
    const refusal = this.#refusalOfSignal(client, message, text.length, nowMs);
    if (refusal === null) this.#watch.passed(message.type);
    if (refusal === 'waiting') socket.send(JSON.stringify({ type: 'EXPIRE', src: message.to, dst: id }));
    return refusal;
  }

  #refusalOfSignal(
    { network, id, stream }: Client,
    { type, to }: ClientMessage & { refusal: null },
    length: number,
    nowMs: number,
  ): Refusal | null {
    const isOffer = type === 'OFFER';
    if (isOffer && !this.#offers.allows(network, id, to, nowMs)) return 'offers';
    if (!isOffer && !this.#introductions.follows(id, to)) return 'stranger';
    const receiver = this.#byId.get(to);
    const isElsewhere = receiver === undefined && this.#others?.isElsewhere(to) === true;
    if (isElsewhere && !this.#networks.mayRelay(network, nowMs)) return 'network flood';
    if (receiver === undefined && !isElsewhere && !this.#waiting.add(to, network, length, nowMs))
      return 'waiting';
    if (isOffer) this.#introductions.introduce(id, to);
    if (type === 'ANSWER') {
      this.#places.progress(network, stream, nowMs);
      if (receiver !== undefined) this.#places.progress(receiver.network, receiver.stream, nowMs);
    }
    return null;
  }
}
