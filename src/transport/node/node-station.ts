import type { RtcConfig } from 'node-datachannel';
import { WebSocket } from 'ws';
import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { OPEN_WITHIN_MS } from '../../core/room/guest/door-search.ts';
import type { SearchMeans } from '../../core/room/guest/door-search.ts';
import type { LineId, LineWay } from '../../core/room/line.ts';
import { Doors } from '../doors.ts';
import { OfferBudget } from '../guard/offer-budget.ts';
import { Refusals } from '../guard/refusals.ts';
import { LineTransport } from '../line-transport.ts';
import { Lines } from '../lines.ts';
import type { AddressState, Station } from '../station.ts';
import { DOOR_OFFERS, doorId, PAGE_OFFERS, randomId, SOCKET_OFFERS } from '../station.ts';
import { lineAddress } from '../socket/line-address.ts';
import type { LineSocket } from '../socket/socket-connection.ts';
import { MAX_FRAME, SocketConnection } from '../socket/socket-connection.ts';
import type { BrokerUrl } from './broker-socket.ts';
import { isLoopback } from './candidates.ts';
import type { NodeNetwork } from './node-address.ts';
import { NodeAddress } from './node-address.ts';
import type { NodeConnection } from './node-connection.ts';

/** The network of a NodeStation. */
export type NodeStationSettings = {
  readonly broker: BrokerUrl;
  /** STUN services, as stun:host:port. */
  readonly stun?: readonly string[];
  /** The address from which packets go; all of this machine if left out. A loopback address reaches this machine alone. */
  readonly address?: string;
  /** Whether packets go to addresses in private networks, too, when strangers name them; false if left out. */
  readonly privateNetworks?: boolean;
  /** Whether they go to addresses of this machine; if left out, only from a loopback address. */
  readonly thisMachine?: boolean;
  /** [N2.3] The address of the rooms of the broker's own server, with a slash at its end; null or left out if it has none. */
  readonly rooms?: string | null;
};

/**
 * [N2.3] Options of a WebSocket to a room. It answers no pings: our server sends none, and another could have the answers
 * wait here without end. It must open within the milliseconds that a search gives a line [F3.7].
 */
const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_FRAME,
  handshakeTimeout: OPEN_WITHIN_MS,
  autoPong: false,
};

/** A line's connection in Node. */
export type AnyNodeConnection = NodeConnection | SocketConnection;

/** The station of a member in Node, over node-datachannel. It speaks to the broker as a page does. */
export class NodeStation implements Station {
  /** Counts everything that it has refused. */
  readonly refusals = new Refusals();
  readonly lines = new Lines<AnyNodeConnection>(this.refusals);
  readonly transport = new LineTransport<AnyNodeConnection>();
  readonly means: SearchMeans;
  readonly #doors: Doors<NodeAddress>;
  readonly #rooms: URL | null;
  /** [N2.3] Whether the server's certificate may be anybody's. */
  readonly #trustsAny: boolean;
  readonly #sockets = new OfferBudget(SOCKET_OFFERS.atOnce, SOCKET_OFFERS.perSecond);

  constructor(settings: NodeStationSettings) {
    const { broker, stun = [], address, privateNetworks = false, rooms = null } = settings;
    this.#rooms = rooms === null ? null : new URL(rooms);
    this.#trustsAny = broker.trustsAny === true;
    // It dials by no relay: a process that others must reach has an address that they reach.
    this.means = { hasRelay: false, relayOnly: false, hasSocket: rooms !== null };
    const { thisMachine = address !== undefined && isLoopback(address) } = settings;
    const config: RtcConfig = {
      iceServers: [...stun],
      ...(address === undefined ? {} : { bindAddress: address }),
    };
    const reach = { privateNetworks, thisMachine };
    const network: NodeNetwork = { broker, config, reach, refusals: this.refusals };
    const take = (connection: NodeConnection): void => this.lines.take(connection);
    const own = new OfferBudget(PAGE_OFFERS.atOnce, PAGE_OFFERS.perSecond);
    // A member that closes its door and opens it again gives strangers no more than before.
    const door = new OfferBudget(DOOR_OFFERS.atOnce, DOOR_OFFERS.perSecond);
    this.#doors = new Doors(
      new NodeAddress(randomId(), network, take, own),
      (id, token) => new NodeAddress(id, network, take, door, token),
    );
  }

  get id(): string {
    return this.#doors.own.id;
  }

  get state(): AddressState {
    return this.#doors.state;
  }

  get doorState(): AddressState | null {
    return this.#doors.doorState;
  }

  bind(slot: Slot, line: LineId | null): void {
    this.transport.bind(slot, line === null ? null : this.lines.get(line));
  }

  unbindAll(): void {
    this.transport.unbindAll();
  }

  openDoor(code: RoomCode, token?: string): void {
    this.#doors.open(code, token);
  }

  closeDoor(): void {
    this.#doors.close();
  }

  dial(page: string): LineId | null {
    const connection = this.#doors.own.connect(page);
    return connection === null ? null : this.lines.add(connection);
  }

  dialDoor(code: RoomCode, way: LineWay = 'any'): LineId | null {
    return way === 'socket' ? this.#dialSocket(code) : this.dial(doorId(code));
  }

  /** [N2.3] The server looks for this member's id at its broker. */
  #dialSocket(code: RoomCode): LineId | null {
    const { own } = this.#doors;
    if (this.#rooms === null || own.state !== 'open') return null;
    const options = { ...SOCKET_OPTIONS, rejectUnauthorized: !this.#trustsAny };
    const socket = new WebSocket(lineAddress(this.#rooms, code, own), options);
    return this.lines.add(new SocketConnection(doorId(code), socket, randomId()));
  }

  /**
   * [N2.3] Takes a line that has come over a WebSocket, as one that has come to the door; refused, it is closed.
   * @param page the id at the broker of its other end, for which the server vouches.
   */
  takeSocket(page: string, socket: LineSocket): void {
    const connection = new SocketConnection(page, socket, randomId());
    if (this.#sockets.take(page, performance.now())) this.lines.take(connection);
    else {
      this.refusals.count('too many offers');
      connection.close();
    }
  }

  isDoorMissing(code: RoomCode): boolean {
    return this.#doors.isMissing(code);
  }

  close(): void {
    this.lines.closeAll();
    this.#doors.end();
  }
}
