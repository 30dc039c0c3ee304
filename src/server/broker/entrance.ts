import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { closeAtOnce } from '../../transport/node/line-server.ts';
import type { BrokerWatch, Clients, Newcomer } from './clients.ts';
import type { House } from './house.ts';
import type { Places } from './places.ts';

/** A WebSocket that is asked for. */
export type Upgrade = {
  readonly request: IncomingMessage;
  readonly stream: Duplex;
  readonly head: Buffer;
};

/** The client that asks for it, and the id that it asks for. */
type Applicant = Pick<Newcomer, 'network' | 'id' | 'token' | 'isOwn'>;

/** Lets clients in for whom there is a place, and tells those that ask for the door of somebody else. */
export class Entrance {
  readonly #sockets: WebSocketServer;
  readonly #clients: Clients;
  readonly #places: Places<Duplex>;
  readonly #house: House | undefined;
  readonly #watch: BrokerWatch;

  constructor(
    sockets: WebSocketServer,
    clients: Clients,
    places: Places<Duplex>,
    watch: BrokerWatch,
    house: House | undefined,
  ) {
    this.#sockets = sockets;
    this.#clients = clients;
    this.#places = places;
    this.#watch = watch;
    this.#house = house;
  }

  /** @returns false if there is no place; the stream is left to the caller then. */
  enter({ request, stream, head }: Upgrade, applicant: Applicant, nowMs: number): boolean {
    const { network, id, token, isOwn } = applicant;
    const { entered, leaver } = this.#places.enter(network, stream, nowMs);
    if (leaver !== null) {
      this.#watch.refused('gave way', leaver.network);
      leaver.holder.destroy();
    }
    if (!entered) return false;
    stream.once('close', () => this.#places.leave(network, stream));
    const holder = this.#clients.holderOf(id);
    const isLeft = this.#clients.waitsForAnother(id, token, nowMs);
    const answer = isLeft
      ? 'taken'
      : (this.#house?.doors.judge({ id, token, isOwn }, holder, nowMs) ?? 'free');
    if (answer === 'taken') this.#watch.refused(isLeft ? 'left' : 'reserved', network);
    const admit = (socket: WebSocket): void => {
      if (answer === 'taken') return sayTaken(socket);
      this.#clients.add({ socket, stream, network, id, token, isOwn });
      this.#sockets.emit('connection', socket, request);
    };
    const upgrade = (): void => this.#sockets.handleUpgrade(request, stream, head, admit);
    if (answer === 'take') this.#clients.takeFrom(id, upgrade);
    else upgrade();
    return true;
  }
}

/** Tells a client that another has the id that it asks for, as PeerJS does. */
function sayTaken(socket: WebSocket): void {
  socket.send(JSON.stringify({ type: 'ID-TAKEN', payload: { msg: 'ID is taken' } }));
  closeAtOnce(socket);
}
