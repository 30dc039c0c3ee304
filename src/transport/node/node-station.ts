import type { RtcConfig } from 'node-datachannel';
import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { LineId } from '../../core/room/line.ts';
import { Doors } from '../doors.ts';
import { OfferBudget } from '../guard/offer-budget.ts';
import { Refusals } from '../guard/refusals.ts';
import { LineTransport } from '../line-transport.ts';
import { Lines } from '../lines.ts';
import type { AddressState, Station } from '../station.ts';
import { DOOR_OFFERS, doorId, PAGE_OFFERS, randomId } from '../station.ts';
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
};

/** The station of a member in Node, over node-datachannel. It speaks to the broker as a page does. */
export class NodeStation implements Station {
  /** Counts everything that it has refused. */
  readonly refusals = new Refusals();
  readonly lines = new Lines<NodeConnection>(this.refusals);
  readonly transport = new LineTransport<NodeConnection>();
  /** It dials by no relay: a process that others must reach has an address that they reach. */
  readonly means = { hasRelay: false, relayOnly: false };
  readonly #doors: Doors<NodeAddress>;

  constructor(settings: NodeStationSettings) {
    const { broker, stun = [], address, privateNetworks = false } = settings;
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

  dialDoor(code: RoomCode): LineId | null {
    return this.dial(doorId(code));
  }

  isDoorMissing(code: RoomCode): boolean {
    return this.#doors.isMissing(code);
  }

  close(): void {
    this.lines.closeAll();
    this.#doors.end();
  }
}
